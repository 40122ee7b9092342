/** Uploads a file with progress, which fetch does not report. */
import { networkFailure, type Result, resultOf } from "./client";

interface UploadOptions {
  type: string;
  /** Bytes sent so far and in all. */
  onProgress?: (sent: number, total: number) => void;
  signal?: AbortSignal;
}

/** POSTs the file as it is. `null` when it was stopped through the signal. */
export function upload<T>(url: string, file: Blob, options: UploadOptions): Promise<Result<T> | null> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    request.setRequestHeader("Content-Type", options.type);
    request.upload.onprogress = (event) => options.onProgress?.(event.loaded, event.total);
    request.onload = () => resolve(resultOf<T>(request.status, request.responseText));
    request.onerror = () => resolve({ ok: false, error: networkFailure() });
    request.onabort = () => resolve(null);
    options.signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}
