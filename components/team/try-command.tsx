"use client";
import { useState } from "react";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { type T, useT } from "@/components/ui/language";
import type { CommandPolicyView } from "@/lib/api/command-policy";
import { readPattern, spellings } from "@/lib/command-rules";

/** The same search as the server's, without its time limit. */
function verdict({ enabled, rules }: CommandPolicyView, command: string, t: T): string {
  if (!enabled) return t("policy.try_off");
  const texts = spellings(command);
  const active = rules.filter((rule) => rule.enabled);
  const rule =
    active.find(({ problem }) => problem !== undefined) ??
    active.find(({ pattern }) => {
      const read = readPattern(pattern);
      return read.ok && texts.some((text) => read.regexp.test(text));
    });
  return rule ? t("policy.try_refused", { name: rule.name }) : t("policy.try_passed");
}

/** Says what the rules would do with a command. */
export function TryCommand({ policy }: { policy: CommandPolicyView }) {
  const t = useT();
  const [command, setCommand] = useState("");
  return (
    <div className="px-4 py-3">
      <Field
        label={t("policy.try")}
        hint={<span role="status">{command === "" ? t("policy.try_hint") : verdict(policy, command, t)}</span>}
      >
        {(control) => (
          <Input
            {...control}
            value={command}
            maxLength={300}
            spellCheck={false}
            autoCapitalize="none"
            className="font-mono"
            onChange={(event) => setCommand(event.target.value)}
          />
        )}
      </Field>
    </div>
  );
}
