/** `npm run build`: the production build, unless the last one saw the same sources. */
import { ensureBuilt, ensureInstalled, requireNode } from "./setup.mjs";

requireNode();
ensureInstalled();
ensureBuilt();
