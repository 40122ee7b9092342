"use client";
import { useQueryClient } from "@tanstack/react-query";
import { Archive, ArchiveRestore, Ellipsis, MailOpen, Pencil, Pin, PinOff, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { type FormEvent, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { IconButton } from "@/components/ui/icon-button";
import { Input } from "@/components/ui/input";
import { isComposing } from "@/components/ui/keys";
import { useT } from "@/components/ui/language";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu";
import { toast } from "@/components/ui/toast";
import { send } from "@/lib/api/client";
import { places } from "@/lib/api/places";
import { routes, type SessionRef } from "@/lib/api/routes";
import type { PatchSessionBody } from "@/lib/api/schemas";
import type { ChangeMarks } from "./use-marks";

interface ConversationMenuProps {
  sessionRef: SessionRef;
  title: string;
  archived: boolean;
  pinned: boolean;
  onMark: ChangeMarks;
  /** It is the page that is open. */
  here: boolean;
}

/** What can be done with a conversation from the list. */
export function ConversationMenu({ sessionRef, title, archived, pinned, onMark, here }: ConversationMenuProps) {
  const t = useT();
  const [asking, setAsking] = useState<"rename" | "delete" | null>(null);
  const { patch, remove, busy } = useSessionChanges(sessionRef, here);
  // There are many rows, and seldom is one deleted.
  const asked = useRef(false);
  asked.current ||= asking === "delete";
  const close = () => setAsking(null);
  const key = `${sessionRef.agent}/${sessionRef.session}`;
  return (
    <>
      <div className="absolute top-0.5 right-1 opacity-0 pointer-coarse:top-1.5 pointer-coarse:opacity-100 focus-within:opacity-100 group-hover:opacity-100 has-data-[state=open]:opacity-100 max-sm:opacity-100">
        <Menu
          align="end"
          trigger={
            <IconButton label={t("nav.actions", { title })} size="sm">
              <Ellipsis />
            </IconButton>
          }
        >
          <MenuItem onSelect={() => void onMark(pinned ? { unpin: key } : { pin: key })}>
            {pinned ? <PinOff aria-hidden="true" /> : <Pin aria-hidden="true" />}
            {t(pinned ? "list.unpin" : "list.pin")}
          </MenuItem>
          <MenuItem onSelect={() => void onMark({ unread: key })}>
            <MailOpen aria-hidden="true" />
            {t("list.mark_unread")}
          </MenuItem>
          <MenuItem onSelect={() => setAsking("rename")}>
            <Pencil aria-hidden="true" />
            {t("nav.rename")}
          </MenuItem>
          <MenuItem onSelect={() => void patch({ archived: !archived })}>
            {archived ? <ArchiveRestore aria-hidden="true" /> : <Archive aria-hidden="true" />}
            {t(archived ? "nav.unarchive" : "nav.archive")}
          </MenuItem>
          <MenuSeparator />
          <MenuItem danger onSelect={() => setAsking("delete")}>
            <Trash2 aria-hidden="true" />
            {t("nav.delete")}
          </MenuItem>
        </Menu>
      </div>
      {asking === "rename" && (
        <Rename
          title={title}
          busy={busy}
          onClose={close}
          onRename={async (next) => {
            if (await patch({ title: next })) close();
          }}
        />
      )}
      {asked.current && (
        <Confirm
          open={asking === "delete"}
          onOpenChange={(open) => !open && close()}
          title={t("nav.delete_title", { title })}
          body={t("nav.delete_body")}
          action={t("nav.delete")}
          danger
          busy={busy}
          onConfirm={async () => {
            if (await remove()) close();
          }}
        />
      )}
    </>
  );
}

/** Changes of one Session; what the server refuses is said. Each answers whether it was done. */
function useSessionChanges(ref: SessionRef, here: boolean) {
  const t = useT();
  const client = useQueryClient();
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const change = async (method: "PATCH" | "DELETE", body?: PatchSessionBody) => {
    setBusy(true);
    const result = await send(method, routes.session(ref), body);
    setBusy(false);
    if (!result.ok) toast.error(result.error.message);
    void client.invalidateQueries({ queryKey: ["sessions", ref.project] });
    if (method === "PATCH")
      void client.invalidateQueries({ queryKey: ["session", ref.project, ref.agent, ref.session] });
    return result.ok;
  };
  const remove = async () => {
    const gone = await change("DELETE");
    if (gone) toast.success(t("nav.deleted"));
    if (gone && here) router.push(places.newConversation(ref.project, ref.agent));
    return gone;
  };
  return { busy, patch: (body: PatchSessionBody) => change("PATCH", body), remove };
}

interface RenameProps {
  title: string;
  busy: boolean;
  onClose: () => void;
  onRename: (title: string) => void;
}

function Rename({ title, busy, onClose, onRename }: RenameProps) {
  const t = useT();
  const [text, setText] = useState(title);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== "") onRename(text.trim());
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t("nav.rename_title")}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={t("nav.title")}>
          {(control) => (
            <Input
              {...control}
              value={text}
              maxLength={120}
              onChange={(event) => setText(event.target.value)}
              // Safari ends a composition first and sends its Enter afterwards.
              onKeyDown={(event) => event.key === "Enter" && isComposing(event) && event.preventDefault()}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" variant="primary" busy={busy} disabled={text.trim() === ""}>
            {t("nav.rename")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
