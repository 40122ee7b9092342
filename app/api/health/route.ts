import { handlePublic, json } from "@/server/http";

export const GET = handlePublic({}, () => json({ status: "ok" }));
