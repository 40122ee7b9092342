import type { Metadata } from "next";
import { SignInForm } from "./sign-in-form";

export const metadata: Metadata = { title: "Sign in" };

interface SignInPageProps {
  searchParams: Promise<{ to?: string | string[]; expired?: string; error?: string }>;
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { to, expired, error } = await searchParams;
  return (
    <SignInForm to={typeof to === "string" ? to : undefined} expired={expired === "1"} refused={error !== undefined} />
  );
}
