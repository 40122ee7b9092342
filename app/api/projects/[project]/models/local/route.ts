import { AppError } from "@/lib/api/errors";
import { handle, json } from "@/server/http";

/** Model servers on this machine's loopback: an address for admins only. */
export const GET = handle({ right: "own", params: ["project"] }, async ({ person, runtime: { models } }) => {
  if (!person.admin) throw new AppError("forbidden", "Only an admin may look for models on the server itself.");
  return json({ servers: await models.local() });
});
