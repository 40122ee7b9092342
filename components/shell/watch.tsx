"use client";
import { useQuery } from "@tanstack/react-query";
import { useParams, useRouter } from "next/navigation";
import { places } from "@/lib/api/places";
import { queries } from "@/lib/api/queries";
import { liveStates } from "./conversations";
import { useConversations, useProjectStatus } from "./use-conversations";
import { useMarks, useSeen } from "./use-marks";
import { useNotifications } from "./use-notifications";

/** What goes on whether the rail is shown or not: what was seen, and what a person is told while looking elsewhere. */
export function Watch({ project }: { project: string }) {
  const router = useRouter();
  const { sessions, live } = useConversations(project);
  const { data: status } = useProjectStatus(project);
  const { marks, change } = useMarks(project);
  const { agent = "", session = "" } = useParams<{ agent?: string; session?: string }>();
  const here = { project, agent, session };
  const { data: open } = useQuery({
    ...queries.session(here),
    staleTime: 30_000,
    enabled: session !== "",
    retry: false,
  });
  useSeen({ open: session === "" ? undefined : open, live, marks, change });
  useNotifications(project, status ? liveStates(status) : null, sessions, (key) => {
    const [agent = "", session = ""] = key.split("/");
    router.push(places.conversation({ project, agent, session }));
  });
  return null;
}
