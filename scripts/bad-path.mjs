/** Paths that are no text (`%ff`, `%`): Next answers them with a bare 500, so they are answered before it sees them. */
import http from "node:http";

const BODY = JSON.stringify({ error: { code: "not_found", message: "There is nothing here." } });

/** Answers 404 in the form of the API when the path cannot be decoded; false: it can. */
export function refuseBadPath(request, response) {
  const path = (request.url ?? "").split("?", 1)[0];
  try {
    decodeURIComponent(path);
    return false;
  } catch {
    response.writeHead(404, { "content-type": "application/json", "cache-control": "private, no-store" }).end(BODY);
    return true;
  }
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
