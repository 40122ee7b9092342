import "./globals.css";
import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { Providers } from "./providers";
import { requestLanguage } from "./request-language";
import { Words } from "./words";

export const metadata: Metadata = {
  title: { default: "PenguinHarness", template: "%s · PenguinHarness" },
  description: "Work with Agents that run commands and edit files, together with your team.",
  referrer: "same-origin",
  icons: { icon: { url: "/icon.svg", type: "image/svg+xml" } },
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  interactiveWidget: "resizes-content",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f8f9fa" },
    { media: "(prefers-color-scheme: dark)", color: "#0b0d10" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const asked = await headers();
  const language = await requestLanguage();
  return (
    <html lang={language} className={`${GeistSans.variable} ${GeistMono.variable}`} suppressHydrationWarning>
      <body>
        <Providers language={language} nonce={asked.get("x-nonce") ?? undefined}>
          <Words areas={["shell", "errors"]}>{children}</Words>
        </Providers>
      </body>
    </html>
  );
}
