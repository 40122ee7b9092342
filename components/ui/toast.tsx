"use client";
import { useTheme } from "next-themes";
import { Toaster as Sonner } from "sonner";

export { toast } from "sonner";

/** Passing confirmations. An error that matters also stands beside the thing that failed. */
export function Toaster() {
  const { resolvedTheme } = useTheme();
  return (
    <Sonner
      theme={resolvedTheme === "dark" ? "dark" : "light"}
      position="bottom-right"
      toastOptions={{
        classNames: {
          toast: "rounded-lg! border-0! bg-surface! text-ink! shadow-float! font-sans! text-sm!",
          description: "text-dim!",
        },
      }}
    />
  );
}
