/** What a connection carries from now on. Access is checked for each stream. */
import { streamChangeBody } from "@/lib/api/live/schemas";
import { handle, json } from "@/server/http";

export const POST = handle(
  { right: "signed_in", params: ["id"], body: streamChangeBody },
  async ({ params, body, person, runtime }) => json({ refused: await runtime.live.change(params.id, person, body) }),
);
