/** One connection for all streams of a browser; `POST /api/stream/:id` says which. */
import { handle } from "@/server/http";

export const GET = handle({ right: "signed_in" }, ({ person, request, runtime }) =>
  runtime.live.connect(person, request.signal),
);
