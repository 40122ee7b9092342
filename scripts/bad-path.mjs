/** Requests that Next answers with a bare 500, answered before it sees them: paths that are no text (`%ff`, `%`), TRACE. */
import http from "node:http";

const HEADERS = {
  "content-type": "application/json",
  "cache-control": "private, no-store",
  "x-content-type-options": "nosniff",
};
const body = (code, message) => JSON.stringify({ error: { code, message } });
const NOT_FOUND = body("not_found", "There is nothing here.");
const NO_METHOD = body("bad_request", "This method is not served.");

function isText(path) {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Answers in the form of the API; false: it is for Next. */
export function refuseBadPath(request, response) {
  if (request.method === "TRACE") {
    response.writeHead(405, HEADERS).end(NO_METHOD);
    return true;
  }
  if (isText((request.url ?? "").split("?", 1)[0])) return false;
  response.writeHead(404, HEADERS).end(NOT_FOUND);
  return true;
}

/** From now on every HTTP server of this process does so. */
export function refuseBadPaths() {
  const create = http.createServer;
  http.createServer = (...given) => {
    const listener = given.pop();
    if (typeof listener !== "function") return create(...given, listener);
    return create(...given, (request, response) => {
      if (!refuseBadPath(request, response)) listener(request, response);
    });
  };
}
