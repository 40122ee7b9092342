/** What is being streamed in a block, told again. */
import type { PartialMessage } from "../omni/message";
import type { TaskBlock } from "./transcript-items";

/** Synthetic `start` fragments with all text so far: what rebuilds the streamed part of a block. */
export function openFragments(block: TaskBlock | undefined): PartialMessage[] {
  if (!block) return [];
  const event_type = "start" as const;
  const envelope = (timestamp: string) => ({ timestamp, type: "model_msg" as const });
  const whole = (text: unknown) => (typeof text === "string" ? text : "");
  const open = block.open.map((item): PartialMessage => {
    const role = "assistant" as const;
    if (item.kind === "text") {
      return { ...envelope(item.at), payload: { type: "partial_text", role, text: whole(item.text), event_type } };
    }
    if (item.kind === "thinking") {
      return {
        ...envelope(item.at),
        payload: { type: "partial_thinking", role, thinking: whole(item.text), event_type },
      };
    }
    const { name, call_id: tool_call_id } = item;
    const payload = {
      type: "partial_tool_call" as const,
      role,
      name,
      arguments: whole(item.arguments),
      tool_call_id,
      event_type,
    };
    return { ...envelope(item.at), payload };
  });
  const running = block.items.flatMap((item): PartialMessage[] => {
    if (item.kind === "compaction" && item.state === "running") {
      const payload = {
        type: "partial_text" as const,
        role: "assistant" as const,
        text: whole(item.answer),
        event_type,
      };
      return [{ ...envelope(item.at), payload }];
    }
    if (item.kind !== "tool" || item.live === undefined) return [];
    const payload = { type: "partial_tool_call_output" as const, role: "user" as const, output: item.live, event_type };
    return [
      {
        ...envelope(item.at),
        payload: { ...payload, tool_call_id: item.call_id, images: [...(item.live_images ?? [])] },
      },
    ];
  });
  return [...open, ...running];
}
