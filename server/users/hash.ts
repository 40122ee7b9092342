/** Password hashes: argon2id. Unknown users cost the same as known ones. */
import { hash, verify } from "@node-rs/argon2";

export interface HashCost {
  /** KiB. */
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}
const DEFAULT_COST: HashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export class Hasher {
  private decoy: Promise<string> | undefined;
  constructor(private readonly cost: HashCost = DEFAULT_COST) {}

  hash(password: string): Promise<string> {
    return hash(password, this.cost);
  }

  /** Does the password fit? `stored` undefined does the same work against a decoy and answers false. */
  async fits(stored: string | undefined, password: string): Promise<boolean> {
    this.decoy ??= this.hash("decoy");
    const decoy = await this.decoy;
    const fits = await verify(stored ?? decoy, password).catch(() => false);
    return stored !== undefined && fits;
  }
}
