"use client";
import { Banner } from "@/components/ui/banner";
import { useT } from "@/components/ui/language";
import type { ModelProblem } from "@/lib/api/schemas";

/** What the Project's config file says that cannot be used. Values are not repeated: they may be keys. */
export function ConfigProblems({ problems }: { problems: readonly ModelProblem[] }) {
  const t = useT();
  const words = ({ entry, model, fields: names }: ModelProblem) => {
    const fields = names.join(", ");
    if (entry === 0) return t("models.problem_list");
    if (!model) return t("models.problem_entry", { entry, fields });
    return t("models.problem_fields", { name: `${model.provider} / ${model.model_id}`, fields });
  };
  return (
    <Banner tone="attention">
      {t("models.problems")}
      <ul className="mt-1 list-disc pl-5">
        {problems.map((problem) => (
          <li key={problem.entry} className="break-words">
            {words(problem)}
          </li>
        ))}
      </ul>
    </Banner>
  );
}
