/** @type {import("next").NextConfig} */
const config = {
  turbopack: { root: import.meta.dirname },
  poweredByHeader: false,
  // Types are a gate of `npm run check` (one second); here they would cost every first start half a minute.
  typescript: { ignoreBuildErrors: true },
  // Event streams must never be buffered or compressed on their way to the browser.
  compress: false,
  // The vendors' packages are loaded with the first Request to them, not with the server.
  serverExternalPackages: ["@node-rs/argon2", "@anthropic-ai/sdk", "@google/genai"],
};

export default config;
