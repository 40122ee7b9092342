import { z } from "zod";
import { AppError } from "@/lib/api/errors";
import { handlePublic, json } from "@/server/http";
import { MIN_PASSWORD } from "@/server/users/users";

const body = z.strictObject({ token: z.string().max(200), password: z.string().max(1_024) });

/** The one-time link: sets the first password of its user. The page then signs in with it. */
export const POST = handlePublic(
  { body },
  async ({ body: { token, password }, runtime: { link, throttle, users, audit } }) => {
    // A password that is refused must not use the link up.
    if ([...password].length < MIN_PASSWORD) throw new AppError("invalid_password");
    const user = await throttle.attempt("sign-in link", async () => link.redeem(token));
    if (!user) throw new AppError("link_expired");
    await users.setPassword(user, password, { initial: false });
    await audit.write({ by: user, action: "password.first" });
    return json({ user });
  },
);
