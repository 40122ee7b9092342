"use client";
import { Code } from "@/components/ui/code";
import { useT } from "@/components/ui/language";
import { type Fields, textField } from "@/lib/trace/fields";
import { Fold } from "./fold";
import { KeyList } from "./key-list";
import { ToolList } from "./tool-list";

/** The first record of a file: key list, system prompt and tool definitions folded. */
export function MetaBody({ fields }: { fields: Fields }) {
  const t = useT();
  const { system_prompt: _, tools, ...rest } = fields;
  const prompt = textField(fields, "system_prompt");
  return (
    <>
      <KeyList fields={rest} />
      {prompt !== "" && (
        <Fold title={t("trace.system_prompt")}>
          <Code>{prompt}</Code>
        </Fold>
      )}
      {Array.isArray(tools) && tools.length > 0 && (
        <Fold title={t("trace.tools", { count: tools.length })}>
          <ToolList tools={tools} />
        </Fold>
      )}
    </>
  );
}
