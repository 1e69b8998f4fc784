/** The Table of a resource without columns of its own (specification, "Kinds": Table). */
import { column, NAME, table } from "./parts.ts";
import type { Printer } from "./types.ts";

/** Name and creation time. */
export const DEFAULT_PRINTER: Printer = table(NAME, {
  column: column("Created At", "date"),
  // What has no time (a bookmark) shows the zero one.
  cell: (o) => o.metadata.creationTimestamp ?? "0001-01-01T00:00:00Z",
});
