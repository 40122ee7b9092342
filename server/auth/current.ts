/** For pages: who is looking? */
import { cookies } from "next/headers";
import { runtime } from "../runtime";
import { type Person, personOfToken, SESSION_COOKIE } from "./person";

/** The signed-in person in a server component; null when nobody is. Membership is checked by the routes. */
export async function currentPerson(): Promise<Person | null> {
  const token = (await cookies()).get(SESSION_COOKIE)?.value;
  const made = await runtime();
  return personOfToken(made.users, made.secret, token);
}
