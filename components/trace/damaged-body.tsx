"use client";
import { Code } from "@/components/ui/code";
import { useT } from "@/components/ui/language";
import type { TraceRef } from "@/lib/api/routes";
import { CopyLink } from "./copy-link";

interface DamagedBodyProps {
  trace: TraceRef;
  line: number;
  error: string;
  head: string;
}

/** A line that is not a record: where, why, and how it begins. */
export function DamagedBody({ trace, line, error, head }: DamagedBodyProps) {
  const t = useT();
  return (
    <div className="flex flex-col gap-3 px-4 pt-1 pb-4 md:pr-6 md:pl-27">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <p className="text-sm text-danger">{t("import.failed_line", { line, message: error })}</p>
          <p className="mt-0.5 text-sm text-dim">{t("trace.damaged_body")}</p>
        </div>
        <CopyLink trace={trace} line={line} />
      </div>
      {head !== "" && <Code title={t("trace.damaged_head")}>{head}</Code>}
    </div>
  );
}
