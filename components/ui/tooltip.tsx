"use client";
import { Slot } from "radix-ui";
import {
  type FocusEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { Kbd } from "./kbd";

/** A page has hundreds of explanations and shows one: until then, each is no more than four listeners. */

type Side = "top" | "right" | "bottom" | "left";

interface TooltipProps {
  text: ReactNode;
  /** One focusable element. */
  children: ReactNode;
  side?: Side;
  shortcut?: string;
}

/** The pointer rests this long first. Milliseconds. */
const DELAY_MS = 400;
/** So soon after another one, the next shows at once. Milliseconds. */
const SKIP_MS = 200;
/** Time for the pointer to get from the element to its explanation. Milliseconds. */
const GRACE_MS = 120;

/** The one that is shown. */
let closeShown: (() => void) | null = null;
let closedAt = Number.NEGATIVE_INFINITY;

/** A short explanation on hover and on focus. Never the only place of an information. */
export function Tooltip({ text, children, side = "top", shortcut }: TooltipProps) {
  const id = useId();
  const anchor = useRef<HTMLElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pressed = useRef(false);
  const [open, setOpen] = useState(false);
  const close = useCallback(() => {
    clearTimeout(timer.current);
    setOpen(false);
  }, []);
  const show = useCallback(() => {
    clearTimeout(timer.current);
    setOpen(true);
  }, []);
  const leave = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(close, GRACE_MS);
  }, [close]);
  const stay = useCallback(() => clearTimeout(timer.current), []);
  useEffect(() => () => clearTimeout(timer.current), []);

  const onPointerEnter = ({ pointerType }: PointerEvent) => {
    if (pointerType === "touch" || pressed.current) return;
    clearTimeout(timer.current);
    const soon = closeShown !== null || performance.now() - closedAt < SKIP_MS;
    timer.current = setTimeout(show, soon ? 0 : DELAY_MS);
  };
  const onPointerDown = () => {
    close();
    pressed.current = true;
    document.addEventListener("pointerup", () => (pressed.current = false), { once: true });
  };
  const onFocus = ({ currentTarget, target }: FocusEvent) => {
    if (!pressed.current && currentTarget === target) show();
  };
  return (
    <>
      <Slot.Root
        ref={anchor}
        aria-describedby={open ? id : undefined}
        onPointerEnter={onPointerEnter}
        onPointerLeave={leave}
        onPointerDown={onPointerDown}
        onClick={close}
        onFocus={onFocus}
        onBlur={close}
      >
        {children}
      </Slot.Root>
      {open && (
        <Bubble {...{ id, anchor, side, close, stay, leave }}>
          {text}
          {shortcut && <Kbd className="border-page/30 bg-transparent text-page/80">{shortcut}</Kbd>}
        </Bubble>
      )}
    </>
  );
}

interface BubbleProps {
  id: string;
  anchor: RefObject<HTMLElement | null>;
  side: Side;
  close: () => void;
  stay: () => void;
  leave: () => void;
  children: ReactNode;
}

function Bubble({ id, anchor, side, close, stay, leave, children }: BubbleProps) {
  const bubble = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const [from, box] = [anchor.current, bubble.current];
    if (from && box) place(box, from.getBoundingClientRect(), side);
  }, [anchor, side]);
  useEffect(() => {
    if (closeShown !== close) closeShown?.();
    closeShown = close;
    const onKey = ({ key }: KeyboardEvent) => key === "Escape" && close();
    const onScroll = ({ target }: Event) => {
      if (target instanceof Node && anchor.current && target.contains(anchor.current)) close();
    };
    document.addEventListener("keydown", onKey, { capture: true });
    window.addEventListener("scroll", onScroll, { capture: true, passive: true });
    return () => {
      document.removeEventListener("keydown", onKey, { capture: true });
      window.removeEventListener("scroll", onScroll, { capture: true });
      if (closeShown !== close) return;
      closeShown = null;
      closedAt = performance.now();
    };
  }, [anchor, close]);
  return createPortal(
    <div
      ref={bubble}
      id={id}
      role="tooltip"
      onPointerEnter={stay}
      onPointerLeave={leave}
      // Also above a dialog, which lets nothing else be pointed at.
      className="pointer-events-auto fixed top-0 left-0 z-50 flex w-max max-w-72 animate-fade-in items-center gap-2 rounded-md bg-ink px-2 py-1 text-xs text-page"
    >
      {children}
    </div>,
    document.body,
  );
}

const GAP_PX = 6;
const EDGE_PX = 8;
const OPPOSITE = { top: "bottom", bottom: "top", left: "right", right: "left" } as const;

/** Beside its element, on the other side where there is no room, and always within the window. */
function place(box: HTMLElement, from: DOMRect, wanted: Side): void {
  const { width, height } = box.getBoundingClientRect();
  const room = {
    top: from.top - height - GAP_PX,
    bottom: innerHeight - from.bottom - height - GAP_PX,
    left: from.left - width - GAP_PX,
    right: innerWidth - from.right - width - GAP_PX,
  };
  const side = room[wanted] < EDGE_PX && room[OPPOSITE[wanted]] > room[wanted] ? OPPOSITE[wanted] : wanted;
  const middle = { x: from.left + (from.width - width) / 2, y: from.top + (from.height - height) / 2 };
  const at = {
    top: { x: middle.x, y: room.top },
    bottom: { x: middle.x, y: from.bottom + GAP_PX },
    left: { x: room.left, y: middle.y },
    right: { x: from.right + GAP_PX, y: middle.y },
  }[side];
  const within = (value: number, size: number, all: number) =>
    Math.round(Math.max(EDGE_PX, Math.min(value, all - size - EDGE_PX)));
  box.style.transform = `translate(${within(at.x, width, innerWidth)}px, ${within(at.y, height, innerHeight)}px)`;
}
