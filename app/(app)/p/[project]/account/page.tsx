import { AccountPage } from "@/components/team/account-page";
import { places } from "@/lib/api/places";
import { Words } from "../../../../words";
import { openProject } from "../../../open";
import { localTitle } from "../../../title";

interface AccountRouteProps {
  params: Promise<{ project: string }>;
}

export const generateMetadata = localTitle("account.title");

export default async function AccountRoute({ params }: AccountRouteProps) {
  const { project } = await params;
  await openProject(places.account(project), project);
  return (
    <Words areas={["account", "team"]}>
      <AccountPage />
    </Words>
  );
}
