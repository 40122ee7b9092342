"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type Result, readResult, send } from "@/lib/api/client";
import type { KnownFile } from "@/lib/api/files";
import { queries } from "@/lib/api/queries";
import { routes, type SessionRef } from "@/lib/api/routes";
import { upload } from "@/lib/api/upload";
import { useConversation } from "../conversation-context";

/** One folder of the Workspace; read again while something is done there. */
export function useFolder(path: string) {
  const { sessionRef, active } = useConversation();
  return useQuery({ ...queries.folder(sessionRef, path), staleTime: 2_000, refetchInterval: active ? 5_000 : false });
}

/** Which of the names are files of the Workspace; null until that is known. */
export function useKnownFiles(names: readonly string[]): readonly KnownFile[] {
  const { sessionRef } = useConversation();
  const { data } = useQuery({
    queryKey: ["files-known", sessionRef.agent, sessionRef.session, ...names],
    queryFn: async () => {
      const result = await send<{ files: KnownFile[] }>("POST", routes.filesKnown(sessionRef), { names });
      // No Workspace, no links: an answer without them is complete.
      return result.ok ? result.data.files : [];
    },
    enabled: names.length > 0,
    staleTime: 60_000,
  });
  return data ?? NONE;
}
const NONE: readonly KnownFile[] = [];

/** The head of a text file. */
export function useText(path: string, wanted: boolean) {
  const { sessionRef } = useConversation();
  return useQuery({
    queryKey: ["file-text", sessionRef.agent, sessionRef.session, path],
    queryFn: async ({ signal }) => {
      const response = await fetch(routes.fileContent(sessionRef, path, "text"), { signal, cache: "no-store" });
      if (!response.ok) {
        const result = await readResult<never>(response);
        throw new Error(result.ok ? "" : result.error.message);
      }
      return { text: await response.text(), bytes: Number(response.headers.get("x-file-bytes")) };
    },
    enabled: wanted,
    staleTime: 0,
    retry: false,
  });
}

export type SaveFile = (
  folder: string,
  file: File,
  replace: boolean,
  onProgress: (share: number) => void,
) => Promise<Result<unknown>>;

export function useSaveFile(): SaveFile {
  const { sessionRef } = useConversation();
  const client = useQueryClient();
  return async (folder, file, replace, onProgress) => {
    const path = folder === "" ? file.name : `${folder}/${file.name}`;
    const options = {
      type: "application/octet-stream",
      onProgress: (sent: number, total: number) => onProgress(total > 0 ? sent / total : 0),
    };
    const result = await upload<unknown>(routes.fileUpload(sessionRef, path, replace), file, options);
    void client.invalidateQueries({ queryKey: queries.folder(sessionRef, folder).queryKey });
    return result ?? { ok: true, data: undefined };
  };
}

/** The address under which a browser loads or saves a file. */
export function fileAddress(ref: SessionRef, path: string, as: Parameters<typeof routes.fileContent>[2]): string {
  return routes.fileContent(ref, path, as);
}
