import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { NoProject } from "@/components/shell/no-project";
import { places } from "@/lib/api/places";
import { runtime } from "@/server/runtime";
import { signedIn } from "./(app)/open";
import { Words } from "./words";

/** The start: the Project used last, or the first one. */
export default async function HomePage() {
  const person = await signedIn("/");
  const projects = await (await runtime()).projects.of(person);
  const last = ((await cookies()).get("penguin_last")?.value ?? "").split("/")[0];
  const project = projects.find(({ id }) => id === last) ?? projects[0];
  if (!project) {
    return (
      <Words areas={["frame"]}>
        <NoProject />
      </Words>
    );
  }
  redirect(places.project(project.id));
}
