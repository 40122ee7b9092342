"use client";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { PresentPerson } from "@/lib/api/frames";
import { queries } from "@/lib/api/queries";
import type { SessionRef } from "@/lib/api/routes";
import type { SessionView } from "@/lib/api/schemas";
import type { RecordAddress } from "@/lib/omni/message";
import type { Who } from "./who";

const NONE: ReadonlyMap<string, string> = new Map();
/** Names seldom change. Milliseconds. */
const MEMBERS_FRESH_MS = 300_000;

/** Display names of a Project's members by id. */
export function useNames(project: string): ReadonlyMap<string, string> {
  const { data } = useQuery({ ...queries.members(project), staleTime: MEMBERS_FRESH_MS });
  return useMemo(() => (data ? new Map(data.map(({ user, name }) => [user, name ?? user])) : NONE), [data]);
}

/** How the people of a Session are called. Until it is known what of it was imported, by their ids. */
export function useWho(ref: SessionRef, people: readonly PresentPerson[]): Required<Omit<Who, "userId">> {
  const members = useNames(ref.project);
  const { data: session } = useQuery({ ...queries.session(ref), staleTime: 30_000 });
  const isKnown = session !== undefined;
  const lines = session?.imported_lines;
  const names = useMemo(
    () => (isKnown ? new Map([...members, ...people.map(({ id, name }) => [id, name] as const)]) : NONE),
    [isKnown, members, people],
  );
  const fromFile = useMemo(() => (address: RecordAddress | undefined) => isImported(lines, address), [lines]);
  return { names, fromFile };
}

export function isImported(lines: SessionView["imported_lines"], address: RecordAddress | undefined): boolean {
  const file = address && lines?.find(({ file_index }) => file_index === address.file_index);
  return file !== undefined && (file.lines === null || (address?.line ?? 0) <= file.lines);
}
