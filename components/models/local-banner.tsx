"use client";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import type { LocalServer, ModelsView } from "@/lib/api/schemas";
import { hostOf } from "./draft";

interface LocalBannerProps {
  servers: readonly LocalServer[];
  view: ModelsView;
  onAdd: (server: LocalServer) => void;
}

/** Model servers on this machine that are not in the table yet. */
export function LocalBanner({ servers, view, onAdd }: LocalBannerProps) {
  const t = useT();
  const known = new Set(view.models.map((model) => portOf(model.address)));
  return servers
    .filter((server) => !known.has(portOf(server.base_url)))
    .map((server) => (
      <Banner
        key={server.base_url}
        action={
          <Button size="sm" onClick={() => onAdd(server)}>
            {t("models.local_add")}
          </Button>
        }
      >
        <strong className="font-medium">{t("models.local_title", { name: server.name })}</strong>{" "}
        <span className="text-dim">
          {t("models.local_body", { address: hostOf(server.base_url), count: server.models.length })}
        </span>
      </Banner>
    ));
}

/** `localhost` and `127.0.0.1` are one place. */
const portOf = (url = "") => (/^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])/.test(url) ? new URL(url).port : "");
