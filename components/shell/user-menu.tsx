"use client";
import { useQuery } from "@tanstack/react-query";
import { ChevronsUpDown, KeyRound, LogOut, Monitor, Moon, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import { useState } from "react";
import { useLanguage, useT } from "@/components/ui/language";
import { Menu, MenuChoice, MenuItem, MenuSeparator } from "@/components/ui/menu";
import { toast } from "@/components/ui/toast";
import { queries } from "@/lib/api/queries";
import { signOut } from "@/lib/api/sign-in";
import { PasswordDialog } from "./password";

/** Who is signed in; theme, language and the way out. */
export function UserMenu() {
  const t = useT();
  const me = useQuery(queries.me());
  const { theme = "system", setTheme } = useTheme();
  const [language, setLanguage] = useLanguage();
  const name = me.data?.user.name ?? me.data?.user.id ?? "…";

  const [changing, setChanging] = useState(false);
  return (
    <>
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
          onChange={setTheme}
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
          onChange={setLanguage}
          options={[
            { value: "en", label: "English" },
            { value: "zh", label: "中文" },
          ]}
        />
        <MenuSeparator />
        <MenuItem onSelect={() => setChanging(true)}>
          <KeyRound aria-hidden="true" />
          {t("password.change")}
        </MenuItem>
        <MenuItem onSelect={() => void leave(t("user.sign_out_failed"))}>
          <LogOut aria-hidden="true" />
          {t("user.sign_out")}
        </MenuItem>
      </Menu>
      <PasswordDialog open={changing} onClose={() => setChanging(false)} />
    </>
  );
}

/** Signs out and shows the sign-in page; a failure is told in `failed`. */
export async function leave(failed: string): Promise<void> {
  if (await signOut()) location.assign("/sign-in");
  else toast.error(failed);
}
