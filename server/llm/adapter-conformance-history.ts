/** Conformance, second half: what goes back to the vendor. */
import { expect, it } from "vitest";
import type { ClientType } from "../../lib/model/protocol";
import { model as record } from "../../lib/omni/build";
import { isComplete } from "../../lib/omni/guards";
import type { CompletePayload } from "../../lib/omni/message";
import { encodeRecord, parseTrace } from "../../lib/trace/jsonl";
import type { Collected } from "./fixtures/collect";
import type { Reply } from "./fixtures/fake-provider";
import type { Vendor } from "./testing/vendor";
import type { Wire, WirePart } from "./testing/wire";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const IMAGE = `data:image/png;base64,${PNG}`;
const TOOLS = [{ name: "exec_command", description: "run", parameters: { type: "object", properties: {} } }];
const said = (text: string): CompletePayload => ({ type: "text", role: "user", text });
const output = (id: string, images?: string[]): CompletePayload => ({
  type: "tool_call_output",
  role: "user",
  output: "A",
  tool_call_id: id,
  ...(images ? { images } : {}),
});

/** A record on disk and back. */
function saved(payloads: CompletePayload[], edit: (line: string) => string = (line) => line): CompletePayload[] {
  const text = payloads.map((payload) => edit(encodeRecord(record(payload)))).join("");
  return parseTrace(text).records.flatMap(({ message }) => (isComplete(message) ? [message.payload] : []));
}

export type Run = (reply: Reply, change?: object, signal?: AbortSignal, onEvent?: () => void) => Promise<Collected>;

/** What the cases ask of one adapter. */
class Bench {
  constructor(
    readonly protocol: ClientType,
    readonly wire: Wire,
    readonly run: Run,
    readonly vendor: () => Vendor,
  ) {}

  get last() {
    return this.vendor().sent.at(-1);
  }
  /** The vendor takes this history. */
  async legal(history: CompletePayload[], change: object = {}): Promise<void> {
    const body = this.wire.answer([{ text: "ok" }], "stop");
    const { outcome } = await this.run({ body }, { history, tools: TOOLS, ...change });
    expect(outcome).toEqual({ status: "completed" });
  }
  async answer(parts: WirePart[], history: CompletePayload[]): Promise<CompletePayload[]> {
    const body = this.wire.answer(parts, "stop");
    return (await this.run({ body }, { history, tools: TOOLS, thinking_level: "high" })).messages;
  }
}

const call = (id: string, args = `{"cmd":"${id}"}`) => ({ call: { id, name: "exec_command", args } });

export function historyCases(protocol: ClientType, wire: Wire, run: Run, vendor: () => Vendor): void {
  const bench = new Bench(protocol, wire, run, vendor);
  fidelityCases(bench);
  pairingCases(bench);
}

function fidelityCases(bench: Bench): void {
  const { protocol, wire, run, vendor } = bench;
  it("RS8: fidelity goes back as the vendor gave it, after a save and a resume", async () => {
    let history = [said("go")];
    const rounds: WirePart[][] = [
      [{ thinking: "  leading, trailing\n" }, { hidden: "dark" }, { text: "first" }, call("a"), call("b")],
      [{ thinking: "more" }, call("c", '{"cmd":"x","n":1.5,"deep":{"é":[1,2]}}')],
      [{ hidden: "darker" }, { text: "done" }],
    ];
    for (const parts of rounds) {
      // The vendor checks every signature, id and blob against what it belongs to.
      const messages = await bench.answer(parts, saved(history));
      const calls = messages.flatMap((m) => (m.type === "tool_call" ? [output(m.tool_call_id)] : []));
      history = [...history, ...messages, ...calls];
    }
    await bench.legal(saved([...history, said("and now")]), { thinking_level: "high" });
    const sealed = saved(history).flatMap((p) => ("fidelity" in p ? Object.values(p.fidelity ?? {}) : []));
    const strings = sealed.filter((x) => typeof x === "string" && x.length > 4);
    expect(strings.length).toBeGreaterThan(protocol === "openai-chat" ? -1 : 1);
    for (const seal of strings) expect(bench.last?.raw).toContain(JSON.stringify(seal));
  });

  it("RS8: numbers keep their spelling", async () => {
    const odd = '{"a":1.0,"b":1e3,"big":12345678901234567890,"zero":-0,"2":[0.10],"1":"\\u002b"}';
    const member = {
      "openai-chat": ["thinking", "reasoning_details"],
      "openai-responses": ["text", "phase"],
      "anthropic-messages": ["thinking", "signature"],
      gemini: ["text", "signature"],
    }[protocol];
    const [type, name] = member;
    const seal = { [name ?? ""]: protocol === "openai-chat" ? ["HERE"] : "HERE" };
    const thinking: CompletePayload = { type: "thinking", role: "assistant", thinking: "x" };
    const text: CompletePayload = { type: "text", role: "assistant", text: "y" };
    const history = saved(
      [
        said("go"),
        type === "thinking" ? { ...thinking, fidelity: seal } : thinking,
        type === "text" ? { ...text, fidelity: seal } : text,
        said("on"),
      ],
      (line) => line.replace('"HERE"', odd),
    );
    const before = vendor().violations.length;
    await run({ body: wire.answer([{ text: "ok" }], "stop") }, { history });
    expect(bench.last?.raw).toContain(odd);
    // What such a member means is for no vendor to say: the fake one refuses it.
    vendor().violations.splice(before);
  });

  it("RS8: what other protocols leave in fidelity is not sent", async () => {
    const foreign = { signature: "s", id: "rs_x", redacted: "r", reasoning_text: "t", raw: '{"a":1.0}' };
    const shapes = {
      "openai-chat": { signature: "FOREIGN", id: "FOREIGN", encrypted_content: "FOREIGN" },
      "openai-responses": { signature: "FOREIGN", reasoning_field: "reasoning_content" },
      "anthropic-messages": { id: "FOREIGN", encrypted_content: "FOREIGN", reasoning_field: "reasoning_content" },
      gemini: { id: "FOREIGN", encrypted_content: "FOREIGN", phase: "FOREIGN" },
    }[protocol];
    await bench.legal([
      said("go"),
      { type: "thinking", role: "assistant", thinking: "old thought", fidelity: shapes },
      { type: "text", role: "assistant", text: "hi", fidelity: { unknown: foreign } },
      said("on"),
    ]);
    expect(bench.last?.raw).not.toMatch(/FOREIGN|rs_x|unknown/);
  });
}

function pairingCases(bench: Bench): void {
  const { run, vendor } = bench;
  it("RS2, EN6: calls, outputs, bad arguments, lost outputs and ids of any origin are sent in a legal way", async () => {
    const asked = (id: string, args: string): CompletePayload => ({
      type: "tool_call",
      role: "assistant",
      name: "exec_command",
      arguments: args,
      tool_call_id: id,
    });
    await bench.legal([
      said("go"),
      asked("exec_command", '{"cmd":"ls"}'),
      asked("exec_command#2", '{"cmd":"git commit -m \\"half'),
      asked("tool call/3", ""),
      output("tool call/3"),
      output("exec_command"),
      said("also this"),
      { type: "text", role: "assistant", text: " " },
      { type: "thinking", role: "assistant", thinking: "nothing said" },
      said(""),
      said("more"),
      asked("exec_command", "[1]"),
      output("exec_command"),
    ]);
  });

  it("images go along, from the prompt and from outputs; a model that does not see gets a line of text", async () => {
    const asked = (await bench.answer([call("a")], [said("look")])).filter((m) => m.type === "tool_call");
    const id = asked[0]?.tool_call_id ?? "";
    const seen: CompletePayload = { type: "image_url", role: "user", image_url: IMAGE };
    await bench.legal([said("look"), seen, ...asked, output(id, [IMAGE])]);
    expect(bench.last?.raw.split(PNG).length).toBe(3);
  });

  it("TP16: nothing but an empty text is refused here, not there", async () => {
    const before = vendor().sent.length;
    const { outcome } = await run({ body: "" }, { history: [said("")] });
    expect(outcome).toMatchObject({ status: "failed", refused: true });
    expect(vendor().sent.length).toBe(before);
  });
}
