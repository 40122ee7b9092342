"use client";
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import { cn } from "@/components/ui/cn";
import { isComposing, isSendKey } from "@/components/ui/keys";
import { useT } from "@/components/ui/language";
import { useRemembered } from "@/components/ui/use-remembered";
import type { QueuedMessage } from "@/lib/api/frames";
import { readUseSkills } from "@/lib/omni/blocks";
import { ActionButton } from "./action-button";
import { AttachmentChips } from "./attachment-chips";
import type { Attachment } from "./attachments";
import type { SlashCommand } from "./commands";
import { ComposerFloat } from "./composer-float";
import { PickFiles } from "./pick-files";
import { QueueRows } from "./queue-rows";
import { SendModeMenu } from "./send-mode";
import { type SlashToken, withoutToken } from "./slash";
import { optionId, SlashMenu } from "./slash-menu";
import { composedText, NOTHING, needsIdle, type Staged, speaksForItself, stage } from "./staged";
import { StagedChips } from "./staged-chips";
import { useAttachments } from "./use-attachments";
import { useCaret } from "./use-caret";
import { type Draft, useDraft } from "./use-draft";
import { useHistory } from "./use-history";
import { type Outgoing, type Recalled, type SendResult, useOutgoing } from "./use-outgoing";
import { useSlash } from "./use-slash";
import { Waits } from "./waits";

export interface ComposerProps {
  /** Person and Session: the draft is kept under it. */
  draftKey: string;
  onSend: (message: Outgoing) => Promise<SendResult>;
  /** Chips below the text. */
  options?: ReactNode;
  /** There are many of them: they take a row of their own. */
  optionsApart?: boolean;
  placeholder?: string;
  autoFocus?: boolean;
  /** What the slash menu offers. */
  commands?: readonly SlashCommand[];
  /** A panel that was asked for from outside of the box, once per id. */
  ask?: { id: string; command: string };
  /** A Task runs: an empty box shows Stop, a text steers or queues. */
  running?: boolean;
  /** Queue only: the Session is being compacted. */
  queueOnly?: boolean;
  onStop?: () => void;
  stopping?: boolean;
  queue?: readonly QueuedMessage[];
  onRecall?: (id: string) => Promise<Recalled>;
  /** Goes to what waits for a decision (Alt and A). */
  onReview?: () => void;
  /** Earlier prompts of this person, oldest first. */
  history?: readonly string[];
  /** A prompt that comes back, because the provider refused it. */
  returned?: { id: string; text: string };
  /** An example that was picked: takes the place of the text, once per id, and sends nothing. */
  fill?: { id: string; text: string };
  /** Why nothing can be sent, and what to do. The text stays selectable. */
  blocked?: ReactNode;
  /** The block holds for this Session only: a staged switch or handover can be sent all the same. */
  onlyHere?: boolean;
  className?: string;
}

type Panel = Extract<SlashCommand["act"], { kind: "panel" }>;

const MODES = ["steer", "queue"] as const;

/** Where a message is written. Text is given up only when the server has it. */
export function Composer(props: ComposerProps) {
  const { draftKey, running = false, queueOnly = false, queue = [], commands = [] } = props;
  const t = useT();
  const box = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft(draftKey);
  const { text, staged, setText, setStaged } = draft;
  const [chosen, setChosen] = useRemembered("send-mode", MODES, "steer");
  const away = Boolean(staged.model || staged.agent);
  const blocked = Boolean(props.blocked) && !(props.onlyHere && away);
  const files = useAttachments(blocked && !props.onlyHere);
  const outgoing = useOutgoing(props.onSend);
  const [panel, setPanel] = useState<Panel | null>(null);
  const empty = text.trim() === "" && (Boolean(staged.goal) || files.list.length === 0) && !speaksForItself(staged);
  // A steered message carries text and pictures; other files, and goals, wait in the queue.
  const canSteer = (list: readonly Attachment[]) => !queueOnly && !staged.goal && list.every((file) => file.image);
  const modeOf = (list: readonly Attachment[]) => (!running || away ? "send" : canSteer(list) ? chosen : "queue");
  const steerable = canSteer(files.list);
  const mode = modeOf(files.list);
  const waits =
    needsIdle(staged) && running ? "running" : staged.goal && files.list.some((file) => !file.image) ? "files" : null;
  const locked = (Boolean(props.blocked) && !props.onlyHere) || outgoing.busy;
  useReturned(props.returned, draft, outgoing.busy);
  useFill(props.fill, setText, box);
  useAsk(props.ask, commands, setPanel);

  const submit = async () => {
    if (blocked || empty || waits) return;
    const { skills = [] } = staged;
    const automatic = skills.length > 0 ? t("staged.use_skills", { skills: skills.join(", ") }) : t("staged.go_on");
    const whole = composedText(text, staged, speaksForItself(staged) ? automatic : "");
    await outgoing.send({ text: whole, attachments: files.ready(), modeOf, staged }, (attachments) => {
      setText("");
      setStaged(NOTHING);
      files.sent(attachments);
      box.current?.focus();
    });
  };
  const recall = async (id: string) => {
    const result = await props.onRecall?.(id);
    if (result?.ok) {
      const back = readUseSkills(result.text);
      if (back) setStaged(stage(staged, { skills: back.skills }));
      const words = back?.rest ?? result.text;
      setText([words, text].filter((part) => part !== "").join("\n\n"));
      files.restore(result.files ?? []);
      box.current?.focus();
    }
    return result;
  };
  const closePanel = (next?: Staged) => {
    setPanel(null);
    if (next) setStaged(stage(staged, next));
    box.current?.focus();
  };

  return (
    <div className={cn("w-full", props.className)}>
      {queue.length > 0 && <QueueRows queue={queue} onRecall={recall} />}
      {props.blocked}
      <section
        aria-label={t("chat.composer")}
        className={cn(
          "relative rounded-lg border border-line-strong bg-surface shadow-control transition-colors duration-120 focus-within:border-accent",
          files.dragging && "border-accent bg-accent-soft",
        )}
      >
        {panel && (
          <ComposerFloat panel={{ label: panel.label, onClose: closePanel, onLeave: () => setPanel(null) }}>
            {panel.render(closePanel)}
          </ComposerFloat>
        )}
        {files.dragging && <p className="px-3.5 pt-3 text-sm text-accent-ink">{t("drop.here")}</p>}
        <StagedChips
          staged={staged}
          onChange={setStaged}
          waits={waits && <Waits why={waits} onStop={props.onStop} stopping={props.stopping} />}
        />
        <AttachmentChips files={files} />
        <MessageBox
          {...{ box, draft, commands, locked, files, running, mode, props }}
          onSubmit={() => void submit()}
          onPanel={setPanel}
        />
        <div className={cn("flex items-end gap-2 px-2 pb-2", props.optionsApart ? "flex-wrap" : "max-sm:flex-wrap")}>
          <PickFiles onFiles={files.add} disabled={locked} />
          <div
            className={cn(
              "flex min-w-0 flex-1 flex-wrap items-center gap-1.5",
              props.optionsApart ? "order-first basis-full px-1" : "max-sm:order-first max-sm:basis-full max-sm:px-1",
            )}
          >
            {props.options}
          </div>
          <span className={cn("flex-1", !props.optionsApart && "sm:hidden")} />
          {running && !empty && !away && <SendModeMenu mode={mode} steerable={steerable} onChange={setChosen} />}
          <ActionButton
            {...{ running, empty, mode }}
            disabled={blocked || waits !== null}
            busy={outgoing.busy}
            onSend={submit}
            onStop={props.onStop}
            stopping={props.stopping}
          />
        </div>
      </section>
      {outgoing.error && (
        <p role="alert" className="mt-1.5 px-1 text-sm text-danger">
          {t("chat.not_sent", { reason: outgoing.error })}
        </p>
      )}
    </div>
  );
}

interface MessageBoxProps {
  box: RefObject<HTMLTextAreaElement | null>;
  draft: Draft;
  commands: readonly SlashCommand[];
  locked: boolean;
  files: ReturnType<typeof useAttachments>;
  running: boolean;
  mode: keyof typeof PLACEHOLDERS;
  props: ComposerProps;
  onSubmit: () => void;
  onPanel: (panel: Panel) => void;
}

const PLACEHOLDERS = {
  send: "chat.placeholder",
  steer: "chat.placeholder_steer",
  queue: "chat.placeholder_queue",
} as const;

/** The text itself, its keys, and the menu of commands at its caret. */
function MessageBox({ box, draft, commands, locked, files, running, mode, props, ...on }: MessageBoxProps) {
  const t = useT();
  const hint = useId();
  const menu = useId();
  const { text, staged, setText, setStaged } = draft;
  const [focused, setFocused] = useState(false);
  const { caret, note, place } = useCaret(box, text);
  const walk = useHistory(props.history ?? []);
  const onPick = ({ act }: SlashCommand, token: SlashToken) => {
    place(token.start);
    setText(withoutToken(text, token));
    if (act.kind === "run") act.run();
    else if (act.kind === "stage") setStaged(stage(staged, act.staged));
    else on.onPanel(act);
  };
  const slash = useSlash({ text, caret: locked ? -1 : caret, commands, onPick });
  const open = slash.open && focused;
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (open && slash.onKey(event)) return;
    if (isSendKey(event)) {
      event.preventDefault();
      on.onSubmit();
      return;
    }
    if (event.altKey && event.code === "KeyA" && props.onReview) {
      event.preventDefault();
      props.onReview();
      return;
    }
    if ((event.key !== "ArrowUp" && event.key !== "ArrowDown") || isComposing(event) || event.shiftKey) return;
    const recalled = walk(event.key, text);
    if (recalled === null) return;
    event.preventDefault();
    place(recalled.length);
    setText(recalled);
  };
  const chosen = slash.found[slash.active];
  return (
    <>
      {open && (
        <ComposerFloat>
          <SlashMenu
            id={menu}
            commands={slash.found}
            active={slash.active}
            onActive={slash.setActive}
            onPick={slash.pick}
          />
        </ComposerFloat>
      )}
      <textarea
        ref={box}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          note(event.target);
          // The browser focuses it before the page is alive: that event is not heard.
          setFocused(true);
        }}
        onSelect={(event) => note(event.currentTarget)}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onKeyDown={onKeyDown}
        onPaste={files.onPaste}
        readOnly={locked}
        aria-disabled={locked || undefined}
        aria-label={t("chat.message")}
        aria-describedby={hint}
        aria-keyshortcuts={props.onReview && "Alt+A"}
        // It stays a text box while the menu is open: a textarea may not be a combobox.
        {...(open && {
          "aria-controls": menu,
          "aria-haspopup": "listbox" as const,
          "aria-autocomplete": "list" as const,
          "aria-activedescendant": chosen && optionId(menu, chosen),
        })}
        // biome-ignore lint/a11y/noAutofocus: the page has one purpose, and this is it
        autoFocus={props.autoFocus}
        rows={1}
        enterKeyHint="send"
        placeholder={props.placeholder ?? t(running ? PLACEHOLDERS[mode] : "chat.placeholder")}
        className="field-sizing-content block max-h-[40dvh] min-h-11 w-full resize-none bg-transparent px-3.5 pt-3 pb-1 text-base text-ink outline-none placeholder:text-faint max-sm:text-[16px]"
      />
      <p id={hint} className="sr-only">
        {t("slash.hint")}
      </p>
    </>
  );
}

/**
 * A refused prompt goes back into the box, once, and never over another text. The refusal may be here before the answer
 * to the sending: until that one is here too, the text in the box is the refused one itself.
 */
function useReturned(returned: ComposerProps["returned"], draft: Draft, sending: boolean): void {
  const { text, staged, ready, setText, setStaged } = draft;
  const seen = useRef<string | null>(null);
  useEffect(() => {
    if (!returned || seen.current === returned.id || sending || !ready) return;
    seen.current = returned.id;
    if (text !== "") return;
    const skills = readUseSkills(returned.text);
    if (skills) setStaged(stage(staged, { skills: skills.skills }));
    setText(skills?.rest ?? returned.text);
  }, [returned, sending, ready, text, staged, setText, setStaged]);
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

function useAsk(ask: ComposerProps["ask"], commands: readonly SlashCommand[], onPanel: (panel: Panel) => void): void {
  const seen = useRef<string | null>(null);
  useEffect(() => {
    if (!ask || seen.current === ask.id) return;
    seen.current = ask.id;
    const act = commands.find(({ name }) => name === ask.command)?.act;
    if (act?.kind === "panel") onPanel(act);
  }, [ask, commands, onPanel]);
}
