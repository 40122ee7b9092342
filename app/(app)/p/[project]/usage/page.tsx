import { UsagePage } from "@/components/usage/usage-page";
import { places } from "@/lib/api/places";
import { Words } from "../../../../words";
import { openProject } from "../../../open";
import { localTitle } from "../../../title";

interface UsageRouteProps {
  params: Promise<{ project: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export const generateMetadata = localTitle("usage.title");

export default async function UsageRoute({ params, searchParams }: UsageRouteProps) {
  const { project } = await params;
  // Whoever must sign in first comes back to what the address asked for.
  const asked = new URLSearchParams();
  for (const [key, value] of Object.entries(await searchParams)) if (typeof value === "string") asked.set(key, value);
  const { role } = await openProject(places.usage(project, asked.toString()), project);
  return (
    <Words areas={["usage", "sessionUsage", "budget", "composer"]}>
      <UsagePage project={project} canSetBudgets={role === "owner"} />
    </Words>
  );
}
