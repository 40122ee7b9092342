"use client";
import { Code } from "@/components/ui/code";
import { Markdown } from "@/components/ui/markdown";
import type { TraceRef } from "@/lib/api/routes";
import type { OmniMessage } from "@/lib/omni/message";
import { type Fields, fieldsOf, textField, textOf } from "@/lib/trace/fields";
import { KeyList } from "./key-list";
import { MetaBody } from "./meta-body";
import { SafeImage } from "./safe-image";
import { SubagentBody } from "./subagent-body";
import { ToolList } from "./tool-list";
import { UsageBody } from "./usage-body";

interface ReadableBodyProps {
  message: OmniMessage;
  trace: TraceRef;
  line: number;
}

/** What a record says, laid out by its kind. Everything is text: nothing in a Trace is ever run. */
export function ReadableBody({ message, trace, line }: ReadableBodyProps) {
  const fields = fieldsOf(message);
  if (message.type === "session_meta") return <MetaBody fields={fields} />;
  switch (textField(fields, "type")) {
    case "text":
      // A prompt is shown letter by letter: markers in it are part of the record.
      return fields.role === "assistant" ? (
        <ModelText>{textField(fields, "text")}</ModelText>
      ) : (
        <PlainText>{textField(fields, "text")}</PlainText>
      );
    case "thinking":
      return <ModelText>{textField(fields, "thinking")}</ModelText>;
    case "tool_call":
      return <Code title={textField(fields, "name")}>{layOut(textField(fields, "arguments"))}</Code>;
    case "tool_call_output":
      return <OutputBody fields={fields} line={line} />;
    case "image_url":
      return <SafeImage src={textOf(fields.image_url)} line={line} />;
    case "inline_data": {
      const data = textOf(fields.data);
      const src = data && { ...data, text: `data:${textField(fields, "mime_type")};base64,${data.text}` };
      return <SafeImage src={src} line={line} />;
    }
    case "token_usage":
    case "aux_usage":
      return <UsageBody fields={fields} />;
    case "subagent":
      return <SubagentBody fields={fields} trace={trace} />;
    case "tool_list_ready":
      return <ToolList tools={fields.tools} />;
    case "request_end":
    case "compaction_end":
      return <KeyList fields={fields} long="error_message" />;
    default:
      return <KeyList fields={fields} />;
  }
}

function OutputBody({ fields, line }: { fields: Fields; line: number }) {
  const images = Array.isArray(fields.images) ? fields.images : [];
  return (
    <>
      <Code>{textField(fields, "output")}</Code>
      {images.map((image, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pictures of one record never move
        <SafeImage key={i} src={textOf(image)} line={line} />
      ))}
    </>
  );
}

/** Above this many characters Markdown costs more than it helps. */
const MARKDOWN_MAX = 100_000;

function ModelText({ children }: { children: string }) {
  return children.length > MARKDOWN_MAX ? <Code>{children}</Code> : <Markdown>{children}</Markdown>;
}

function PlainText({ children }: { children: string }) {
  return <p className="max-w-[72ch] whitespace-pre-wrap text-base">{children}</p>;
}

/** Arguments are a JSON string that may be broken: laid out when they parse, else exactly as the model wrote them. */
function layOut(args: string): string {
  try {
    return JSON.stringify(JSON.parse(args), null, 2);
  } catch {
    return args;
  }
}
