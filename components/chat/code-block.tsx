"use client";
import { memo } from "react";
import { useIsCodeFenceIncomplete } from "streamdown";
import { CopyButton } from "@/components/ui/copy-button";
import { useT } from "@/components/ui/language";
import { Highlighted } from "./highlighted";

interface CodeBlockProps {
  code: string;
  language?: string;
}

/** A fence of an answer: exactly its text, coloured once it is complete, with copy. */
export const CodeBlock = memo(function CodeBlock({ code, language }: CodeBlockProps) {
  const t = useT();
  const incomplete = useIsCodeFenceIncomplete();
  const text = code.replace(/\n$/, "");
  return (
    <figure className="group/code overflow-hidden rounded-lg border bg-sunken">
      <figcaption className="flex h-8 items-center justify-between border-b pr-0.5 pl-3 text-xs text-faint">
        <span>{language ?? t("chat.code")}</span>
        <CopyButton text={text} label={t("chat.copy_code")} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <pre tabIndex={0} className="max-h-[32rem] overflow-auto px-3 py-2.5 font-mono text-xs leading-5 -outline-offset-2">
        <Highlighted code={text} language={incomplete ? undefined : language} />
      </pre>
    </figure>
  );
});
