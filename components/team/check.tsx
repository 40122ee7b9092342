"use client";
import { useId } from "react";

interface CheckProps {
  label: string;
  detail?: string;
  checked: boolean;
  onChange: () => void;
}

/** A box to tick with its words beside it. */
export function Check({ label, detail, checked, onChange }: CheckProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        onChange={onChange}
        aria-describedby={detail ? `${id}-detail` : undefined}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="text-sm">
          {label}
        </label>
        {detail && (
          <p id={`${id}-detail`} className="text-xs text-dim">
            {detail}
          </p>
        )}
      </div>
    </div>
  );
}
