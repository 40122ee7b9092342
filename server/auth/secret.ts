/** The secret that signs sessions: from the environment, else made at first start and kept in the data root. */
import { randomBytes } from "node:crypto";
import { chmod } from "node:fs/promises";
import { createFile, readText } from "../files";

/** Reads or makes the secret. Two servers starting at once agree on one. */
export async function authSecret(path: string, given: string | undefined): Promise<string> {
  if (given) return given;
  await createFile(path, `${randomBytes(32).toString("base64url")}\n`, 0o600);
  await chmod(path, 0o600);
  const secret = (await readText(path, 4_096))?.trim();
  if (!secret || secret.length < 16) throw new Error(`${path} holds no usable secret; delete it to get a new one.`);
  return secret;
}
