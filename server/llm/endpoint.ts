/** RS8: `fidelity` goes to the endpoint that wrote it and to no other. */
import type { CompletePayload } from "../../lib/omni/message";
import type { Llm } from "../engine/ports";

/** Host of a model's address; null: it names none. */
export function hostOf(baseUrl: string | undefined): string | null {
  return baseUrl && URL.canParse(baseUrl) ? new URL(baseUrl).host : null;
}

/** Two endpoints where a Session's model has moved; null: it is where it was, or nobody noted where that is. */
export function movedEndpoint(recorded: string | undefined, baseUrl: string | undefined) {
  const now = hostOf(baseUrl);
  return recorded === undefined || now === null || recorded === now ? null : { from: recorded, to: now };
}

/** The same model, sent the history without opaque data. `leftOut` is told each time that there was some. */
export function withoutFidelity(llm: Llm, leftOut: () => void): Llm {
  return {
    stream(request, signal) {
      const history = request.history.map(plain);
      if (history.some((payload, i) => payload !== request.history[i])) leftOut();
      return llm.stream({ ...request, history }, signal);
    },
  };
}

function plain(payload: CompletePayload): CompletePayload {
  if (!("fidelity" in payload) || payload.fidelity === undefined) return payload;
  return { ...payload, fidelity: undefined };
}
