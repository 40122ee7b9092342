import { Words } from "@/app/words";
import { problemOf } from "@/lib/api/sign-in";
import { runtime } from "@/server/runtime";
import { localTitle } from "../../(app)/title";
import { SignInForm } from "./sign-in-form";

export const generateMetadata = localTitle("signin.title");

type Given = string | string[] | undefined;
interface SignInPageProps {
  searchParams: Promise<{ to?: Given; expired?: Given; error?: Given }>;
}

const one = (given: Given) => (typeof given === "string" ? given : undefined);

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { to, expired, error } = await searchParams;
  const { sso } = await runtime();
  return (
    <Words areas={["signIn"]}>
      <SignInForm
        to={one(to)}
        expired={expired === "1"}
        problem={problemOf(one(error))}
        elsewhere={sso?.settings.name}
      />
    </Words>
  );
}
