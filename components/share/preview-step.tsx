"use client";
import { ShieldCheck } from "lucide-react";
import { useMemo, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useT } from "@/components/ui/language";
import { Select } from "@/components/ui/select";
import type { CreateShareBody, Masked, SessionShares, SharePreview } from "@/lib/api/share";

export type Terms = Pick<CreateShareBody, "expires" | "public">;

interface PreviewStepProps {
  preview: SharePreview;
  may: SessionShares["may"];
  busy: boolean;
  onBack: () => void;
  onCreate: (terms: Terms) => void;
}

const ENDS = ["1", "7", "30", "custom", "never"] as const;
type End = (typeof ENDS)[number];
const DAY_MS = 24 * 3600 * 1000;

/** A day as its field spells it. */
const dayText = (ms: number) => new Date(ms).toLocaleDateString("sv-SE");

/** The last moment of a day, here. null: no such day, or one that is over. */
function endOfDay(day: string): string | null {
  const at = new Date(`${day}T23:59:59`).getTime();
  return Number.isFinite(at) && at > Date.now() ? new Date(at).toISOString() : null;
}

/** The page as a reader gets it, what is not in it, and on which terms it is read. */
export function PreviewStep({ preview, may, busy, onBack, onCreate }: PreviewStepProps) {
  const t = useT();
  const [end, setEnd] = useState<End>("7");
  const [day, setDay] = useState(() => dayText(Date.now() + 14 * DAY_MS));
  const [open, setOpen] = useState(false);
  const custom = endOfDay(day);
  const create = () => {
    const last = end === "custom" ? custom : new Date(Date.now() + Number(end) * DAY_MS).toISOString();
    if (end === "never") onCreate({ expires: null, public: open });
    else if (last) onCreate({ expires: last, public: open });
  };
  const label = (value: End) => {
    if (value === "custom") return t("share.custom");
    return value === "never" ? t("share.forever") : t("share.days", { count: Number(value) });
  };
  return (
    <>
      <Frame html={preview.html} />
      <Found masked={preview.masked} />
      <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        <div className="flex flex-col gap-3">
          <Field label={t("share.expires")}>
            {({ id }) => (
              <Select
                id={id}
                value={end}
                onChange={setEnd}
                options={ENDS.filter((value) => value !== "never" || may.never).map((value) => ({
                  value,
                  label: label(value),
                }))}
              />
            )}
          </Field>
          {end === "custom" && (
            <Field label={t("share.custom_day")}>
              {(control) => (
                <Input
                  {...control}
                  type="date"
                  value={day}
                  min={dayText(Date.now())}
                  max={dayText(Date.now() + 365 * DAY_MS)}
                  onChange={(event) => setDay(event.target.value)}
                />
              )}
            </Field>
          )}
        </div>
        <Field
          label={t("share.readers")}
          hint={
            open
              ? t("share.public_detail")
              : `${t("share.signed_in_detail")} ${may.public ? "" : t("share.public_off")}`
          }
        >
          {({ id }) => (
            <Select
              id={id}
              value={open ? "public" : "signed_in"}
              onChange={(value) => setOpen(value === "public")}
              options={[
                { value: "signed_in", label: t("share.signed_in") },
                { value: "public", label: t("share.public"), disabled: !may.public },
              ]}
            />
          )}
        </Field>
      </div>
      <div className="flex justify-end gap-2">
        <Button onClick={onBack}>{t("share.back")}</Button>
        <Button variant="primary" busy={busy} disabled={end === "custom" && !custom} onClick={create}>
          {t("share.create")}
        </Button>
      </div>
    </>
  );
}

/** The same bytes, but for the page's own script, which asks whether the link still holds: here there is none yet. */
function Frame({ html }: { html: string }) {
  const t = useT();
  const still = useMemo(() => html.replace(/<script>.*<\/script>\n/, ""), [html]);
  return (
    <iframe
      title={t("share.preview_frame")}
      sandbox=""
      srcDoc={still}
      className="h-[min(26rem,45dvh)] w-full rounded-lg border bg-page"
    />
  );
}

function Found({ masked }: { masked: readonly Masked[] }) {
  const t = useT();
  return (
    <section aria-label={t("share.masked")} className="rounded-lg border px-3 py-2.5 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <ShieldCheck className="size-4 shrink-0 text-good" aria-hidden="true" />
        {masked.length === 0 ? t("share.masked_nothing") : <span className="font-medium">{t("share.masked")}</span>}
        {masked.map(({ kind, count }) => (
          <Badge key={kind}>{t("share.kind", { name: t(`share.kind.${kind}`), count })}</Badge>
        ))}
      </p>
      <p className="mt-1 text-xs text-dim">{t("share.masked_hint")}</p>
    </section>
  );
}
