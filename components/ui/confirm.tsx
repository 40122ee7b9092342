"use client";
import { AlertDialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "./button";
import { backTo } from "./dialog";
import { useT } from "./language";

interface ConfirmProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  /** What will happen and whether it can be undone. */
  body: ReactNode;
  /** The verb of the button. */
  action: string;
  danger?: boolean;
  busy?: boolean;
  onConfirm: () => void;
  /** The button of the menu that it was opened from. */
  opener?: HTMLElement | null;
}

/** Asks before something that cannot be undone. Focus starts on Cancel; the caller closes it when the work is done. */
export function Confirm({ open, onOpenChange, title, body, action, danger, busy, onConfirm, opener }: ConfirmProps) {
  const t = useT();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-scrim duration-150 data-[state=open]:animate-in data-[state=open]:fade-in-0" />
        <Radix.Content
          onCloseAutoFocus={backTo(opener)}
          className="fixed top-1/2 left-1/2 z-50 w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 rounded-lg bg-surface p-5 shadow-float outline-none duration-150 data-[state=open]:animate-in data-[state=open]:fade-in-0"
        >
          <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
          <Radix.Description asChild>
            <div className="mt-1.5 text-sm text-dim">{body}</div>
          </Radix.Description>
          <div className="mt-5 flex flex-wrap justify-end gap-2">
            <Radix.Cancel asChild>
              <Button>{t("common.cancel")}</Button>
            </Radix.Cancel>
            <Button variant={danger ? "danger" : "primary"} busy={busy} onClick={onConfirm}>
              {action}
            </Button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
