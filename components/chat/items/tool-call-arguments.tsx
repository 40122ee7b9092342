"use client";
import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import { behind } from "@/components/ui/behind";
import { cn } from "@/components/ui/cn";
import { CopyButton } from "@/components/ui/copy-button";
import { Highlighted } from "@/components/ui/highlighted";
import { type T, useT } from "@/components/ui/language";
import { ScrollPre } from "@/components/ui/scroll-pre";
import type { ToolItem } from "@/lib/trace/transcript-items";
import { LongText } from "../long-text";
import { seen } from "../seen";
import { type Arguments, languageOf, readArguments, text } from "../tool-arguments";

/** Loaded with the first edit that is shown. */
const DiffView = dynamic(
  behind(() => import("./diff-view").then((module) => module.default)),
  {
    ssr: false,
    loading: () => <p className="px-3 py-2 text-xs text-faint">…</p>,
  },
);

/** What the call does, on one line: its description, and the thing it works on. */
export function toolTitle(t: T, name: string, args: Arguments | null): ReactNode {
  const description = text(args, "description") ?? toolWords(t, name);
  const thing =
    text(args, "cmd") ??
    text(args, "file_path") ??
    text(args, "source") ??
    text(args, "process_id") ??
    text(args, "subagent_id") ??
    text(args, "prompt");
  const first = thing?.split("\n")[0];
  return (
    <>
      <span className="text-ink">{seen(description)}</span>
      {first && <code className="ml-2 font-mono text-xs text-faint">{seen(first)}</code>}
    </>
  );
}

const VERBS = {
  read_file: "chat.tool_read_file",
  write_file: "chat.tool_write_file",
  edit_file: "chat.tool_edit_file",
  exec_command: "chat.tool_exec_command",
  read_image: "chat.tool_read_image",
  run_subagent: "chat.tool_run_subagent",
  input_subagent: "chat.tool_input_subagent",
  kill_subagent: "chat.tool_kill_subagent",
} as const;

/** What a known tool does; the name of any other. */
export function toolWords(t: T, name: string): string {
  const known = Object.entries(VERBS).find(([tool]) => tool === name);
  return known ? t(known[1]) : name;
}

/** Complete and wrapped: what a person allows must be what they see. */
export function ToolCallArguments({ item, args }: { item: ToolItem; args: Arguments | null }) {
  return (
    <LongText text={item.arguments} address={item.address} field="arguments">
      {(whole) => (
        <Body
          name={item.name}
          raw={whole}
          args={whole === item.arguments ? args : readArguments(whole, true)}
          streaming={item.streaming}
        />
      )}
    </LongText>
  );
}

interface BodyProps {
  name: string;
  raw: string;
  args: Arguments | null;
  streaming: boolean;
}

function Body(props: BodyProps) {
  const t = useT();
  const texts = props.args ? Object.values(props.args).map(plainText) : [props.raw];
  const hides = !props.streaming && texts.some((text) => seen(text) !== text);
  return (
    <>
      {hides && <p className="px-3 pt-2 text-xs text-attention">{t("chat.unseen")}</p>}
      <Drawn {...props} />
    </>
  );
}

const plainText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

function Drawn({ name, raw, args, streaming }: BodyProps) {
  const t = useT();
  if (!args) {
    return (
      <>
        {!streaming && <p className="px-3 pt-2 text-xs text-attention">{t("chat.bad_arguments")}</p>}
        <ScrollPre label={t("chat.arguments")} className="max-h-80">
          {seen(raw)}
        </ScrollPre>
      </>
    );
  }
  const cmd = text(args, "cmd");
  const path = text(args, "file_path");
  if (name === "exec_command" && cmd !== undefined) {
    return (
      <Shown copy={cmd} rest={omit(args, "cmd", "description")} streaming={streaming}>
        <ScrollPre label={t("chat.arguments")} className={cn("max-h-80", !streaming && "pr-10")}>
          <span className="select-none text-faint">$ </span>
          <Highlighted code={seen(cmd)} language={streaming ? undefined : "bash"} />
        </ScrollPre>
      </Shown>
    );
  }
  if (name === "edit_file" && path !== undefined) {
    const [before, after] = [seen(text(args, "old_string") ?? ""), seen(text(args, "new_string") ?? "")];
    return (
      <Shown title={path} rest={omit(args, "file_path", "old_string", "new_string")} streaming={streaming}>
        {streaming ? (
          <ScrollPre label={t("chat.arguments")} className="max-h-80">
            {after || before}
          </ScrollPre>
        ) : (
          <DiffView before={before} after={after} />
        )}
      </Shown>
    );
  }
  if (name === "write_file" && path !== undefined) {
    const content = text(args, "content") ?? "";
    return (
      <Shown title={path} copy={content} rest={omit(args, "file_path", "content")} streaming={streaming}>
        <ScrollPre label={t("chat.arguments")} className="max-h-80">
          <Highlighted code={seen(content)} language={streaming ? undefined : languageOf(path)} />
        </ScrollPre>
      </Shown>
    );
  }
  return <Fields args={args} />;
}

interface ShownProps {
  title?: string;
  copy?: string;
  rest: Arguments;
  streaming: boolean;
  children: ReactNode;
}

function Shown({ title, copy, rest, streaming, children }: ShownProps) {
  const t = useT();
  const copyButton = copy && !streaming && (
    <CopyButton
      text={copy}
      label={t("chat.copy_code")}
      className={title ? "shrink-0" : "absolute top-0.5 right-0.5 bg-surface"}
    />
  );
  return (
    <div className="relative">
      {title && (
        <div className="flex min-h-8 items-center gap-2 border-b pr-0.5 pl-3">
          <p className="min-w-0 flex-1 py-1.5 font-mono text-xs text-dim">{seen(title)}</p>
          {copyButton}
        </div>
      )}
      {children}
      {!title && copyButton}
      {Object.keys(rest).length > 0 && <Fields args={rest} />}
    </div>
  );
}

/** Every argument by its name. */
function Fields({ args }: { args: Arguments }) {
  const entries = Object.entries(args);
  if (entries.length === 0) return null;
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 px-3 py-2 text-xs leading-5">
      {entries.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-faint">{seen(name)}</dt>
          <dd className="max-h-60 overflow-auto whitespace-pre-wrap font-mono">{seen(plainText(value))}</dd>
        </div>
      ))}
    </dl>
  );
}

function omit(args: Arguments, ...names: string[]): Arguments {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)));
}
