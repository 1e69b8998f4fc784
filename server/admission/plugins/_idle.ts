/** A plugin that has its place and its switch, and nothing to do. */
import { nothing } from "../handles.ts";
import type { Plugin } from "../types.ts";

/** See the top of the file. */
export function idle(name: string): () => Plugin {
  return () => ({ name, handles: nothing });
}
