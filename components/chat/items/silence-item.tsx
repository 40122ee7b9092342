"use client";
import { MessageSquareOff } from "lucide-react";
import { useT } from "@/components/ui/language";
import { Notice } from "./row";

/** The model ended its turn and said nothing. */
export function SilenceItem() {
  const t = useT();
  return <Notice icon={<MessageSquareOff className="text-faint" aria-hidden="true" />}>{t("chat.no_answer")}</Notice>;
}
