"use client";
import { Bell, BellOff, CheckCheck, ListFilter } from "lucide-react";
import { IconButton } from "@/components/ui/icon-button";
import { useT } from "@/components/ui/language";
import { Menu, MenuChoice, MenuItem, MenuSeparator } from "@/components/ui/menu";
import { GROUPINGS, type Grouping } from "./conversations";
import { useNotifyChoice } from "./use-notify-choice";

interface ListOptionsProps {
  grouping: Grouping;
  onGrouping: (grouping: Grouping) => void;
  onAllSeen: () => void;
}

/** How the list is ordered, and what a person is told while looking elsewhere. */
export function ListOptions({ grouping, onGrouping, onAllSeen }: ListOptionsProps) {
  const t = useT();
  const { state, toggle } = useNotifyChoice();
  return (
    <Menu
      align="end"
      className="w-60"
      trigger={
        <IconButton label={t("list.options")} size="sm">
          <ListFilter />
        </IconButton>
      }
    >
      <MenuChoice
        label={t("list.group_by")}
        value={grouping}
        onChange={onGrouping}
        options={GROUPINGS.map((value) => ({ value, label: t(`list.by_${value}`) }))}
      />
      <MenuSeparator />
      <MenuItem onSelect={onAllSeen}>
        <CheckCheck aria-hidden="true" />
        {t("list.all_seen")}
      </MenuItem>
      <MenuItem disabled={state === "unavailable"} onSelect={() => void toggle()}>
        {state === "on" ? <BellOff aria-hidden="true" /> : <Bell aria-hidden="true" />}
        <span>
          {t(state === "on" ? "notify.turn_off" : "notify.turn_on")}
          <span className="block text-xs text-dim">
            {t(state === "unavailable" ? "notify.unavailable" : "notify.detail")}
          </span>
        </span>
      </MenuItem>
    </Menu>
  );
}
