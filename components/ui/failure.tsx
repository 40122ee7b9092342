"use client";
import { Banner } from "./banner";
import { useErrorText } from "./language";

interface FailureProps {
  /** null: nothing failed. */
  failure: { code: string; message: string } | null;
  className?: string;
}

/** Why it did not work, also said at once to whoever cannot see it. */
export function Failure({ failure, className }: FailureProps) {
  const words = useErrorText();
  if (!failure) return null;
  return (
    <div role="alert" className={className}>
      <Banner tone="danger">{words(failure)}</Banner>
    </div>
  );
}
