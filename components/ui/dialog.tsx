"use client";
import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "./cn";
import { IconButton } from "./icon-button";
import { useT } from "./language";

const scrim = "fixed inset-0 z-40 bg-scrim data-[state=open]:animate-in data-[state=open]:fade-in-0 duration-150";

interface FrameProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  children: ReactNode;
  className?: string;
}

const FIELDS = "input:not(:disabled, [type=hidden]), textarea:not(:disabled)";

/** Not on Close, where its tooltip would open and take the first Escape. */
function focusFirstField(event: Event): void {
  event.preventDefault();
  if (!(event.currentTarget instanceof HTMLElement)) return;
  const field = event.currentTarget.querySelector<HTMLElement>(FIELDS);
  (field ?? event.currentTarget).focus();
}

/** Where focus goes when a window closes that a menu opened: the item that was chosen is gone by then. */
export function backTo(opener: HTMLElement | null | undefined) {
  return (event: Event) => {
    if (!opener?.isConnected) return;
    event.preventDefault();
    opener.focus();
  };
}

/** A window above the page. Focus begins in its first field, is trapped in it, and goes back to where it came from. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  className,
  opener,
}: FrameProps & { footer?: ReactNode; opener?: HTMLElement | null }) {
  const t = useT();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={scrim} />
        <Radix.Content
          onOpenAutoFocus={focusFirstField}
          onCloseAutoFocus={backTo(opener)}
          className={cn(
            "fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-lg -translate-x-1/2 -translate-y-1/2 flex-col rounded-lg bg-surface shadow-float outline-none data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=open]:zoom-in-98 duration-150",
            className,
          )}
          {...(description ? {} : { "aria-describedby": undefined })}
        >
          <header className="flex items-start gap-4 px-5 pt-4 pb-3">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
              {description && <Radix.Description className="mt-1 text-sm text-dim">{description}</Radix.Description>}
            </div>
            <Radix.Close asChild>
              <IconButton label={t("common.close")} size="sm" className="-mt-0.5 -mr-1.5">
                <X />
              </IconButton>
            </Radix.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 pb-5">{children}</div>
          {footer && <footer className="flex flex-wrap justify-end gap-2 border-t px-5 py-3">{footer}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface SheetProps extends FrameProps {
  side?: "left" | "right";
  /** The title stays for screen readers only. */
  hideTitle?: boolean;
  /** false: the panel itself has the focus when it opens, for what is there to be read. Its first button would show its
   *  tooltip, and the first Escape would close only that. */
  focusInside?: boolean;
}

/** A panel that slides in from the edge: the rail and every side panel on a phone. */
export function Sheet({
  open,
  onOpenChange,
  title,
  description,
  children,
  className,
  side = "right",
  hideTitle,
  focusInside = true,
}: SheetProps) {
  const t = useT();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={scrim} />
        <Radix.Content
          onOpenAutoFocus={(event) => {
            if (focusInside || !(event.currentTarget instanceof HTMLElement)) return;
            event.preventDefault();
            event.currentTarget.focus();
          }}
          className={cn(
            "fixed inset-y-0 z-50 flex w-[min(20rem,calc(100vw-3rem))] flex-col bg-surface shadow-float outline-none duration-180 data-[state=open]:animate-in",
            side === "left"
              ? "left-0 data-[state=open]:slide-in-from-left"
              : "right-0 data-[state=open]:slide-in-from-right",
            className,
          )}
          {...(description ? {} : { "aria-describedby": undefined })}
        >
          <header className={cn("flex h-12 shrink-0 items-center gap-2 border-b px-4", hideTitle && "sr-only")}>
            <Radix.Title className="min-w-0 flex-1 truncate text-base font-semibold">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label={t("common.close")} size="sm">
                <X />
              </IconButton>
            </Radix.Close>
          </header>
          {description && <Radix.Description className="sr-only">{description}</Radix.Description>}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
