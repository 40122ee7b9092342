/** @type {import("next").NextConfig} */
const config = {
  turbopack: { root: import.meta.dirname },
  poweredByHeader: false,
  // Types are a gate of `npm run check` (one second); here they would cost every first start half a minute.
  typescript: { ignoreBuildErrors: true },
  // Event streams must never be buffered or compressed on their way to the browser.
  compress: false,
  serverExternalPackages: ["@node-rs/argon2"],
};

export default config;
