/** Projects whose states come by themselves, over the connection that all windows share. */
const followed = new Set<string>();

/** Does the server tell the states of this Project's Sessions, so that nobody need ask? */
export function isFollowed(project: string): boolean {
  return followed.has(project);
}

export function noteFollowed(project: string, now: boolean): void {
  if (now) followed.add(project);
  else followed.delete(project);
}
