"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Button } from "@/components/ui/button";
import { useErrorText, useT } from "@/components/ui/language";
import { Section } from "@/components/ui/section";
import { toast } from "@/components/ui/toast";
import { queries } from "@/lib/api/queries";
import { routes } from "@/lib/api/routes";
import { useChange } from "./use-change";

/** Projects in which an admin is not: only their ids, and the way in. */
export function OtherProjects({ userId }: { userId: string }) {
  const t = useT();
  const words = useErrorText();
  const client = useQueryClient();
  const { data } = useQuery(queries.projects());
  const { busy, failure, change } = useChange();
  const others = data?.others ?? [];
  if (others.length === 0) return null;
  const join = async (project: string) => {
    const result = await change("POST", routes.members(project), { user: userId, role: "owner" });
    if (!result.ok) return;
    toast.success(t("others.joined", { project }));
    void client.invalidateQueries({ queryKey: queries.projects().queryKey });
    void client.invalidateQueries({ queryKey: queries.me().queryKey });
  };
  return (
    <Section title={t("others.title")} lead={t("others.lead")}>
      <ul className="divide-y">
        {others.map((project) => (
          <li key={project} className="flex items-center gap-3 px-4 py-2">
            <code className="min-w-0 flex-1 truncate font-mono text-sm">{project}</code>
            <Button
              size="sm"
              disabled={busy}
              aria-label={t("others.join_one", { project })}
              onClick={() => void join(project)}
            >
              {t("others.join")}
            </Button>
          </li>
        ))}
      </ul>
      {failure && (
        <p role="alert" className="px-4 py-2 text-xs text-danger">
          {words(failure)}
        </p>
      )}
    </Section>
  );
}
