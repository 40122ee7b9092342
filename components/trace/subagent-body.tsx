"use client";
import { ArrowRight } from "lucide-react";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { places } from "@/lib/api/places";
import type { TraceRef } from "@/lib/api/routes";
import { type Fields, textField } from "@/lib/trace/fields";
import { isSessionId } from "@/lib/trace/name";
import { KeyList } from "./key-list";

/** The pointer to a child, and the way to its Trace. */
export function SubagentBody({ fields, trace }: { fields: Fields; trace: TraceRef }) {
  const t = useT();
  const session = textField(fields, "session_id");
  const agent = textField(fields, "agent") || trace.agent;
  return (
    <>
      <KeyList fields={fields} />
      {isSessionId(session) && (
        <Button asChild size="sm" className="self-start">
          <Link href={places.trace({ project: trace.project, agent, session, index: 1 })}>
            <ArrowRight aria-hidden="true" />
            {t("trace.open_child")}
          </Link>
        </Button>
      )}
    </>
  );
}
