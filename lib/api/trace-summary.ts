/** What a list of records says of each: a line about it, however long it is. */

export type RecordKind =
  | "meta"
  | "prompt"
  | "answer"
  | "thinking"
  | "call"
  | "output"
  | "image"
  | "request"
  | "approval"
  | "usage"
  | "compaction"
  | "abort"
  | "subagent"
  | "settings"
  | "tools"
  | "other";

type WordsOfRecords =
  | "abort"
  | "answer"
  | "approval"
  | "aux_usage"
  | "call"
  | "compaction_begin"
  | "compaction_end"
  | "file"
  | "goal"
  | "image"
  | "machine_text"
  | "meta"
  | "output"
  | "prompt"
  | "request_begin"
  | "request_end"
  | "retry_in"
  | "settings"
  | "subagent"
  | "thinking"
  | "tool_list"
  | "usage"
  | "usage_line";

/** Text of the record, or words for the reader's language to say: a key of the dictionary. */
export type Phrase = string | { words: `trace.${WordsOfRecords}`; params?: Record<string, string | number> };

export interface Described {
  kind: RecordKind;
  /** Name of the record type; the raw type for kinds this version does not know. */
  label: Phrase;
  summary: Phrase;
  /** How it ended, when that is worth a look. */
  mark?: { text: string; tone: "good" | "attention" | "danger" | "neutral" };
}

/** One physical line that is not blank. */
export type RecordSummary = ({ line: number; timestamp: string } & Described) | { line: number; error: string };

export interface SummariesPage {
  records: RecordSummary[];
  /** Physical lines in the file. */
  total: number;
}
