"use client";
import { useCallback, useState } from "react";
import { type ApiFailure, type Result, send } from "@/lib/api/client";

type Method = "POST" | "PUT" | "PATCH" | "DELETE";

/** One change at a time: whether it is under way, and why the last one failed. */
export function useChange() {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const change = useCallback(async <T = unknown>(method: Method, url: string, body?: unknown): Promise<Result<T>> => {
    setBusy(true);
    setFailure(null);
    const result = await send<T>(method, url, body);
    setBusy(false);
    if (!result.ok) setFailure(result.error);
    return result;
  }, []);
  return { busy, failure, change, forget: useCallback(() => setFailure(null), []) };
}
