"use client";
import { Code } from "@/components/ui/code";
import { isObject, textField } from "@/lib/trace/fields";
import { Fold } from "./fold";

/** Tool definitions as the model got them. */
export function ToolList({ tools }: { tools: unknown }) {
  if (!Array.isArray(tools)) return null;
  return (
    <ul className="flex flex-col gap-1">
      {tools.filter(isObject).map((tool, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names in a file need not be unique, and the list never moves
        <li key={i}>
          <Fold title={<code className="font-mono text-xs">{textField(tool, "name")}</code>}>
            <p className="max-w-[72ch] whitespace-pre-wrap pb-2 text-sm text-dim">{textField(tool, "description")}</p>
            {isObject(tool.parameters) && <Code>{JSON.stringify(tool.parameters, null, 2)}</Code>}
          </Fold>
        </li>
      ))}
    </ul>
  );
}
