"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useCallback } from "react";
import { toast } from "@/components/ui/toast";
import { places } from "@/lib/api/places";
import type { SessionRef } from "@/lib/api/routes";
import type { RecordAddress } from "@/lib/omni/message";
import { forkSession } from "./session-actions";

/** Goes on from an answer in a Session of its own, and leads there; this one stays as it is. */
export function useFork(ref: SessionRef): (at: RecordAddress) => Promise<void> {
  const router = useRouter();
  const client = useQueryClient();
  return useCallback(
    async ({ file_index, line }) => {
      const result = await forkSession(ref, { file_index, line });
      if (!result.ok) {
        toast.error(result.error.message);
        return;
      }
      void client.invalidateQueries({ queryKey: ["sessions", ref.project] });
      router.push(places.conversation({ ...ref, session: result.data.session.id }));
    },
    [ref, client, router],
  );
}
