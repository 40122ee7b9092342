"use client";
import { QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { ThemeProvider } from "next-themes";
import { type ReactNode, useCallback, useState } from "react";
import { LanguageProvider } from "@/components/ui/language";
import { type PreferenceChange, PreferencesContext } from "@/components/ui/preferences";
import { Toaster } from "@/components/ui/toast";
import { failureFrom, send } from "@/lib/api/client";
import { queries } from "@/lib/api/queries";
import { routes } from "@/lib/api/routes";
import type { Me } from "@/lib/api/schemas";
import { isSigningOut } from "@/lib/api/sign-in";
import type { Language } from "@/lib/i18n/t";

interface ProvidersProps {
  language: Language;
  /** Of this page's scripts: the theme is chosen before the first paint, by a script in the page. */
  nonce?: string;
  children: ReactNode;
}

/** Everything the pages need around them: theme, language, server state, tooltips, toasts. */
export function Providers({ language, nonce, children }: ProvidersProps) {
  const [client] = useState(makeClient);
  const savePreference = useCallback(
    async (change: PreferenceChange) => {
      const result = await send<Me>("PATCH", routes.me(), change);
      // A choice that could not be kept holds in this browser all the same.
      if (result.ok) client.setQueryData(queries.me().queryKey, result.data);
    },
    [client],
  );
  return (
    <ThemeProvider attribute="class" defaultTheme="system" enableSystem disableTransitionOnChange nonce={nonce}>
      <LanguageProvider initial={language}>
        <QueryClientProvider client={client}>
          <PreferencesContext value={savePreference}>{children}</PreferencesContext>
          <Toaster />
        </QueryClientProvider>
      </LanguageProvider>
    </ThemeProvider>
  );
}

function makeClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (failureFrom(error).status === 401) goToSignIn();
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // What the server refused will be refused again; only the network deserves another try.
        retry: (count, error) => count < 2 && (failureFrom(error).status === 0 || failureFrom(error).status >= 500),
        refetchOnWindowFocus: true,
      },
    },
  });
}

/** The sign-in ended: come back to this very page afterwards. */
function goToSignIn(): void {
  if (isSigningOut() || location.pathname.startsWith("/sign-in")) return;
  const here = location.pathname + location.search + location.hash;
  location.replace(`/sign-in?to=${encodeURIComponent(here)}&expired=1`);
}
