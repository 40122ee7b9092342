"use client";
import { memo } from "react";
import { CopyButton } from "./copy-button";
import { Highlighted } from "./highlighted";
import { useT } from "./language";
import { ScrollPre } from "./scroll-pre";

interface CodeBlockProps {
  code: string;
  language?: string;
  /** It still grows: no colours yet. */
  incomplete?: boolean;
}

/** A fence of an answer: exactly its text, coloured once it is complete, with copy. */
export const CodeBlock = memo(function CodeBlock({ code, language, incomplete = false }: CodeBlockProps) {
  const t = useT();
  const text = code.replace(/\n$/, "");
  return (
    <figure className="group/code overflow-hidden rounded-lg border bg-sunken">
      <figcaption className="flex h-8 items-center justify-between border-b pr-0.5 pl-3 text-xs text-faint">
        <span>{language ?? t("chat.code")}</span>
        <CopyButton text={text} label={t("chat.copy_code")} />
      </figcaption>
      <ScrollPre label={language ?? t("chat.code")} className="max-h-[32rem] [&>pre]:whitespace-pre">
        <Highlighted code={text} language={incomplete ? undefined : language} />
      </ScrollPre>
    </figure>
  );
});
