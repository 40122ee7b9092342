"use client";
import { useEffect, useRef } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { useT } from "@/components/ui/language";
import { ScrollPre } from "@/components/ui/scroll-pre";
import type { ToolItem } from "@/lib/trace/transcript-items";
import { DataImage } from "../data-image";
import { LongText } from "../long-text";

/** Output so far, or the complete bounded one: the same text that the model and the Trace have. */
export function ToolResult({ item, lost }: { item: ToolItem; lost: boolean }) {
  const t = useT();
  const { output, live } = item;
  if (output) {
    return (
      <div className="border-t bg-sunken">
        <LongText text={output.text} address={output.address} field="output">
          {(text) => <Output text={text} />}
        </LongText>
        {output.images.length > 0 && (
          <div className="flex flex-wrap gap-2 px-3 pb-3">
            {output.images.map((image, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: images of a record never move
              <DataImage key={i} image={image} address={output.address} field="images" index={i} />
            ))}
          </div>
        )}
      </div>
    );
  }
  if (lost) return <p className="border-t px-3 py-1.5 text-xs text-faint">{t("chat.no_result")}</p>;
  if (!live) return null;
  return (
    <div className="border-t bg-sunken">
      <LiveOutput text={tail(live)} />
    </div>
  );
}

function Output({ text }: { text: string }) {
  const t = useT();
  if (text === "[no output]") return <p className="px-3 py-1.5 text-xs text-faint">{t("chat.no_output")}</p>;
  return (
    <div className="relative">
      <ScrollPre label={t("chat.output")} className="max-h-80 pr-10 text-dim">
        {withoutColours(text)}
      </ScrollPre>
      <CopyButton text={text} label={t("chat.copy_output")} className="absolute top-0.5 right-0.5 bg-sunken" />
    </div>
  );
}

/** While it runs, only the end is drawn: all of it is in the result. Characters. */
const LIVE_CHARS = 16_000;

function tail(text: string): string {
  if (text.length <= LIVE_CHARS) return text;
  const from = text.indexOf("\n", text.length - LIVE_CHARS) + 1;
  return `…\n${text.slice(from > 0 ? from : -LIVE_CHARS)}`;
}

/** How a command ended, as its last line tells: "exit 1", "SIGTERM". */
export function exitOf({ name, output }: ToolItem): string | null {
  if (typeof output?.text !== "string" || !/_command$/.test(name)) return null;
  const [, code, signal] =
    /\[(?:exit code: (-?\d+)|terminated by signal (\w+))\]\s*$/.exec(output.text.slice(-200)) ?? [];
  return code ?? signal ?? null;
}

/** Follows its own end, like a terminal. */
function LiveOutput({ text }: { text: string }) {
  const t = useT();
  const box = useRef<HTMLElement>(null);
  const following = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new text moves the end
  useEffect(() => {
    const view = box.current;
    if (view && following.current) view.scrollTop = view.scrollHeight;
  }, [text]);
  const onScroll = () => {
    const view = box.current;
    if (view) following.current = view.scrollHeight - view.scrollTop - view.clientHeight < 24;
  };
  return (
    <ScrollPre ref={box} onScroll={onScroll} label={t("chat.output_live")} className="max-h-52 text-dim">
      {withoutColours(text)}
    </ScrollPre>
  );
}

/** Escape sequences of terminals mean nothing on a page. */
function withoutColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they are
  return text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "");
}
