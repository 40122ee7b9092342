"use client";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import { ShownOnce } from "../team/shown-once";

/** The link, for the only time. */
export function MadeStep({ link, onClose }: { link: string; onClose: () => void }) {
  const t = useT();
  return (
    <>
      <ShownOnce label={t("share.link")} copyLabel={t("share.copy")} text={link} />
      <div className="flex justify-end">
        <Button variant="primary" onClick={onClose}>
          {t("share.done")}
        </Button>
      </div>
    </>
  );
}
