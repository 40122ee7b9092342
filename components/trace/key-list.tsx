import { Code } from "@/components/ui/code";
import { type Fields, textField, textOf } from "@/lib/trace/fields";

/** Members as name and value; a long one below, objects as JSON. */
export function KeyList({ fields, long }: { fields: Fields; long?: string }) {
  const entries = Object.entries(fields).filter(([key]) => key !== "type" && key !== long);
  const text = long ? textField(fields, long) : "";
  return (
    <>
      <dl className="grid grid-cols-[minmax(7rem,auto)_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        {entries.map(([key, value]) => (
          <div key={key} className="contents">
            <dt className="font-mono text-xs leading-5 text-dim">{key}</dt>
            <dd className="min-w-0 whitespace-pre-wrap">{valueText(value)}</dd>
          </div>
        ))}
      </dl>
      {text !== "" && <Code>{text}</Code>}
    </>
  );
}

function valueText(value: unknown): string {
  return textOf(value)?.text ?? JSON.stringify(value, null, 2) ?? "";
}
