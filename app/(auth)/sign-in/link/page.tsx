import { Words } from "@/app/words";
import { localTitle } from "../../../(app)/title";
import { LinkForm } from "./link-form";

export const generateMetadata = localTitle("link.title");

export default function LinkPage() {
  return (
    <Words areas={["signIn"]}>
      <LinkForm />
    </Words>
  );
}
