"use client";
/** Inside the frame: the rail stays usable. */
export { default } from "../../../error";
