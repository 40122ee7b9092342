/** What an adapter needs to know about one model. */
import type { ClientType } from "../../lib/model/protocol";

export type { ClientType } from "../../lib/model/protocol";

export interface ModelConfig {
  provider: string;
  model_id: string;
  client_type: ClientType;
  /** As a person typed it; `base-url.ts` makes the address of it. Absent: the vendor's own. */
  base_url?: string;
  api_key?: string;
  /** Upper bound of output tokens of this model; absent or <= 0: none. */
  max_tokens?: number;
  /** Absent: true. */
  vision?: boolean;
}
