import { AccountPage } from "@/components/team/account-page";
import { places } from "@/lib/api/places";
import { Words } from "../../words";
import { signedIn } from "../open";
import { localTitle } from "../title";

export const generateMetadata = localTitle("account.title");

/** The same page without the frame of a Project: for somebody who is in none. */
export default async function BareAccountRoute() {
  await signedIn(places.bareAccount());
  return (
    <Words areas={["account", "team", "list", "frame"]}>
      <main className="flex h-dvh flex-col">
        <AccountPage bare />
      </main>
    </Words>
  );
}
