"use client";
import dynamic from "next/dynamic";
import { behind } from "@/components/ui/behind";
import { useT } from "@/components/ui/language";
import { Spinner } from "@/components/ui/spinner";
import type { Transcript } from "@/lib/trace/transcript-items";
import { usePanel } from "./panel-context";
import { SidePanel } from "./side-panel";

const loading = () => (
  <div className="flex justify-center p-6 animate-late">
    <Spinner />
  </div>
);
// Loaded when one is opened: the first view of a conversation needs neither.
const FilesPanel = dynamic(
  behind(() => import("../files/files-panel").then((module) => module.default)),
  { ssr: false, loading },
);
const AgentsPanel = dynamic(
  behind(() => import("../agents/agents-panel").then((module) => module.default)),
  { ssr: false, loading },
);

/** What is open beside the conversation. */
export function Panels({ transcript }: { transcript: Transcript }) {
  const t = useT();
  const { panel, show } = usePanel();
  if (!panel) return null;
  return (
    <SidePanel title={t(panel.kind === "files" ? "files.title" : "agents.title")} onClose={() => show(null)}>
      {panel.kind === "files" ? (
        <FilesPanel path={panel.path} onOpen={(path) => show({ kind: "files", path })} />
      ) : (
        <AgentsPanel transcript={transcript} child={panel.child} onOpen={(child) => show({ kind: "agents", child })} />
      )}
    </SidePanel>
  );
}
