"use client";
import { useTheme } from "next-themes";
import { useEffect } from "react";
import { Toaster as Sonner, toast } from "sonner";

/** The place where messages stand. `onReady` is told how to show one. */
export default function ReadyToaster({ onReady }: { onReady: (show: typeof toast) => void }) {
  const { resolvedTheme } = useTheme();
  useEffect(() => onReady(toast), [onReady]);
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
