"use client";
import { useEffect, useRef } from "react";
import { Banner } from "@/components/ui/banner";
import { useLanguage, useT } from "@/components/ui/language";
import type { ApiFailure, Result } from "@/lib/api/client";
import type { ModelTestResult } from "@/lib/api/schemas";
import { duration } from "@/lib/format";
import { errorSentence } from "@/lib/i18n/known";

/** Why the server refused something. */
export function FailureBanner({ failure, className }: { failure: ApiFailure; className?: string }) {
  const t = useT();
  const [language] = useLanguage();
  const { code, message } = failure;
  return (
    <Banner tone="danger" className={className}>
      {code === "network" ? t("network") : errorSentence(language, code, message)}
    </Banner>
  );
}

/** What a probe of a model found: figures, or the provider's own words. */
export function TestResult({ outcome, className }: { outcome: Result<ModelTestResult>; className?: string }) {
  const t = useT();
  if (!outcome.ok) return <FailureBanner failure={outcome.error} className={className} />;
  const { ok, ttft_ms, tokens_per_s, latency_ms, message } = outcome.data;
  if (!ok) {
    return (
      <Banner tone="danger" className={className}>
        {t("models.test_failed")} {message}
      </Banner>
    );
  }
  const figures = [
    ttft_ms !== undefined && t("models.ttft", { time: duration(ttft_ms) }),
    tokens_per_s !== undefined && t("models.tps", { count: Math.round(tokens_per_s) }),
    latency_ms !== undefined && t("models.latency", { time: duration(latency_ms) }),
  ].filter((figure) => figure !== false);
  return (
    <Banner tone="good" className={className}>
      {t("models.test_ok")} <span className="tabular text-dim">{figures.join(" · ")}</span>
      {message && <span className="text-dim"> {message}</span>}
    </Banner>
  );
}

/** What a form was answered, at its end: a long form is moved until it can be seen. */
export function FormAnswer({
  outcome,
  failure,
}: {
  outcome: Result<ModelTestResult> | null;
  failure: ApiFailure | null;
}) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (outcome || failure) end.current?.scrollIntoView({ block: "nearest" });
  }, [outcome, failure]);
  return (
    <>
      <div aria-live="polite" className="empty:-mt-4">
        {outcome && <TestResult outcome={outcome} />}
      </div>
      <div ref={end} role="alert" className="empty:-mt-4">
        {failure && <FailureBanner failure={failure} />}
      </div>
    </>
  );
}
