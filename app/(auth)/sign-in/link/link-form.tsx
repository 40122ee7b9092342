"use client";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { useLanguage, useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { ErrorState } from "@/components/ui/states";
import { type ApiFailure, send } from "@/lib/api/client";
import { routes } from "@/lib/api/routes";
import { signIn } from "@/lib/api/sign-in";
import { errorSentence } from "@/lib/i18n/known";
import { PasswordInput } from "../password-input";

/** Sets the first password. The token stands in the fragment, which a browser never sends in an address. */
export function LinkForm() {
  const t = useT();
  const [language] = useLanguage();
  const [token, setToken] = useState<string | null>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<{ field?: "password" | "repeat"; text: string } | null>(null);
  const [dead, setDead] = useState(false);

  useEffect(() => {
    const given = location.hash.slice(1).replace(/^token=/, "");
    // The token leaves the address bar and the history as soon as it was read: a second look finds none.
    setToken((read) => read ?? (given || null));
    if (given) history.replaceState(history.state, "", location.pathname);
  }, []);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const password = String(fields.get("password") ?? "");
    if (password.length < 8) return setProblem({ field: "password", text: t("link.short") });
    if (password !== fields.get("repeat")) return setProblem({ field: "repeat", text: t("link.differ") });
    setProblem(null);
    setBusy(true);
    const result = await send<{ user: string }>("POST", routes.signInLink(), { token, password });
    // The link set the password; the ordinary sign-in makes the session.
    if (result.ok) return location.assign((await signIn(result.data.user, password)) ? "/sign-in" : "/");
    setBusy(false);
    if (result.error.code === "link_expired") setDead(true);
    else setProblem(problemOf(result.error, errorSentence(language, result.error.code, result.error.message)));
  };

  if (token === undefined) return null;
  if (token === null || dead) return <DeadLink kind={dead ? "expired" : "missing"} />;
  return (
    <>
      <h1 className="text-xl font-semibold tracking-tight">{t("link.title")}</h1>
      <p className="mt-1 mb-5 text-dim">{t("link.lead")}</p>
      <form
        onSubmit={submit}
        className="flex flex-col gap-4 rounded-lg border bg-surface p-5 shadow-control"
        noValidate
      >
        {/* Password managers want a name to file the password under. */}
        <input
          type="text"
          name="user"
          value={token.includes(".") ? token.split(".")[0] : "admin"}
          autoComplete="username"
          readOnly
          hidden
        />
        <Field
          label={t("link.password")}
          hint={t("link.hint")}
          error={problem?.field === "password" ? problem.text : undefined}
        >
          {(control) => <PasswordInput {...control} name="password" autoComplete="new-password" autoFocus required />}
        </Field>
        <Field label={t("link.repeat")} error={problem?.field === "repeat" ? problem.text : undefined}>
          {(control) => <PasswordInput {...control} name="repeat" autoComplete="new-password" required />}
        </Field>
        <div role="alert" className="empty:-mt-4">
          {problem && !problem.field && <Banner tone="danger">{problem.text}</Banner>}
        </div>
        <Button type="submit" variant="primary" size="lg" busy={busy} className="w-full">
          {t("link.submit")}
        </Button>
      </form>
    </>
  );
}

function problemOf(failure: ApiFailure, text: string): { field?: "password"; text: string } {
  return failure.code === "invalid_password" ? { field: "password", text } : { text };
}

function DeadLink({ kind }: { kind: "expired" | "missing" }): ReactNode {
  const t = useT();
  return (
    <>
      <h1 className="mb-4 text-xl font-semibold tracking-tight">{t("link.title")}</h1>
      <ErrorState
        title={t(`link.${kind}_title`)}
        action={
          <Button asChild size="sm">
            <Link href="/sign-in">{t("link.to_sign_in")}</Link>
          </Button>
        }
      >
        {t(`link.${kind}`)}
      </ErrorState>
    </>
  );
}
