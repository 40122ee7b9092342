import {
  type Bot,
  Braces,
  Brain,
  CircleStop,
  Coins,
  FileCog,
  FileImage,
  FoldVertical,
  Hand,
  MessageSquareText,
  Network,
  PlayCircle,
  Settings2,
  TerminalSquare,
  UserRound,
  Wrench,
} from "lucide-react";
import { cn } from "@/components/ui/cn";
import type { RecordKind } from "@/lib/api/trace-summary";

/** Kinds differ by icon as well as by colour. */
const KINDS: Record<RecordKind, [icon: typeof Bot, colour: string]> = {
  meta: [FileCog, "text-dim"],
  prompt: [UserRound, "text-accent-ink"],
  answer: [MessageSquareText, "text-trace-answer"],
  thinking: [Brain, "text-trace-thinking"],
  call: [Wrench, "text-trace-args"],
  output: [TerminalSquare, "text-trace-running"],
  image: [FileImage, "text-dim"],
  request: [PlayCircle, "text-faint"],
  approval: [Hand, "text-trace-waiting"],
  usage: [Coins, "text-faint"],
  compaction: [FoldVertical, "text-attention"],
  abort: [CircleStop, "text-danger"],
  subagent: [Network, "text-info"],
  settings: [Settings2, "text-faint"],
  tools: [Wrench, "text-faint"],
  other: [Braces, "text-faint"],
};

export function KindIcon({ kind, className }: { kind: RecordKind; className?: string }) {
  const [Icon, colour] = KINDS[kind];
  return <Icon aria-hidden="true" className={cn("size-4 shrink-0", colour, className)} />;
}
