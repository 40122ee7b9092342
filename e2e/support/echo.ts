/** Endpoints that repeat the key they were sent, in failures or in what they say; the path says how. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ClientType } from "@/lib/model/protocol";
import { WIRES } from "@/server/llm/testing/vendor";
import type { Wire } from "@/server/llm/testing/wire";

/** `/auth/…`, `/refused/…`, `/moved/…`, `/busy/…`, `/html/…`, `/stream/…`: failures. `/says-<protocol>/…`: answers and lists of models. */
export function startEcho(): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => void answer(request, response));
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      resolve({ server, origin: `http://127.0.0.1:${port}` });
    }),
  );
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { authorization, "x-api-key": anthropic, "x-goog-api-key": gemini } = request.headers;
  const key = String(authorization ?? anthropic ?? gemini ?? "none").replace(/^Bearer /, "");
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const how = (request.url ?? "").split("/")[1] ?? "";
  if (!how.startsWith("says-")) return fail(response, how, key);
  const wire = WIRES[how.slice("says-".length) as ClientType];
  if (request.method === "GET") {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(wire.models([`model-${key}`, key]));
  } else say(response, wire, key, Buffer.concat(chunks).toString());
}

/** Thinking, text and the arguments of a call that is answered, each with the key cut in its middle. */
function say(response: ServerResponse, wire: Wire, key: string, asked: string): void {
  const done = /"role":"tool"|tool_result|function_call_output|functionResponse/.test(asked);
  const args = JSON.stringify({ description: "d", cmd: `echo ${key}` });
  const words = [{ thinking: key }, { text: `[summary]${key}[/summary]` }];
  response.writeHead(200, { "content-type": "text/event-stream" });
  const call = { call: { id: `call-${key}`, name: "exec_command", args } };
  response.end(wire.answer(done ? words : [...words, call], "stop", { fresh: 9, cached: 0, created: 0, output: 9 }));
}

function fail(response: ServerResponse, how: string, key: string): void {
  const words = `Incorrect API key provided: ${key}. ${Buffer.from(key).toString("utf8")}`;
  const status = { auth: 401, refused: 400, moved: 307, busy: 503 }[how];
  if (how === "moved") response.setHeader("location", `https://elsewhere.test/?key=${encodeURIComponent(key)}`);
  if (status) {
    response.writeHead(status, { "content-type": "application/json", "x-echo": key });
    response.end(JSON.stringify({ type: "error", error: { type: "e", message: words, code: status, status: "E" } }));
    return;
  }
  response.writeHead(200, { "content-type": how === "html" ? "text/html" : "text/event-stream" });
  if (how === "html") response.end(`<html>Bad gateway. Request had ${key}</html>`);
  else
    response.end(`event: error\ndata: ${JSON.stringify({ type: "error", error: { type: "e", message: words } })}\n\n`);
}
