/** Personal access tokens: one is shown when it is made, and never again. */
import { createTokenBody } from "@/lib/api/team";
import { handle, json } from "@/server/http";

export const GET = handle({ right: "signed_in" }, async ({ person, runtime: { tokens } }) =>
  json({ tokens: await tokens.list(person.id) }),
);

export const POST = handle({ right: "signed_in", body: createTokenBody }, async ({ person, body, runtime }) => {
  const { token, view } = await runtime.tokens.create(person.id, body);
  const { id, name, scopes } = view;
  await runtime.audit.write({ by: person.id, action: "token.create", id, name, scopes });
  return json({ token, view }, 201);
});
