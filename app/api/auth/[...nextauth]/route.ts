import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { publicAddress } from "@/server/auth/forwarded";
import { authOptions } from "@/server/auth/options";
import { secureAnswer } from "@/server/auth/security-headers";
import { runtime } from "@/server/runtime";

/** Sign-in, sign-out and their CSRF token are next-auth's; it answers for itself. */
async function answer(request: NextRequest, context: { params: Promise<{ nextauth: string[] }> }): Promise<Response> {
  const made = await runtime();
  const address = publicAddress(request.headers, made.config);
  const options = authOptions({
    users: made.users,
    throttle: made.throttle,
    secret: made.secret,
    secure: address.proto === "https",
    signedIn: async (user, device) => {
      const entry = { by: user.id, action: "sign_in", ...(device ? { device } : {}) };
      await made.audit.write(entry);
      const projects = await made.projects.of(user);
      await Promise.all(projects.map(({ id }) => made.audit.write(entry, id)));
    },
    signedOut: (user, sid) => made.streams.close(({ person }) => person.id === user && person.sid === sid),
  });
  const response: Response = await NextAuth(request, context, options);
  response.headers.set("cache-control", "private, no-store");
  secureAnswer(response, address);
  return response;
}

export { answer as GET, answer as POST };
