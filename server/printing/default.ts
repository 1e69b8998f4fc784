/** The Table of a resource without columns of its own (specification, "Kinds": Table). */
import type { Column, Printer } from "./types.ts";

/** A column in short. */
export function column(name: string, type: Column["type"] = "string", format = "", priority = 0): Column {
  return { name, type, format, description: "", priority };
}

/** Name and creation time. */
export const DEFAULT_PRINTER: Printer = {
  columns: [column("Name", "string", "name"), column("Created At", "date")],
  cells: (obj) => [obj.metadata.name ?? "", obj.metadata.creationTimestamp ?? null],
};
