"use client";
import { useQuery } from "@tanstack/react-query";
import { ChevronsUpDown, Plus, Settings } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { behind } from "@/components/ui/behind";
import { useT } from "@/components/ui/language";
import { Menu, MenuChoice, MenuItem, MenuSeparator } from "@/components/ui/menu";
import { places } from "@/lib/api/places";
import { queries } from "@/lib/api/queries";
import { Mark } from "./mark";

const CreateProject = dynamic(
  behind(() => import("./create-project").then((module) => module.CreateProject)),
  { ssr: false },
);

/** Which Project this is, and the way to another one. */
export function ProjectSwitcher({ project }: { project: string }) {
  const t = useT();
  const router = useRouter();
  const me = useQuery(queries.me());
  const projects = me.data?.projects ?? [];
  const name = projects.find((candidate) => candidate.id === project)?.name ?? project;

  const [creating, setCreating] = useState(false);
  return (
    <>
      <Menu
        className="min-w-60"
        trigger={
          <button
            type="button"
            aria-label={`${t("nav.project")}: ${name}`}
            className="flex h-9 min-w-0 flex-1 items-center gap-2 rounded-md px-2 text-left hover:bg-hover data-[state=open]:bg-hover"
          >
            <Mark className="size-5 shrink-0" />
            <span className="min-w-0 flex-1 truncate text-sm font-semibold">{name}</span>
            <ChevronsUpDown className="size-3.5 shrink-0 text-faint" aria-hidden="true" />
          </button>
        }
      >
        <MenuChoice
          label={t("nav.switch_project")}
          value={project}
          options={projects.map((candidate) => ({ value: candidate.id, label: candidate.name }))}
          onChange={(next) => router.push(places.project(next))}
        />
        <MenuSeparator />
        <MenuItem onSelect={() => setCreating(true)}>
          <Plus aria-hidden="true" />
          {t("nav.new_project")}
        </MenuItem>
        <MenuItem onSelect={() => router.push(places.settings(project))}>
          <Settings aria-hidden="true" />
          {t("nav.project_settings")}
        </MenuItem>
      </Menu>
      {creating && <CreateProject onClose={() => setCreating(false)} />}
    </>
  );
}
