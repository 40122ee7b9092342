/** Runs once, before the first request. Also compiled for the edge runtime, hence the import inside. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs" || process.env.NEXT_PHASE === "phase-production-build") return;
  const { boot } = await import("./instrumentation-node");
  await boot();
}
