import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { AppFrame } from "@/components/shell/app-frame";
import { Words } from "../../../words";
import { drawnRole } from "../../open";

interface ProjectLayoutProps {
  params: Promise<{ project: string }>;
  children: ReactNode;
}

export default async function ProjectLayout({ params, children }: ProjectLayoutProps) {
  const { project } = await params;
  const collapsed = (await cookies()).get("penguin_rail")?.value === "closed";
  return (
    <Words areas={["frame", "list"]}>
      <AppFrame project={project} role={await drawnRole(project)} initialCollapsed={collapsed}>
        {children}
      </AppFrame>
    </Words>
  );
}
