"use client";
import { useQuery } from "@tanstack/react-query";
import { usePathname } from "next/navigation";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { places } from "@/lib/api/places";
import { queries } from "@/lib/api/queries";

/** Somebody else knows this person's password: it says so until it is changed. */
export function PasswordBanner({ project }: { project: string }) {
  const t = useT();
  const { data: me } = useQuery(queries.me());
  const account = places.account(project);
  // The account page says it beside the fields.
  const there = usePathname() === account;
  if (!me?.user.password_is_initial || there) return null;
  return (
    <Banner
      tone="attention"
      className="m-2 mb-0 shrink-0"
      action={
        <Button size="sm" asChild>
          <Link href={account}>{t("password.change")}</Link>
        </Button>
      }
    >
      {t("password.initial")}
    </Banner>
  );
}
