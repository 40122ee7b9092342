/**
 * Which protocols does an address speak, and which models does it have? Asked by what costs nothing: the lists of
 * models first; where those leave a doubt, an empty request whose refusal has a shape of its own.
 */
import type { DetectResult, FoundProtocol, ListedModel } from "../../lib/api/schemas";
import type { ClientType } from "../../lib/model/protocol";
import { endpoint, normaliseBaseUrl } from "./base-url";
import { asObject, asString, parseJson } from "./json";
import { type ListShape, readModelList } from "./model-list";
import { failureOutcome, type ProviderFailure, thrownOutcome } from "./outcome";
import { AnswerMask, secretsOf } from "./secrets";

const TIMEOUT_MS = 6_000;
const MAX_BODY = 4 * 1024 * 1024;

export interface DetectDeps {
  fetch?: typeof fetch;
  timeout_ms?: number;
}

interface Asked {
  status: number;
  headers: Headers;
  body: string;
  json: unknown;
}
type Answer = Asked | { error: unknown };

const PROTOCOL_OF: Record<ListShape, ClientType> = {
  openai: "openai-chat",
  anthropic: "anthropic-messages",
  gemini: "gemini",
};
const LISTS: { shape: ListShape; path: string }[] = [
  { shape: "openai", path: "/models" },
  { shape: "anthropic", path: "/v1/models?limit=1000" },
  { shape: "gemini", path: "/v1beta/models?pageSize=1000" },
];

/** Never throws. In what comes back `api_key` does not occur, whatever the endpoint repeats (AC3). */
export async function detectEndpoint(given: string, api_key?: string, deps: DetectDeps = {}): Promise<DetectResult> {
  const address = normaliseBaseUrl(given);
  if (!address.ok) return { found: [], needs_key: false, message: address.message };
  return new Detection(given, api_key, deps).run();
}

class Detection {
  private readonly secrets: string[];
  private readonly mask: AnswerMask | null;

  constructor(
    private readonly given: string,
    private readonly key: string | undefined,
    private readonly deps: DetectDeps,
  ) {
    this.secrets = secretsOf({ api_key: key, base_url: given });
    this.mask = AnswerMask.of(this.secrets);
  }

  async run(): Promise<DetectResult> {
    const answers = await Promise.all(LISTS.map(async (list) => ({ ...list, answer: await this.list(list) })));
    const found: FoundProtocol[] = [];
    for (const { answer } of answers) {
      const list = "error" in answer || answer.status !== 200 ? null : readModelList(answer.json);
      if (list && !found.some(({ client_type }) => client_type === PROTOCOL_OF[list.shape])) {
        found.push(this.protocol(PROTOCOL_OF[list.shape], this.clean(list.models)));
      }
    }
    const chat = found.find(({ client_type }) => client_type === "openai-chat");
    if (chat && (await this.speaksResponses())) found.push(this.protocol("openai-responses", chat.models));
    const needsKey: ClientType[] = found.length > 0 ? [] : this.recognised(answers.map(({ answer }) => answer));
    for (const type of needsKey) found.push(this.protocol(type, []));
    if (found.length === 0) found.push(...(await this.byRefusal()));
    const sorted = found.sort((a, b) => this.rank(a.client_type) - this.rank(b.client_type));
    if (sorted.length > 0 && needsKey.length === 0) return { found: sorted, needs_key: false };
    return { found: sorted, needs_key: needsKey.length > 0, message: this.why(answers.map(({ answer }) => answer)) };
  }

  private clean(models: ListedModel[]): ListedModel[] {
    const { mask } = this;
    if (mask === null) return models;
    return models.map((model) => ({
      ...model,
      id: mask.text(model.id),
      ...(model.display_name ? { display_name: mask.text(model.display_name) } : {}),
    }));
  }

  private protocol(client_type: ClientType, models: ListedModel[]): FoundProtocol {
    const address = normaliseBaseUrl(this.given, client_type);
    return { client_type, base_url: address.ok ? address.url : this.given, models };
  }

  /** A pasted operation names its protocol; otherwise the plainest that was found comes first. */
  private rank(type: ClientType): number {
    if (/\/responses\/?($|\?)/.test(this.given) && type === "openai-responses") return -1;
    return ["anthropic-messages", "gemini", "openai-chat", "openai-responses"].indexOf(type);
  }

  private list({ shape, path }: { shape: ListShape; path: string }): Promise<Answer> {
    return this.ask(PROTOCOL_OF[shape], path);
  }

  /** Refusals of a list that only one protocol words like this: the key is what is missing. */
  private recognised(answers: Answer[]): ClientType[] {
    const types = answers.flatMap((answer): ClientType[] => {
      if ("error" in answer || ![400, 401, 403].includes(answer.status)) return [];
      const shape = refusalShape(answer.json);
      return shape ? [PROTOCOL_OF[shape]] : [];
    });
    // Anthropic's refusal is the only one with a `type` of its own; a gateway's general one looks like OpenAI's.
    const special = types.filter((type) => type !== "openai-chat");
    return [...new Set(special.length > 0 ? special : types)];
  }

  private async speaksResponses(): Promise<boolean> {
    const answer = await this.ask("openai-responses", "/responses", {});
    return !("error" in answer) && isRefusedInput(answer);
  }

  /** No list at all: an empty request is refused by what exists, and not found where nothing does. */
  private async byRefusal(): Promise<FoundProtocol[]> {
    const probes: [ClientType, string][] = [
      ["anthropic-messages", "/v1/messages"],
      ["openai-chat", "/chat/completions"],
      ["openai-responses", "/responses"],
    ];
    const hits = await Promise.all(
      probes.map(async ([type, path]) => {
        const answer = await this.ask(type, path, {});
        if ("error" in answer || !isRefusedInput(answer)) return [];
        return [this.protocol(type, [])];
      }),
    );
    return hits.flat();
  }

  /** The sentence for a person: the provider's own words where it has some. */
  private why(answers: Answer[]): string {
    const refused = answers.find((answer): answer is Asked => !("error" in answer) && answer.status !== 404);
    if (refused && refused.status >= 400) {
      const failure: ProviderFailure = { http_status: refused.status, headers: refused.headers, body: refused.body };
      return failureOutcome(failure, this.secrets).error_message ?? `The server answered ${refused.status}.`;
    }
    const moved = answers.find((answer): answer is Asked => !("error" in answer) && answer.status >= 300);
    if (moved && moved.status < 400) {
      // Of the new address only the place: what follows may repeat the key.
      const location = moved.headers.get("location") ?? "";
      return `The address redirects to ${URL.canParse(location) ? new URL(location).origin : "another one"}.`;
    }
    const failed = answers.find((answer) => "error" in answer);
    if (failed && "error" in failed && answers.every((answer) => "error" in answer)) {
      const { error_message } = thrownOutcome(failed.error, this.secrets);
      return `The server could not be reached: ${error_message}`;
    }
    return "A server answers there, but not with a list of models in any known protocol.";
  }

  /** One request as this protocol sends it. A body makes it a POST. */
  private async ask(type: ClientType, path: string, body?: object): Promise<Answer> {
    const address = normaliseBaseUrl(this.given, type);
    if (!address.ok) return { error: new Error(address.message) };
    const { base, query } = endpoint(address.url);
    const url = new URL(base + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    try {
      const response = await (this.deps.fetch ?? fetch)(url, {
        method: body ? "POST" : "GET",
        headers: { accept: "application/json", ...this.credentials(type), ...(body ? JSON_TYPE : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
        // A redirect would carry the key to a host that nobody checked.
        redirect: "manual",
        signal: AbortSignal.timeout(this.deps.timeout_ms ?? TIMEOUT_MS),
      });
      const text = await limited(response);
      return { status: response.status, headers: response.headers, body: text, json: parseJson(text)?.value };
    } catch (error) {
      return { error };
    }
  }

  private credentials(type: ClientType): Record<string, string> {
    if (type === "anthropic-messages") {
      return { "anthropic-version": "2023-06-01", ...(this.key ? { "x-api-key": this.key } : {}) };
    }
    if (!this.key) return {};
    return type === "gemini" ? { "x-goog-api-key": this.key } : { authorization: `Bearer ${this.key}` };
  }
}

const JSON_TYPE = { "content-type": "application/json" };

/** By the body of a refusal: who words it like this? */
function refusalShape(json: unknown): ListShape | null {
  // Gemini's gateway wraps its error in a list on some routes.
  const root = asObject(Array.isArray(json) ? json[0] : json);
  const error = asObject(root?.error);
  if (!root || !error) return null;
  if (root.type === "error" && typeof error.type === "string") return "anthropic";
  if (typeof error.code === "number" && /^[A-Z_]+$/.test(asString(error.status))) return "gemini";
  return typeof error.message === "string" ? "openai" : null;
}

/** The route exists and found the empty input wrong, or asks for a key first. */
function isRefusedInput({ status, json }: Asked): boolean {
  return [400, 401, 403, 422].includes(status) && asObject(json) !== undefined;
}

/** The beginning of a body: nobody has to send an end. */
async function limited(response: Response): Promise<string> {
  const source = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let size = 0; source && size < MAX_BODY; ) {
    const { done, value } = await source.read();
    if (done) return text + decoder.decode();
    size += value.length;
    text += decoder.decode(value, { stream: true });
  }
  await source?.cancel().catch(() => {});
  return text;
}
