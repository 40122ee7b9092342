"use client";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { queries } from "@/lib/api/queries";

/** An owner made this person more or less than they were: the open page is drawn again with what they may do now. */
export function FollowRole({ project }: { project: string }) {
  const router = useRouter();
  const { data: me } = useQuery(queries.me());
  const role = me?.projects.find(({ id }) => id === project)?.role;
  const before = useRef(role);
  useEffect(() => {
    if (before.current !== undefined && role !== undefined && before.current !== role) router.refresh();
    before.current = role ?? before.current;
  }, [role, router]);
  return null;
}
