/** For every test of a view: only what hangs is to end by time, a busy machine makes everything ten times slower. */
if (typeof document !== "undefined") {
  const { configure } = await import("@testing-library/react");
  configure({ asyncUtilTimeout: 20_000 });
}

export {};
