/**
 * The people of an OpenID provider: found by issuer and `sub`, which stand in their file, and by nothing else. A name or
 * an address that a person here has already leads nobody into that account.
 */
import { isAppError } from "../../lib/api/errors";
import type { User, Users } from "./users";

export type Identity = { issuer: string; sub: string };
/** So many people with one readable name are enough. */
const MOST_ALIKE = 10_000;

export class Federated {
  /** One at a time: the first sign-in of a person in two windows makes one person. */
  #before: Promise<unknown> = Promise.resolve();

  constructor(private readonly users: Users) {}

  /** null: disabled or deleted here. `wanted`: for the first sign-in. */
  person(identity: Identity, wanted: { id: string; name: string }): Promise<{ user: User; made: boolean } | null> {
    const mine = this.#before.then(() => this.#person(identity, wanted));
    this.#before = mine.catch(() => {});
    return mine;
  }

  async #person({ issuer, sub }: Identity, wanted: { id: string; name: string }) {
    for (const id of await this.users.store.ids()) {
      const file = await this.users.store.load(id).catch(() => null);
      if (file?.oidc?.issuer !== issuer || file.oidc.sub !== sub) continue;
      const user = await this.users.get(id);
      return user && !user.disabled ? { user, made: false } : null;
    }
    for (let n = 1; n < MOST_ALIKE; n++) {
      const id = n === 1 ? wanted.id : `${wanted.id}_${n}`;
      const user = await this.#create(id, wanted.name, { issuer, sub });
      if (user) return { user, made: true };
    }
    throw new Error("no user id is free");
  }

  /** null: the id is taken, or was once. */
  async #create(id: string, name: string, oidc: Identity): Promise<User | null> {
    try {
      return await this.users.create({ id, name: name || id, initial: false, oidc });
    } catch (error) {
      if (isAppError(error) && error.code === "exists") return null;
      throw error;
    }
  }

  /** An admin by a group, or no longer. One who was made by hand stays. Resolves with what is new; the last one stays. */
  setAdminByGroup(id: string, wanted: boolean): Promise<boolean | null> {
    return this.users.alone(() => this.#setAdminByGroup(id, wanted));
  }

  async #setAdminByGroup(id: string, wanted: boolean): Promise<boolean | null> {
    const file = await this.users.store.load(id);
    if (!file || (wanted ? file.admin : !file.admin_by_group)) return null;
    const admins = await this.users.admins();
    if (!wanted && admins.length === 1 && admins[0] === id) return null;
    await this.users.store.change(id, (now) => ({ ...now, admin: wanted, admin_by_group: wanted || undefined }));
    return wanted;
  }
}
