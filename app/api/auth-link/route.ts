import { z } from "zod";
import { AppError } from "@/lib/api/errors";
import { handlePublic, json } from "@/server/http";
import type { Runtime } from "@/server/runtime";
import { MIN_PASSWORD } from "@/server/users/users";

const body = z.strictObject({ token: z.string().max(200), password: z.string().max(1_024) });

/** An invitation, or the first admin's link of this start. */
async function redeem({ link, users }: Runtime, token: string, password: string): Promise<string | null> {
  if (token.includes(".")) return users.redeem(token, password);
  const user = link.redeem(token);
  if (user) await users.setPassword(user, password, { initial: false });
  return user;
}

/** A one-time link: sets the password of its user. The page then signs in with it. */
export const POST = handlePublic({ body }, async ({ body: { token, password }, runtime }) => {
  // A password that is refused must not use the link up.
  if ([...password].length < MIN_PASSWORD) throw new AppError("invalid_password");
  // One name for each user: whoever tries links of one locks nobody else out.
  const name = `sign-in link ${token.includes(".") ? token.split(".")[0] : ""}`;
  const user = await runtime.throttle.attempt(name, () => redeem(runtime, token, password));
  if (!user) throw new AppError("link_expired");
  runtime.streams.close((stream) => stream.person.id === user);
  await runtime.audit.write({ by: user, action: "password.first" });
  return json({ user });
});
