/** Descriptions of images by the Project's vision model, for models that do not see. */
import type { SessionRef } from "../../lib/api/routes";
import type { EventMessage } from "../../lib/omni/message";
import type { DescribeImage } from "../tools/tool";
import type { SessionHost } from "./open";
import { askAside, auxUsage } from "./side-call";
import { sideLlm } from "./spend";

const DESCRIBE_TOKENS = 2_048;
const DESCRIBE_MS = 60_000;
const DEFAULT_PROMPT =
  "Describe this image for somebody who cannot see it: what it shows, every text in it word for word, and where things are.";

/** `spent` records what a description cost. */
export function imageDescriber(
  host: SessionHost,
  ref: SessionRef,
  user: () => string | undefined,
  spent: (usage: EventMessage) => Promise<void>,
): DescribeImage {
  return async (image_url, prompt, signal) => {
    const chosen = await host.models.visionModel?.(ref.project);
    const model = chosen && (await host.models.resolve(ref.project, chosen.provider, chosen.model_id));
    if (!model) {
      return {
        ok: false,
        message: "No model that sees images is chosen for this Project. An owner can choose one on the Models page.",
      };
    }
    const content = [
      { type: "text" as const, role: "user" as const, text: prompt || DEFAULT_PROMPT },
      { type: "image_url" as const, role: "user" as const, image_url },
    ];
    const question = { content, max_tokens: DESCRIBE_TOKENS, timeout_ms: DESCRIBE_MS };
    const said = await askAside(sideLlm(host, ref, model, user), model, question, signal);
    if (said.usage) await spent(auxUsage("describe_image", model, said.usage, user()));
    return said.ok ? said : { ok: false, message: `The image could not be described: ${said.message}` };
  };
}
