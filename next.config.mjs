/** For every answer, static files included; what depends on the request is said in proxy.ts and server/http.ts. */
const STATIC_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": [
    "camera",
    "display-capture",
    "geolocation",
    "hid",
    "microphone",
    "midi",
    "payment",
    "serial",
    "usb",
  ]
    .map((feature) => `${feature}=()`)
    .join(", "),
};

/** @type {import("next").NextConfig} */
const config = {
  turbopack: { root: import.meta.dirname },
  poweredByHeader: false,
  // Types are a gate of `npm run check` (one second); here they would cost every first start half a minute.
  typescript: { ignoreBuildErrors: true },
  experimental: {
    // Nothing reads them; making them is a quarter of a first build and four fifths of its size.
    turbopackSourceMaps: false,
    // Writing it takes half a minute: not on a machine that builds once.
    turbopackFileSystemCacheForBuild: !process.env.CI,
  },
  // Event streams must never be buffered or compressed on their way to the browser.
  compress: false,
  // Titles and icons stand in the head of every answer: a browser that finds no icon there asks for one that is not.
  htmlLimitedBots: /.*/,
  serverExternalPackages: ["@node-rs/argon2"],
  rewrites: async () => [{ source: "/favicon.ico", destination: "/icon.svg" }],
  headers: async () => [
    { source: "/:path*", headers: Object.entries(STATIC_HEADERS).map(([key, value]) => ({ key, value })) },
    // The address is what opens it.
    { source: "/share/:path*", headers: [{ key: "Referrer-Policy", value: "no-referrer" }] },
  ],
};

export default config;
