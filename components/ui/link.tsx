import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * A link within the app. Nothing is fetched before somebody goes there: a list of conversations would ask the server
 * for every one of them, and all it could answer beforehand is the frame that is on the page already.
 */
export default function Link(props: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...props} />;
}
