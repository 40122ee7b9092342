/** For tests that draw something: all words are there, as a page has those of its areas. */
import { learnAll } from "./known";

if (typeof document !== "undefined") await learnAll();
