"use client";
import { useTheme } from "next-themes";
import { Field } from "@/components/ui/field";
import { useLanguage, useT } from "@/components/ui/language";
import { useSavePreference } from "@/components/ui/preferences";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";

const THEMES = ["system", "light", "dark"] as const;

/** Language and theme; a choice holds at once, here and in one's other browsers. */
export function PreferencesCard() {
  const t = useT();
  const save = useSavePreference();
  const { theme, setTheme } = useTheme();
  const [language, setLanguage] = useLanguage();
  return (
    <Section title={t("account.preferences")} lead={t("account.preferences_lead")}>
      <div className="grid gap-x-6 gap-y-4 px-4 py-3 sm:grid-cols-2">
        <Field label={t("user.language")}>
          {({ id }) => (
            <Select
              id={id}
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
          )}
        </Field>
        <Field label={t("user.theme")}>
          {({ id }) => (
            <Select
              id={id}
              value={THEMES.find((known) => known === theme) ?? "system"}
              onChange={(next) => {
                setTheme(next);
                save({ theme: next });
              }}
              options={THEMES.map((value) => ({ value, label: t(`user.theme_${value}`) }))}
            />
          )}
        </Field>
      </div>
    </Section>
  );
}
