import type { Metadata } from "next";
import { LinkForm } from "./link-form";

export const metadata: Metadata = { title: "Set your password" };

export default function LinkPage() {
  return <LinkForm />;
}
