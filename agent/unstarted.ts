/** Programs for which no descriptor is left. */
import type { ChildProcess } from "node:child_process";

/** What has kept a child from its start, where it has no streams at all, whatever its type says; undefined: it has them. */
export const unstarted = (child: ChildProcess): Promise<Error> | undefined =>
  child.stdout ? undefined : new Promise((told) => child.once("error", told));
