"use client";
import { CopyButton } from "@/components/ui/copy-button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

interface ShownOnceProps {
  label: string;
  copyLabel: string;
  text: string;
}

/** A secret that is shown only now: selected by a click, copied by a button. */
export function ShownOnce({ label, copyLabel, text }: ShownOnceProps) {
  return (
    <Field label={label}>
      {(control) => (
        <div className="relative">
          <Input
            {...control}
            value={text}
            readOnly
            autoFocus
            spellCheck={false}
            className="pr-10 font-mono text-sm"
            onFocus={(event) => event.target.select()}
          />
          <CopyButton text={text} label={copyLabel} className="absolute top-1 right-1" />
        </div>
      )}
    </Field>
  );
}
