/** Sign-in through an OpenID provider: who it is here, what their groups give, a sign-in like any other. */
import type { SsoProblem } from "../../../lib/api/team-values";
import type { OidcConfig } from "../../config";
import type { Users } from "../../users/users";
import type { Throttle } from "../throttle";
import { readClaims } from "./claims";
import { Discovery } from "./discovery";
import { applyGrants, type GrantParts, granted } from "./grants";
import { type OidcSettings, oidcSettings } from "./settings";

export interface SsoParts extends GrantParts {
  users: Users;
  throttle: Throttle;
}
export type SsoSignIn =
  | { ok: true; user: { id: string; name: string; admin: boolean }; sid: string }
  | { ok: false; problem: SsoProblem };

export class SingleSignOn {
  readonly settings: OidcSettings;
  readonly discovery: Discovery;

  /** Throws an Error for whoever starts the server when the settings make no sense. */
  constructor(
    config: OidcConfig,
    private readonly parts: SsoParts,
  ) {
    this.settings = oidcSettings(config);
    this.discovery = new Discovery(this.settings.issuer);
  }

  /** `claims`: of an ID token that was verified. Throws `too_many_attempts`. */
  async signIn(claims: unknown, device: string | undefined): Promise<SsoSignIn> {
    const { issuer, groupsClaim, grants, lifetime } = this.settings;
    const { users, people, throttle, audit } = this.parts;
    const claimed = readClaims(claims, groupsClaim);
    if (!claimed) return { ok: false, problem: "oidc_invalid" };
    const { sub, id, name, groups } = claimed;
    const found = await throttle.attempt(`oidc ${sub}`, () => people.person({ issuer, sub }, { id, name }));
    if (!found) return { ok: false, problem: "oidc_disabled" };
    const { user, made } = found;
    if (made) await audit({ action: "user.create", user: user.id, single_sign_on: true });
    await applyGrants(this.parts, user.id, granted(grants, groups));
    const sid = await users.addSignIn(user.id, device, lifetime);
    const now = await users.get(user.id);
    return now ? { ok: true, user: now, sid } : { ok: false, problem: "oidc_disabled" };
  }
}
