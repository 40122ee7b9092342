import { AppError, errorBody } from "@/lib/api/errors";
import { json } from "@/server/http";

/** An address that no route has: JSON, never a page. */
const unknown = () => json(errorBody(new AppError("not_found")), 404, { "cache-control": "private, no-store" });

export { unknown as DELETE, unknown as GET, unknown as PATCH, unknown as POST, unknown as PUT };
