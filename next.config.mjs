/** @type {import("next").NextConfig} */
const config = {
  turbopack: { root: import.meta.dirname },
  poweredByHeader: false,
  // Event streams must never be buffered or compressed on their way to the browser.
  compress: false,
  serverExternalPackages: ["@node-rs/argon2"],
};

export default config;
