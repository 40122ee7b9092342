"use client";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { queries } from "@/lib/api/queries";
import type { Role } from "@/lib/api/schemas";

/** An owner made this person more or less than they were: the open page is drawn again with what they may do now. */
export function FollowRole({ project, drawn }: { project: string; drawn: Role | null }) {
  const router = useRouter();
  const { data: me } = useQuery(queries.me());
  const role = me?.projects.find(({ id }) => id === project)?.role;
  useEffect(() => {
    if (role !== undefined && role !== drawn) router.refresh();
  }, [role, drawn, router]);
  return null;
}
