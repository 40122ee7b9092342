"use client";
import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { IconButton } from "@/components/ui/icon-button";
import { Input } from "@/components/ui/input";
import { useT } from "@/components/ui/language";

/** A password, which can be shown while it is typed. */
export function PasswordInput(props: Omit<ComponentProps<"input">, "type">) {
  const t = useT();
  const [shown, setShown] = useState(false);
  return (
    <div className="relative">
      <Input {...props} type={shown ? "text" : "password"} className="pr-10" spellCheck={false} autoCapitalize="none" />
      <IconButton
        label={t(shown ? "signin.hide_password" : "signin.show_password")}
        size="sm"
        className="absolute top-1 right-1"
        onClick={() => setShown(!shown)}
      >
        {shown ? <EyeOff /> : <Eye />}
      </IconButton>
    </div>
  );
}
