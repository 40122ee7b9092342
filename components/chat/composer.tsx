"use client";
import { ArrowUp, Paperclip, Square } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { IconButton } from "@/components/ui/icon-button";
import { useT } from "@/components/ui/language";
import type { QueuedMessage } from "@/lib/api/frames";
import { AttachmentChips } from "./attachment-chips";
import { isComposing, isSendKey } from "./keys";
import { QueueRows } from "./queue-rows";
import { SendModeMenu } from "./send-mode";
import { useAttachments } from "./use-attachments";
import { useDraft, useRemembered } from "./use-draft";
import { useHistory } from "./use-history";
import { type Outgoing, type Recalled, type SendResult, useOutgoing } from "./use-outgoing";

export interface ComposerProps {
  /** Person and Session: the draft is kept under it. */
  draftKey: string;
  onSend: (message: Outgoing) => Promise<SendResult>;
  /** Chips below the text. */
  options?: ReactNode;
  placeholder?: string;
  autoFocus?: boolean;
  /** A Task runs: an empty box shows Stop, a text steers or queues. */
  running?: boolean;
  /** Queue only: the Session is being compacted. */
  queueOnly?: boolean;
  onStop?: () => void;
  stopping?: boolean;
  queue?: readonly QueuedMessage[];
  onRecall?: (id: string) => Promise<Recalled>;
  /** Earlier prompts of this person, oldest first. */
  history?: readonly string[];
  /** A prompt that comes back, because the provider refused it. */
  returned?: { id: string; text: string };
  /** An example that was picked: takes the place of the text, once per id, and sends nothing. */
  fill?: { id: string; text: string };
  /** Why nothing can be sent, and what to do. The text stays selectable. */
  blocked?: ReactNode;
  className?: string;
}

const MODES = ["steer", "queue"] as const;

/** Where a message is written. Text is given up only when the server has it. */
export function Composer(props: ComposerProps) {
  const { draftKey, running = false, queueOnly = false, blocked, returned, queue = [], history = [] } = props;
  const t = useT();
  const hint = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useDraft(draftKey);
  const [chosen, setChosen] = useRemembered("send-mode", MODES, "steer");
  const files = useAttachments();
  const outgoing = useOutgoing(props.onSend);
  const walk = useHistory(history);
  const empty = text.trim() === "" && files.list.length === 0;
  // A steered message carries text and pictures; other files wait in the queue.
  const steerable = !queueOnly && files.list.every((file) => file.image);
  const mode = !running ? "send" : steerable ? chosen : "queue";
  useReturned(returned, text, setText);
  useFill(props.fill, setText, box);

  const submit = async () => {
    if (blocked || empty) return;
    const sent = await outgoing.send(text, files.list, mode);
    if (!sent) return;
    setText("");
    files.clear();
    box.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isSendKey(event)) {
      event.preventDefault();
      void submit();
      return;
    }
    if ((event.key !== "ArrowUp" && event.key !== "ArrowDown") || isComposing(event) || event.shiftKey) return;
    const recalled = walk(event.key, text);
    if (recalled === null) return;
    event.preventDefault();
    setText(recalled);
  };
  const recall = async (id: string) => {
    const result = await props.onRecall?.(id);
    if (result?.ok) {
      setText(text === "" ? result.text : `${result.text}\n\n${text}`);
      box.current?.focus();
    }
    return result;
  };
  const locked = Boolean(blocked) || outgoing.busy;

  return (
    <div className={cn("w-full", props.className)}>
      {queue.length > 0 && <QueueRows queue={queue} onRecall={recall} />}
      {blocked}
      <section
        aria-label={t("chat.composer")}
        className={cn(
          "rounded-lg border border-line-strong bg-surface shadow-control transition-colors duration-120 focus-within:border-accent",
          files.dragging && "border-accent bg-accent-soft",
        )}
        {...files.dropTarget}
      >
        <AttachmentChips files={files} />
        <textarea
          ref={box}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={files.onPaste}
          readOnly={locked}
          aria-disabled={Boolean(blocked) || undefined}
          aria-label={t("chat.message")}
          aria-describedby={hint}
          // biome-ignore lint/a11y/noAutofocus: the page has one purpose, and this is it
          autoFocus={props.autoFocus}
          rows={1}
          enterKeyHint="send"
          placeholder={props.placeholder ?? t(running ? placeholderFor[mode] : "chat.placeholder")}
          className="field-sizing-content block max-h-[40dvh] min-h-11 w-full resize-none bg-transparent px-3.5 pt-3 pb-1 text-base text-ink outline-none placeholder:text-faint max-sm:text-[16px]"
        />
        <div className="flex items-end gap-2 px-2 pb-2 max-sm:flex-wrap">
          <PickFiles onFiles={files.add} disabled={locked} />
          <div className="flex min-w-0 flex-1 flex-wrap items-center gap-1.5 max-sm:order-first max-sm:basis-full max-sm:px-1">
            {props.options}
          </div>
          <span className="flex-1 sm:hidden" />
          {running && !empty && <SendModeMenu mode={mode} steerable={steerable} onChange={setChosen} />}
          <ActionButton
            {...{ running, empty, mode }}
            disabled={Boolean(blocked)}
            busy={outgoing.busy}
            onSend={submit}
            onStop={props.onStop}
            stopping={props.stopping}
          />
        </div>
      </section>
      <p id={hint} className="sr-only">
        {t("chat.composer_hint")}
      </p>
      {outgoing.error && (
        <p role="alert" className="mt-1.5 px-1 text-sm text-danger">
          {t("chat.not_sent", { reason: outgoing.error })}
        </p>
      )}
    </div>
  );
}

const placeholderFor = {
  send: "chat.placeholder",
  steer: "chat.placeholder_steer",
  queue: "chat.placeholder_queue",
} as const;

/** A refused prompt goes back into the box, once, and never over another text. */
function useReturned(returned: ComposerProps["returned"], text: string, setText: (text: string) => void): void {
  const seen = useRef<string | null>(null);
  useEffect(() => {
    if (!returned || seen.current === returned.id) return;
    seen.current = returned.id;
    if (text === "") setText(returned.text);
  }, [returned, text, setText]);
}

function useFill(
  fill: ComposerProps["fill"],
  setText: (text: string) => void,
  box: RefObject<HTMLTextAreaElement | null>,
): void {
  const seen = useRef<string | null>(null);
  useEffect(() => {
    if (!fill || seen.current === fill.id) return;
    seen.current = fill.id;
    setText(fill.text);
    box.current?.focus();
  }, [fill, setText, box]);
}

function PickFiles({ onFiles, disabled }: { onFiles: (files: File[]) => void; disabled: boolean }) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <IconButton label={t("chat.attach")} disabled={disabled} onClick={() => input.current?.click()}>
        <Paperclip />
      </IconButton>
    </>
  );
}

interface ActionProps {
  running: boolean;
  empty: boolean;
  mode: Outgoing["mode"];
  disabled: boolean;
  busy: boolean;
  stopping?: boolean;
  onSend: () => void;
  onStop?: () => void;
}

/** One button: Stop while a Task runs and nothing is typed, else Send, named after what it will do. */
function ActionButton({ running, empty, mode, disabled, busy, stopping, onSend, onStop }: ActionProps) {
  const t = useT();
  if (running && empty && !busy) {
    return (
      <Button onClick={onStop} busy={stopping} size="md" className="max-sm:h-10">
        {!stopping && <Square className="fill-current" aria-hidden="true" />}
        {t("chat.stop")}
      </Button>
    );
  }
  return (
    <Button
      variant="primary"
      size="md"
      className="max-sm:h-10"
      disabled={disabled || empty}
      busy={busy}
      onClick={onSend}
    >
      {!busy && <ArrowUp aria-hidden="true" />}
      {t(mode === "send" ? "chat.send" : mode === "steer" ? "chat.steer" : "chat.queue")}
    </Button>
  );
}
