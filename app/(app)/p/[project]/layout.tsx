import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { AppFrame } from "@/components/shell/app-frame";
import { runtime } from "@/server/runtime";
import { Words } from "../../../words";
import { drawnRole } from "../../open";

interface ProjectLayoutProps {
  params: Promise<{ project: string }>;
  children: ReactNode;
}

export default async function ProjectLayout({ params, children }: ProjectLayoutProps) {
  const { project } = await params;
  const role = await drawnRole(project);
  // The rail stands at once, instead of growing when its lists arrive.
  const agents = role ? await (await runtime()).agents.list(project) : null;
  const collapsed = (await cookies()).get("penguin_rail")?.value === "closed";
  return (
    <Words areas={["frame", "list"]}>
      <AppFrame project={project} role={role} agents={agents} initialCollapsed={collapsed}>
        {children}
      </AppFrame>
    </Words>
  );
}
