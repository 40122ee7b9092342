"use client";
import { Download } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Highlighted } from "@/components/ui/highlighted";
import { useT } from "@/components/ui/language";
import { Markdown } from "@/components/ui/markdown";
import { ScrollPre } from "@/components/ui/scroll-pre";
import { Spinner } from "@/components/ui/spinner";
import { ErrorState } from "@/components/ui/states";
import { Switch } from "@/components/ui/switch";
import { byteSize } from "@/lib/format";
import { useConversation } from "../conversation-context";
import { languageOf } from "../tool-arguments";
import { fileKind, nameOf } from "./file-kind";
import { fileAddress, useText } from "./use-files";

/** What is in a file. A page of the Workspace runs in an origin of its own: it can reach neither the app nor a network. */
export function FilePreview({ path, onBack }: { path: string; onBack: ReactNode }) {
  const t = useT();
  const { sessionRef } = useConversation();
  return (
    <section aria-label={nameOf(path)} className="flex min-h-0 flex-1 flex-col">
      <div className="flex h-10 shrink-0 items-center gap-1 border-b px-2">
        {onBack}
        <span className="min-w-0 flex-1 truncate font-mono text-xs" title={path}>
          {path}
        </span>
        <CopyButton text={path} label={t("files.copy_path")} />
        <Button asChild size="sm" variant="ghost">
          <a href={fileAddress(sessionRef, path, "download")} download={nameOf(path)}>
            <Download aria-hidden="true" />
            {t("files.download")}
          </a>
        </Button>
      </div>
      <Content key={path} path={path} />
    </section>
  );
}

function Content({ path }: { path: string }) {
  const t = useT();
  const { sessionRef } = useConversation();
  const kind = fileKind(path);
  const [failed, setFailed] = useState(false);
  if (kind === "image") {
    return failed ? (
      <Failed />
    ) : (
      <div className="min-h-0 flex-1 overflow-auto bg-sunken p-4">
        {/* biome-ignore lint/performance/noImgElement: a private file, nothing to optimise */}
        <img
          src={fileAddress(sessionRef, path, "inline")}
          alt={nameOf(path)}
          onError={() => setFailed(true)}
          className="mx-auto max-w-full rounded-md border bg-surface"
        />
      </div>
    );
  }
  if (kind === "pdf") {
    return (
      <iframe
        title={t("files.preview_of", { name: nameOf(path) })}
        src={fileAddress(sessionRef, path, "inline")}
        className="min-h-0 w-full flex-1 border-0 bg-sunken"
      />
    );
  }
  if (kind === "page") return <Page path={path} />;
  return <Text path={path} markdown={kind === "markdown"} />;
}

function Page({ path }: { path: string }) {
  const t = useT();
  const { sessionRef } = useConversation();
  const [scripts, setScripts] = useState(false);
  const as = scripts ? "page_with_scripts" : "page";
  return (
    <>
      <div className="flex shrink-0 items-center gap-2 border-b px-3 py-1.5 text-xs text-dim">
        <Switch aria-label={t("files.scripts")} checked={scripts} onCheckedChange={setScripts} />
        <span>{t("files.isolated")}</span>
      </div>
      <iframe
        key={as}
        title={t("files.preview_of", { name: nameOf(path) })}
        src={fileAddress(sessionRef, path, as)}
        sandbox={scripts ? "allow-scripts" : ""}
        referrerPolicy="no-referrer"
        className="min-h-0 w-full flex-1 border-0 bg-white"
      />
    </>
  );
}

function Text({ path, markdown }: { path: string; markdown: boolean }) {
  const t = useT();
  const { data, error, refetch } = useText(path, true);
  const [source, setSource] = useState(!markdown);
  if (error) return <Failed message={error.message} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <div className="flex justify-center p-6 animate-late">
        <Spinner />
      </div>
    );
  }
  const { text, bytes } = data;
  if (text.includes("\0"))
    return <p className="p-4 text-sm text-dim">{t("files.binary", { size: byteSize(bytes) })}</p>;
  const cut = bytes > new TextEncoder().encode(text).length;
  return (
    <>
      {(cut || markdown) && (
        <div className="flex shrink-0 items-center gap-2 border-b px-3 py-1.5 text-xs text-dim">
          {markdown && (
            <Button size="sm" variant="ghost" aria-pressed={source} onClick={() => setSource(!source)}>
              {t("files.source")}
            </Button>
          )}
          {cut && <span>{t("files.cut", { size: byteSize(bytes) })}</span>}
        </div>
      )}
      {source ? (
        <ScrollPre label={nameOf(path)} className="min-h-0 flex-1 [&>pre]:whitespace-pre">
          <Highlighted code={text} language={languageOf(path)} />
        </ScrollPre>
      ) : (
        <div className="min-h-0 flex-1 overflow-y-auto px-4 py-3">
          <Markdown>{text}</Markdown>
        </div>
      )}
    </>
  );
}

function Failed({ message, onRetry }: { message?: string; onRetry?: () => void }) {
  const t = useT();
  return (
    <ErrorState title={t("files.not_loaded")} onRetry={onRetry}>
      {message}
    </ErrorState>
  );
}
