"use client";
import { createContext, useContext } from "react";
import type { ApprovalDecided, ApprovalRequest, StateFrame } from "@/lib/api/frames";
import type { SessionRef } from "@/lib/api/routes";
import type { RecordAddress } from "@/lib/omni/message";
import type { Who } from "./who";

/** What items of a conversation need beside themselves. Its parts keep their identity while text streams. */
export interface ConversationView extends Who {
  sessionRef: SessionRef;
  /** The Session that this one goes on from, by a switch or a handover; it is named above the messages. */
  source?: string;
  /** May this person write and decide? */
  canWork: boolean;
  /** Something is being done now: open items are alive, and not left over. */
  active: boolean;
  approvals: readonly ApprovalRequest[];
  /** Subagents that work now. */
  subagents: NonNullable<StateFrame["subagents"]>;
  decided: Readonly<Record<string, ApprovalDecided>>;
  onDecided: (decided: ApprovalDecided) => void;
  /** The wait before the next attempt, when there is one: ISO time of its end. */
  retryAt?: string;
  onRetryNow: () => void;
  onStop: () => void;
  /** Of so many of the newest Tasks the usage is asked for; absent: few. The object stays. */
  counted?: { current: number };
  /** Goes on from this completed Request in a new Session; absent: this person may not. */
  onFork?: (at: RecordAddress) => Promise<void>;
}

const Context = createContext<ConversationView | null>(null);
export const ConversationProvider = Context.Provider;

export function useConversation(): ConversationView {
  const view = useContext(Context);
  if (!view) throw new Error("An item was drawn outside of a conversation.");
  return view;
}

/** For parts that also stand where there is no conversation yet: null there. */
export function useWhoIsHere(): Who | null {
  return useContext(Context);
}
