import { catalog } from "@/lib/model/catalog";
import { handle, json } from "@/server/http";

/** What is known about the models of the big vendors: fills the form. */
export const GET = handle({ right: "read", params: ["project"] }, () => json(catalog()));
