"use client";
import { useQuery } from "@tanstack/react-query";
import { ChartNoAxesColumn, ChevronsUpDown, LogOut, Monitor, Moon, Sun, UserRound } from "lucide-react";
import { useParams, useRouter } from "next/navigation";
import { useTheme } from "next-themes";
import { useLanguage, useT } from "@/components/ui/language";
import { Menu, MenuChoice, MenuItem, MenuSeparator } from "@/components/ui/menu";
import { useSavePreference } from "@/components/ui/preferences";
import { toast } from "@/components/ui/toast";
import { places } from "@/lib/api/places";
import { queries } from "@/lib/api/queries";
import { signOut } from "@/lib/api/sign-in";

/** Who is signed in; theme, language and the way out. */
export function UserMenu() {
  const t = useT();
  const me = useQuery(queries.me());
  const { theme = "system", setTheme } = useTheme();
  const [language, setLanguage] = useLanguage();
  const name = me.data?.user.name ?? me.data?.user.id ?? "…";

  const save = useSavePreference();
  const router = useRouter();
  const { project } = useParams<{ project?: string }>();
  return (
    <Menu
      side="top"
      className="min-w-60"
      trigger={
        <button
          type="button"
          aria-label={t("user.menu", { name })}
          className="mt-1 flex h-10 w-full min-w-0 items-center gap-2.5 rounded-md px-2 text-left hover:bg-hover data-[state=open]:bg-hover"
        >
          <span
            aria-hidden="true"
            className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent-ink ring-1 ring-accent-line ring-inset"
          >
            {name.slice(0, 1).toLocaleUpperCase()}
          </span>
          <span className="min-w-0 flex-1 truncate text-sm">{name}</span>
          <ChevronsUpDown className="size-3.5 shrink-0 text-faint" aria-hidden="true" />
        </button>
      }
    >
      <MenuChoice
        label={t("user.theme")}
        value={theme}
        onChange={(next) => {
          setTheme(next);
          if (next === "system" || next === "light" || next === "dark") save({ theme: next });
        }}
        options={[
          { value: "system", label: t("user.theme_system"), icon: <Monitor aria-hidden="true" /> },
          { value: "light", label: t("user.theme_light"), icon: <Sun aria-hidden="true" /> },
          { value: "dark", label: t("user.theme_dark"), icon: <Moon aria-hidden="true" /> },
        ]}
      />
      <MenuSeparator />
      <MenuChoice
        label={t("user.language")}
        value={language}
        onChange={(next) => {
          setLanguage(next);
          save({ language: next });
        }}
        options={[
          { value: "en", label: "English" },
          { value: "zh", label: "中文" },
        ]}
      />
      <MenuSeparator />
      <MenuItem onSelect={() => router.push(project ? places.account(project) : places.bareAccount())}>
        <UserRound aria-hidden="true" />
        {t("account.title")}
      </MenuItem>
      {project && (
        <MenuItem onSelect={() => router.push(places.ownUsage(project))}>
          <ChartNoAxesColumn aria-hidden="true" />
          {t("usage.own")}
        </MenuItem>
      )}
      <MenuItem onSelect={() => void leave(t("user.sign_out_failed"))}>
        <LogOut aria-hidden="true" />
        {t("user.sign_out")}
      </MenuItem>
    </Menu>
  );
}

/** Signs out and shows the sign-in page; a failure is told in `failed`. */
export async function leave(failed: string): Promise<void> {
  if (await signOut()) location.assign("/sign-in");
  else toast.error(failed);
}
