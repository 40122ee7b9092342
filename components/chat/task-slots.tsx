"use client";
import {
  createContext,
  memo,
  type RefObject,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Item, TaskBlock } from "@/lib/trace/transcript-items";
import { Nearness } from "./nearness";
import { TaskView } from "./task-view";

/** A conversation up to this long is drawn whole, and so is its end. Blocks. */
const SHORT = 30;
const END = 6;
const GROUP = 40;

const Context = createContext<Nearness | null>(null);

interface TaskSlotsProps {
  box: RefObject<HTMLElement | null>;
  tasks: readonly TaskBlock[];
  /** Puts the view where it belongs, after something above it was drawn. */
  settle: () => void;
}

/** The blocks of a conversation, however many. */
export function TaskSlots({ box, tasks, settle }: TaskSlotsProps) {
  const nearness = useMemo(() => new Nearness(box, settle), [box, settle]);
  useEffect(() => nearness.attach(), [nearness]);
  const whole = tasks.length <= SHORT;
  const origin = useRef<string>(undefined);
  let at = tasks.findLastIndex(({ id }) => id === origin.current);
  if (at < 0) {
    at = tasks.length - 1;
    origin.current = tasks[at]?.id;
  }
  const groups = grouped(tasks, at);
  const first = tasks[0]?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: older messages came in front
  useLayoutEffect(() => {
    settle();
    nearness.drawVisible();
  }, [first, nearness, settle]);
  return (
    <Context value={nearness}>
      {groups.map(({ number, from, tasks: group }, i) => (
        <Group key={number} from={from} tasks={group} newest={i === groups.length - 1} whole={whole} />
      ))}
    </Context>
  );
}

interface Run {
  number: number;
  /** Where its first block stands, counted from the origin. */
  from: number;
  tasks: TaskBlock[];
}

/** Runs of blocks, counted from one that stays: a block stays in its run whatever comes in front or behind. */
export function grouped(tasks: readonly TaskBlock[], origin: number): Run[] {
  const groups: Run[] = [];
  tasks.forEach((task, i) => {
    const number = Math.floor((i - origin) / GROUP);
    const last = groups.at(-1);
    if (last?.number === number) last.tasks.push(task);
    else groups.push({ number, from: i - origin, tasks: [task] });
  });
  return groups;
}

interface GroupProps extends Omit<Run, "number"> {
  newest: boolean;
  whole: boolean;
}

/** A run of blocks: while the newest block grows, the others are not even compared one by one by React. */
const Group = memo(
  function Group({ from, tasks, newest, whole }: GroupProps) {
    return tasks.map((task, i) => {
      const fromEnd = newest ? tasks.length - i : Number.POSITIVE_INFINITY;
      // Not its id: the first block gets another one with the older records, and must stay what it is on the page.
      // biome-ignore lint/suspicious/noArrayIndexKey: counted from a block that stays
      return <Slot key={from + i} task={task} last={fromEnd === 1} keep={whole || fromEnd <= END} />;
    });
  },
  (a, b) =>
    a.from === b.from &&
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
  useLayoutEffect(() => {
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
