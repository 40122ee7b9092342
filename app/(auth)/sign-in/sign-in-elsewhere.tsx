"use client";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import { type SignInProblem, signInElsewhere } from "@/lib/api/sign-in";

interface SignInElsewhereProps {
  /** Of the provider. */
  name: string;
  /** Where to come back to. */
  to: string;
  onProblem: (problem: SignInProblem | null) => void;
}

/** The way to the OpenID provider, above the fields for a password. */
export function SignInElsewhere({ name, to, onProblem }: SignInElsewhereProps) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  // Back from the provider with the browser's button: the page may be shown as it was left.
  useEffect(() => {
    const shown = ({ persisted }: PageTransitionEvent) => persisted && setBusy(false);
    addEventListener("pageshow", shown);
    return () => removeEventListener("pageshow", shown);
  }, []);
  const go = async () => {
    setBusy(true);
    onProblem(null);
    const begun = await signInElsewhere(to);
    // It stays busy until the page is gone.
    if ("url" in begun) return location.assign(begun.url);
    setBusy(false);
    onProblem(begun.problem);
  };
  return (
    <>
      <Button variant="primary" size="lg" busy={busy} className="w-full" autoFocus onClick={() => void go()}>
        <span className="truncate">{t("signin.with", { name })}</span>
      </Button>
      <div className="my-4 flex items-center gap-3 text-xs text-dim">
        <span className="h-px flex-1 bg-line" />
        {t("signin.or")}
        <span className="h-px flex-1 bg-line" />
      </div>
    </>
  );
}
