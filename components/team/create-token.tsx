"use client";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Failure } from "@/components/ui/failure";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useT } from "@/components/ui/language";
import { Select } from "@/components/ui/select";
import { routes } from "@/lib/api/routes";
import type { Me } from "@/lib/api/schemas";
import { TOKEN_SCOPES, type TokenScope } from "@/lib/api/team-values";
import { Check } from "./check";
import { useChange } from "./use-change";

const DAYS = ["7", "30", "90", "365", "never"] as const;
type Days = (typeof DAYS)[number];
const DAY_MS = 24 * 3600 * 1000;

interface CreateTokenProps {
  projects: Me["projects"];
  onMade: (token: string) => void;
  onClose: () => void;
}

/** What a new token is for, what it may do, where, and for how long. */
export function CreateToken({ projects, onMade, onClose }: CreateTokenProps) {
  const t = useT();
  const { busy, failure, change } = useChange();
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly TokenScope[]>(["read"]);
  /** null: all of them. */
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const [days, setDays] = useState<Days>("90");
  const toggled = <T,>(list: readonly T[], value: T) =>
    list.includes(value) ? list.filter((one) => one !== value) : [...list, value];
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const result = await change<{ token: string }>("POST", routes.tokens(), {
      name: name.trim(),
      scopes,
      ...(chosen ? { projects: chosen } : {}),
      ...(days === "never" ? {} : { expires: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
    });
    if (result.ok) onMade(result.data.token);
  };
  const ready = name.trim() !== "" && scopes.length > 0 && chosen?.length !== 0;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t("tokens.create")}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={t("tokens.name")}>
          {(control) => (
            <Input
              {...control}
              value={name}
              maxLength={80}
              autoFocus
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1.5 text-sm font-medium">{t("tokens.scopes")}</legend>
          {TOKEN_SCOPES.map((scope) => (
            <Check
              key={scope}
              label={t(`tokens.scope.${scope}`)}
              detail={t(`tokens.scope.${scope}.detail`)}
              checked={scopes.includes(scope)}
              onChange={() => setScopes(toggled(scopes, scope))}
            />
          ))}
        </fieldset>
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1.5 text-sm font-medium">{t("tokens.projects")}</legend>
          <Check
            label={t("tokens.projects_all")}
            checked={chosen === null}
            onChange={() => setChosen(chosen ? null : [])}
          />
          {chosen && (
            <div className="flex max-h-40 flex-col gap-2 overflow-y-auto pl-6">
              {projects.map((project) => (
                <Check
                  key={project.id}
                  label={project.name}
                  checked={chosen.includes(project.id)}
                  onChange={() => setChosen(toggled(chosen, project.id))}
                />
              ))}
            </div>
          )}
        </fieldset>
        <Field label={t("tokens.expires")}>
          {({ id }) => (
            <Select
              id={id}
              value={days}
              onChange={setDays}
              options={DAYS.map((value) => ({
                value,
                label: value === "never" ? t("tokens.never") : t("tokens.days", { count: Number(value) }),
              }))}
            />
          )}
        </Field>
        <Failure failure={failure} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" variant="primary" busy={busy} disabled={!ready}>
            {t("tokens.submit")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
