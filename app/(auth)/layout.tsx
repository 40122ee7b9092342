import type { ReactNode } from "react";
import { Mark } from "@/components/shell/mark";

/** A quiet page with one card in the middle. */
export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <main className="flex min-h-dvh flex-col items-center bg-rail px-4 py-[min(14vh,8rem)]">
      <div className="w-full max-w-90">
        <div className="mb-6 flex items-center gap-2.5">
          <Mark className="size-7" />
          <span className="text-lg font-semibold tracking-tight">PenguinHarness</span>
        </div>
        {children}
      </div>
    </main>
  );
}
