import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { KINDS } from "./kinds";
import { Mask, type MaskRules } from "./mask";

const NOTHING: MaskRules = { known: [], names: [], places: null, hide: [] };
async function masked(text: string, rules: Partial<MaskRules> = {}) {
  const mask = new Mask({ ...NOTHING, ...rules });
  return { text: await mask.text(text), found: mask.found };
}
/** Put together here, so that no scanner takes this file for a leak. */
const fake = (...parts: string[]) => parts.join("");
const LETTERS = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789";

const SECRETS: [kind: string, secret: string, text: (secret: string) => string][] = [
  ["aws_key", fake("AK", "IA", "Z3MPLEZ3MPLEZ3M7"), (s) => `aws configure: ${s} eu-west-1`],
  ["github_token", fake("gh", "p_", LETTERS), (s) => `git clone with ${s}.`],
  ["github_token", fake("github", "_pat_", LETTERS), (s) => `"${s}"`],
  ["gitlab_token", fake("gl", "pat-", "AbCdEfGhIjKlMnOpQrSt"), (s) => `use ${s}, please`],
  ["slack_token", fake("xo", "xb-", "1234567890-abcdefABCDEF"), (s) => `SLACK: ${s}`],
  ["webhook", "T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX", (s) => `https://hooks.slack.com/services/${s}`],
  ["model_vendor_key", fake("sk", "-ant-api03-", LETTERS), (s) => `key ${s}`],
  ["model_vendor_key", fake("sk", "-proj-", LETTERS), (s) => `{"command":"x\\n${s}"}`],
  ["model_vendor_key", fake("gs", "k_", LETTERS, "abcdef"), (s) => s],
  ["google_key", fake("AI", "za", LETTERS.slice(0, 35)), (s) => `?x=${s}`],
  ["payment_key", fake("sk", "_live_", "AbCdEfGhIjKl"), (s) => `stripe ${s}`],
  ["service_token", fake("np", "m_", LETTERS), (s) => `//registry/:_auth ${s}`],
  ["telegram_token", fake("123456789", ":AA", LETTERS.slice(0, 33)), (s) => `bot ${s}`],
  ["jwt", fake("ey", "JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjMifQ.", "c2lnbmF0dXJl"), (s) => `cookie=${s};`],
  ["jwt", fake("ey", "JhbGciOiJkaXIifQ..aXZpdml2aXY.", "Y2lwaGVydGV4dA.dGFn"), (s) => `curl -b penguin_session=${s}`],
  ["penguin_token", fake("ph", "t.ann.0123456789ab.", LETTERS), (s) => `curl -H ${s}`],
  ["penguin_token", "a".repeat(43), (s) => `see http://x.test/share/${s}`],
  ["url_password", "app:hunter22", (s) => `postgres://${s}@db.test/x`],
  ["url_password", "abcdef1234567890", (s) => `https://x.test/file?sig=${s}&y=1`],
  ["auth_header", "dXNlcjpwYXNzd29yZA==", (s) => `Authorization: Basic ${s}`],
  ["auth_header", "abcdef1234567890abcdef", (s) => `-H "X: Bearer ${s}"`],
  ["auth_header", "hunter22", (s) => `curl -sS -u me:${s} https://x.test`],
  ["auth_header", "hunter22", (s) => `sshpass -p ${s} ssh host`],
  ["auth_header", "hunter2hunter2", (s) => `machine x.test login me\n  password ${s}`],
  ["auth_header", "dXNlcjpwYXNzd29yZA==", (s) => `{"auths":{"x.test":{"auth":"${s}"}}}`],
  [
    "private_key",
    Buffer.from("-----BEGIN RSA PRIVATE KEY-----\nMIIEvQ").toString("base64"),
    (s) => `client-key-data: ${s}`,
  ],
  ["auth_header", "sid=abc123; theme=dark", (s) => `Cookie: ${s}\nHost: x`],
  [
    "private_key",
    "MIIEvQIBADANBgkqhkiG9w0",
    (s) => `-----BEGIN RSA PRIVATE KEY-----\n${s}\n-----END RSA PRIVATE KEY-----`,
  ],
  ["private_key", "b3BlbnNzaC1rZXktdjEAAAA", (s) => `-----BEGIN OPENSSH PRIVATE KEY-----\\n${s}`],
  ["setting", "correcthorse", (s) => `DB_PASSWORD=${s}\nPORT=80`],
  ["setting", "abc-123456", (s) => `{"api_key": "${s}", "n": 1}`],
  ["setting", "abc-123456", (s) => `"{\\"client_secret\\": \\"${s}\\"}"`],
  ["setting", "hunter2hunter2", (s) => `**Password:** \`${s}\``],
  ["setting", "hunter2!", (s) => `  password: ${s}\n  user: app`],
  ["setting", "Tr0ub4dor", (s) => `mysql --password ${s} -u root`],
  ["setting", "wJalrXUtnFEMI/K7MDENG/bPxRfiCY", (s) => `aws_secret_access_key = ${s}`],
];

describe("secrets that are told by their shape", () => {
  it.each(SECRETS)("%s %s", async (kind, secret, text) => {
    const before = text(secret);
    const { text: clean, found } = await masked(before);
    expect(found.map((one) => one.kind)).toContain(kind);
    expect(clean).not.toContain(secret);
    expect(clean).toContain("‹secret›");
    // A second look finds nothing more.
    expect(await masked(clean)).toEqual({ text: clean, found: [] });
  });

  it.each([
    "The token is checked on every request; tokens: 4096, max_tokens = 12000 and token_count = 1200000.",
    "const token = await getToken(); const password = process.env.DB_PASSWORD;",
    "interface Props { token: string; password?: string; apiKey: string | undefined }",
    "password: required, secret: {{ secrets.DEPLOY }}, API_KEY=<your key>, TOKEN=$TOKEN, key = value",
    'fetch(url, { credentials: "include" }); run({ token, password })',
    "new Client(token=settings.token, api_key=config.api_key)",
    "git push -u origin main:next, docker run -u 1000:1000 x, login and password fields, id -u",
    "Bearer authentication with a sk-learn-like pipeline, basic arithmetic, sha256-abc, gh pr view 123",
    "see https://docs.test/a/b?page=2&sort=asc and git@github.com:team/repo.git, ssh://git@host/x",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "550e8400-e29b-41d4-a716-446655440000 d41d8cd98f00b204e9800998ecf8427e 2026-01-02T03:04:05Z",
    "the secret of a good password policy: length. Passwords: none.",
  ])("leaves alone: %s", async (text) => {
    expect(await masked(text)).toEqual({ text, found: [] });
  });

  it("bodies of megabytes that nearly match are through at once: every shape is linear", async () => {
    const runs = [
      "eyJ-",
      "eyJaaaaaaaa.",
      "glpat-",
      "token=",
      "://a:",
      "-----BEGIN RSA PRIVATE KEY-----",
      "/a",
      "~/",
      '"',
      "sk-a-",
      "bearer ",
      "C:\\",
    ];
    for (const run of runs) {
      const text = run.repeat(Math.ceil(200_000 / run.length));
      const { text: clean } = await masked(text, { places: { others: [] } });
      expect(clean.length, run).toBeLessThanOrEqual(text.length * 3);
    }
  });

  it("docs/shares.md lists every kind that is found, and no other", () => {
    const listed = [...readFileSync("docs/shares.md", "utf8").matchAll(/^\| `(\w+)` \|/gm)].map(([, kind]) => kind);
    expect(listed).toEqual(KINDS);
  });
});

describe("secrets that are known, words, paths and names", () => {
  it("known values in every spelling, also cut over lines of a terminal's colours; short ones are left", async () => {
    const value = 'p"ss_w&rd/1';
    const known = [
      { kind: "vault_value" as const, value },
      { kind: "model_key" as const, value: "shrt" },
    ];
    const spellings = [
      value,
      JSON.stringify({ value }),
      encodeURIComponent(value),
      'p"ss\\_w&rd/1',
      "p&quot;ss_w&amp;rd/1",
      Buffer.from(value).toString("base64"),
      `p"ss\u001b[31m_w&rd/1`,
      `p"ss\u200b_w&rd/1`,
      Buffer.from(value).toString("hex"),
    ];
    for (const text of spellings) {
      const { text: clean, found } = await masked(`a ${text} shrt z`, { known });
      expect(clean.replace('{"value":"‹secret›"}', "‹secret›").replace(/=*/g, "")).toBe("a ‹secret› shrt z");
      expect(found).toEqual([{ kind: "vault_value", count: 1 }]);
    }
    // Wherever it begins in what somebody encoded, with letters of neither neighbour kept.
    for (const before of ["", "m", "me", "me:"])
      for (const after of ["", "\n", "@x", "@host"])
        for (const spelling of ["base64", "base64url"] as const) {
          const text = Buffer.from(before + value + after).toString(spelling);
          expect((await masked(text, { known })).text, text).toContain("‹secret›");
        }
    expect((await masked("Project Falcon, falcon", { hide: ["Falcon"] })).text).toBe("Project ‹hidden›, falcon");
  });

  const places = { workspace: "/work/space_1", others: ["/var/lib/penguin", "/home/someone"] };
  it.each([
    ["in /work/space_1/src/a.ts:12", "in ‹workspace›/src/a.ts:12"],
    ["in /work/space\\_1 and /work/space_12/x", "in ‹workspace› and ‹path›"],
    ["/var/lib/penguin/p/agents/a, x/var/lib/penguin", "‹path›, x‹path›"],
    ["%2Fvar%2Flib%2Fpenguin%2Fp and %2Fetc%2Fhosts", "‹path› and ‹path›"],
    ["cat ~/notes/x.txt ~bob/y", "cat ‹path› ‹path›"],
    ["PATH=/usr/bin:/home/zoe/bin", "PATH=‹path›:‹path›"],
    ["cc -I/usr/include/x -L/opt/lib/y", "cc -I‹path› -L‹path›"],
    ['{"command":"cd\\n/srv/app/x && ls"}', '{"command":"cd\\n‹path› && ls"}'],
    ["/Users/zoe/My Documents/cv.pdf was read.", "‹path› was read."],
    ["see file:///home/zoe/x and curl -d @/home/zoe/y", "see ‹path› and curl -d @‹path›"],
    ["C:\\Users\\zoe\\x.txt and C:\\\\Users\\\\zoe and \\\\server\\share\\x", "‹path› and ‹path› and ‹path›"],
    ["/home/安/文档/甲.txt", "‹path›"],
    ['{"a":"\\/var\\/lib\\/penguin\\/x","b":"\\/etc\\/hosts"}', '{"a":"‹path›","b":"‹path›"}'],
    ["It is in /etc/passwd.", "It is in ‹path›."],
    ["文件在/home/安/甲.txt，已读", "文件在‹path›，已读"],
  ])("%s", async (text, clean) => {
    expect((await masked(text, { places })).text).toBe(clean);
    expect((await masked(clean, { places })).found).toEqual([]);
  });
  it.each([
    "https://a.test/b/c?d=1 and http://localhost:3000/home/x",
    "GET /users/1/posts, /api/projects/alpha, ./x/y, ../a/b, src/a/b.ts, and/or, 1/2, 10/20/30",
    'import x from "@/components/ui/x"; // <br/> </div></p> text/html',
  ])("is no path: %s", async (text) => {
    expect((await masked(text, { places })).text).toBe(text);
  });

  it("names of people, whole and in parts, in words of any script; what says an account's task is none", async () => {
    const names = ["zoe", "Zoe Quux", "admin", "王小明"];
    const text = "Zoe Quux (zoe, zoe_backup) and Quux wrote; quux, zoetrope, admin. 这是王小明写的";
    expect((await masked(text, { names })).text).toBe(
      "‹name› (‹name›, ‹name›_backup) and ‹name› wrote; quux, zoetrope, admin. 这是‹name›写的",
    );
  });
});
