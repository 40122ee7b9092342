import { cookies } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { places } from "@/lib/api/places";
import { runtime } from "@/server/runtime";
import { signedIn } from "./(app)/open";

/** The start: the Project used last, or the first one. */
export default async function HomePage() {
  const person = await signedIn("/");
  const projects = await (await runtime()).projects.of(person);
  const last = decodeURIComponent((await cookies()).get("penguin_last")?.value ?? "").split("/")[0];
  const project = projects.find(({ id }) => id === last) ?? projects[0];
  if (!project) notFound();
  redirect(places.project(project.id));
}
