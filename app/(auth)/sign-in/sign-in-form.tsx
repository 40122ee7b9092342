"use client";
import { type FormEvent, useEffect, useState } from "react";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { type T, useT } from "@/components/ui/language";
import { localPath, type SignInProblem, signIn } from "@/lib/api/sign-in";
import { PasswordInput } from "./password-input";
import { SignInElsewhere } from "./sign-in-elsewhere";

interface SignInFormProps {
  /** Where to go afterwards. Not trusted: only a path on this site is followed. */
  to?: string;
  /** The sign-in ended while a page was open. */
  expired: boolean;
  /** Why the way that led here did not work. */
  problem: SignInProblem | null;
  /** Name of the OpenID provider, where there is one. */
  elsewhere?: string;
}

/** What went wrong, in words. */
function sentence(t: T, problem: SignInProblem, elsewhere: string): string {
  if (problem === "network") return t("network");
  const name = elsewhere || t("signin.submit");
  return t(`signin.${problem}`, { name });
}

export function SignInForm({ to, expired, problem, elsewhere }: SignInFormProps) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<SignInProblem | null>(problem);

  const [insecure, setInsecure] = useState(false);
  // Only the browser knows whether it trusts this address.
  useEffect(() => setInsecure(!window.isSecureContext), []);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    setBusy(true);
    setFailure(null);
    const failed = await signIn(String(fields.get("user") ?? ""), String(fields.get("password") ?? ""));
    // On success the button stays busy until the page is gone.
    if (!failed) return location.assign(localPath(to));
    setBusy(false);
    setFailure(failed);
  };

  return (
    <>
      <h1 className="text-xl font-semibold tracking-tight">{t("signin.title")}</h1>
      <p className="mt-1 mb-5 text-dim">{t("signin.lead")}</p>
      {expired && !failure && <Banner className="mb-4">{t("signin.expired")}</Banner>}
      <div role="alert" className="mb-4 empty:mb-0">
        {failure && <Banner tone="danger">{sentence(t, failure, elsewhere ?? "")}</Banner>}
      </div>
      {elsewhere && <SignInElsewhere name={elsewhere} to={localPath(to)} onProblem={setFailure} />}
      <form
        onSubmit={submit}
        className="flex flex-col gap-4 rounded-lg border bg-surface p-5 shadow-control"
        aria-busy={busy}
      >
        <Field label={t("signin.user")}>
          {(control) => (
            <Input
              {...control}
              name="user"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              required
              autoFocus={!elsewhere}
              maxLength={128}
            />
          )}
        </Field>
        <Field label={t("signin.password")}>
          {(control) => <PasswordInput {...control} name="password" autoComplete="current-password" required />}
        </Field>
        <Button type="submit" variant={elsewhere ? "secondary" : "primary"} size="lg" busy={busy} className="w-full">
          {t("signin.submit")}
        </Button>
      </form>
      <p className="mt-4 text-xs text-dim">{t("signin.first_time")}</p>
      {insecure && (
        <Banner tone="attention" className="mt-4">
          {t("signin.insecure")}
        </Banner>
      )}
    </>
  );
}
