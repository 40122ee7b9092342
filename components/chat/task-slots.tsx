"use client";
import { createContext, memo, type RefObject, useContext, useEffect, useMemo, useRef, useState } from "react";
import type { Item, TaskBlock } from "@/lib/trace/transcript-items";
import { TaskView } from "./task-view";

/** Blocks this far from the view are drawn before they come into it. Pixels. */
const AHEAD_PX = 2_400;
/** A conversation up to this long is drawn whole, and so is its end. Blocks. */
const SHORT = 30;
const END = 6;
const GROUP = 40;

/**
 * Tells blocks whether they are near the view. What comes near is drawn one block per frame, so that no frame has to
 * draw many; what is far away is only as high as it was.
 */
class Nearness {
  readonly #told = new Map<Element, (near: boolean, height: number) => void>();
  readonly #queue = new Set<Element>();
  #frame = 0;
  #observer: IntersectionObserver | null = null;

  constructor(private readonly root: RefObject<HTMLElement | null>) {}

  watch(element: Element, tell: (near: boolean, height: number) => void): () => void {
    this.#observer ??= new IntersectionObserver((entries) => this.#seen(entries), {
      root: this.root.current,
      rootMargin: `${AHEAD_PX}px 0px`,
    });
    this.#told.set(element, tell);
    this.#observer.observe(element);
    return () => {
      this.#told.delete(element);
      this.#queue.delete(element);
      this.#observer?.unobserve(element);
    };
  }

  #seen(entries: IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      if (isIntersecting) this.#queue.add(target);
      // What has the focus stays.
      else if (!target.contains(document.activeElement)) {
        this.#queue.delete(target);
        this.#told.get(target)?.(false, boundingClientRect.height);
      }
    }
    this.#next();
  }

  #next(): void {
    if (this.#frame !== 0 || this.#queue.size === 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      const nearest = this.#nearest();
      if (nearest) {
        this.#queue.delete(nearest);
        this.#told.get(nearest)?.(true, 0);
      }
      this.#next();
    });
  }

  /** What is in view, or closest to it, comes first. */
  #nearest(): Element | null {
    const view = this.root.current?.getBoundingClientRect();
    if (!view) return null;
    const middle = (view.top + view.bottom) / 2;
    let [best, distance]: [Element | null, number] = [null, Number.POSITIVE_INFINITY];
    for (const element of this.#queue) {
      const { top, bottom } = element.getBoundingClientRect();
      const away = top > middle ? top - middle : bottom < middle ? middle - bottom : 0;
      if (away < distance) [best, distance] = [element, away];
    }
    return best;
  }
}

const Context = createContext<Nearness | null>(null);

interface TaskSlotsProps {
  box: RefObject<HTMLElement | null>;
  tasks: readonly TaskBlock[];
}

/** The blocks of a conversation, however many. */
export function TaskSlots({ box, tasks }: TaskSlotsProps) {
  const nearness = useMemo(() => new Nearness(box), [box]);
  const whole = tasks.length <= SHORT;
  const origin = useRef<string>(undefined);
  let at = tasks.findLastIndex(({ id }) => id === origin.current);
  if (at < 0) {
    at = tasks.length - 1;
    origin.current = tasks[at]?.id;
  }
  const groups = grouped(tasks, at);
  return (
    <Context value={nearness}>
      {groups.map(({ number, tasks: group }, i) => (
        <Group key={number} tasks={group} newest={i === groups.length - 1} whole={whole} />
      ))}
    </Context>
  );
}

/** Runs of blocks, counted from one that stays: a block stays in its run whatever comes in front or behind. */
export function grouped(tasks: readonly TaskBlock[], origin: number): { number: number; tasks: TaskBlock[] }[] {
  const groups: { number: number; tasks: TaskBlock[] }[] = [];
  tasks.forEach((task, i) => {
    const number = Math.floor((i - origin) / GROUP);
    const last = groups.at(-1);
    if (last?.number === number) last.tasks.push(task);
    else groups.push({ number, tasks: [task] });
  });
  return groups;
}

interface GroupProps {
  tasks: readonly TaskBlock[];
  newest: boolean;
  whole: boolean;
}

/** A run of blocks: while the newest block grows, the others are not even compared one by one by React. */
const Group = memo(
  function Group({ tasks, newest, whole }: GroupProps) {
    return tasks.map((task, i) => {
      const fromEnd = newest ? tasks.length - i : Number.POSITIVE_INFINITY;
      return <Slot key={task.id} task={task} last={fromEnd === 1} keep={whole || fromEnd <= END} />;
    });
  },
  (a, b) =>
    a.newest === b.newest &&
    a.whole === b.whole &&
    a.tasks.length === b.tasks.length &&
    a.tasks.every((task, i) => task === b.tasks[i]),
);

const Slot = memo(function Slot({ task, last, keep }: { task: TaskBlock; last: boolean; keep: boolean }) {
  const nearness = useContext(Context);
  const element = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(keep);
  const [height, setHeight] = useState(() => (keep ? 0 : guessedHeight(task)));
  useEffect(() => {
    if (keep || !element.current) return;
    return nearness?.watch(element.current, (now, was) => {
      if (!now && was > 0) setHeight(was);
      setNear(now);
    });
  }, [nearness, keep]);
  const drawn = keep || near;
  return (
    <div
      ref={element}
      data-task={task.id}
      tabIndex={-1}
      style={drawn ? undefined : { height }}
      className="outline-none"
    >
      {drawn && <TaskView task={task} last={last} />}
    </div>
  );
});

/** Until it was drawn. Pixels. */
function guessedHeight({ items }: TaskBlock): number {
  return 56 + items.reduce((sum, item) => sum + guessed(item), 0);
}
function guessed(item: Item): number {
  if (item.kind !== "text" && item.kind !== "prompt") return 36;
  const text = typeof item.text === "string" ? item.text : item.text.head;
  return 36 + Math.ceil(text.length / 85) * 24;
}
