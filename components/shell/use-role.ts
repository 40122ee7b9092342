"use client";
import { useQuery } from "@tanstack/react-query";
import { queries } from "@/lib/api/queries";
import type { Role } from "@/lib/api/schemas";

/** What this person is in the Project; undefined: not known yet, or nothing. */
export function useRole(project: string): Role | undefined {
  const { data: me } = useQuery(queries.me());
  return me?.projects.find(({ id }) => id === project)?.role;
}
