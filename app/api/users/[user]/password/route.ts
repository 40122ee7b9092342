import { setPasswordBody } from "@/lib/api/team";
import { handle, noContent } from "@/server/http";

/** A reset: the person has to be told the new password, and every sign-in of theirs ends. */
export const POST = handle(
  { right: "admin", params: ["user"], body: setPasswordBody },
  async ({ person, params, body, runtime }) => {
    await runtime.users.setPassword(params.user, body.password, { initial: true });
    runtime.streams.close((stream) => stream.person.id === params.user);
    await runtime.audit.write({ by: person.id, action: "password.reset", user: params.user });
    return noContent();
  },
);
