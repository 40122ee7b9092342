"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import type { Role } from "@/lib/api/schemas";
import { useRole } from "./use-role";

/** An owner made this person more or less than they were: the open page is drawn again with what they may do now. */
export function FollowRole({ project, drawn }: { project: string; drawn: Role | null }) {
  const router = useRouter();
  const role = useRole(project);
  useEffect(() => {
    if (role !== undefined && role !== drawn) router.refresh();
  }, [role, drawn, router]);
  return null;
}
