/** Tables are written as rows of parts: a column, and how its cell is read from an object. */
import type { Obj } from "../../schema/model/types.ts";
import { Age, type Cell, type Column, type Printer } from "./types.ts";

/** Reads a cell of an object. */
export type Read = (obj: Obj) => Cell;

/** A column with its cell; a part without a column is a cell past the last one, which no client shows. */
export interface Part {
  readonly column?: Column;
  readonly cell: Read;
}

/** A column in short. */
export function column(name: string, type: Column["type"] = "string", format = "", priority = 0): Column {
  return { name, type, format, description: DESCRIPTIONS[name] ?? "", priority };
}
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  "Name": "Unique name of the object within its scope",
  "Age": "Time since the object was created",
  "Created At": "Time when the object was created",
};

/** A column of the normal view. */
export function col(name: string, cell: Read, type: Column["type"] = "string"): Part {
  return { column: column(name, type), cell };
}

/** A column of the wide view. */
export function wide(name: string, cell: Read, format = ""): Part {
  return { column: column(name, "string", format, 1), cell };
}

/** A printer of parts. */
export function table(...parts: readonly Part[]): Printer {
  const columns = parts.flatMap((p) => p.column ?? []);
  const reads = parts.map((p) => p.cell);
  return { columns, cells: (obj) => reads.map((read) => read(obj)) };
}

/** The time since creation. */
export const ageOf: Read = (o) => new Age(o.metadata.creationTimestamp);

/** The column of names. */
export const NAME: Part = { column: column("Name", "string", "name"), cell: (o) => o.metadata.name ?? "" };
/** The column of ages, by the time of creation. */
export const AGE: Part = col("Age", ageOf);

/** The name of a class; the one that is taken where none is named says so behind it. */
export const className = (annotations: readonly string[]): Part => ({
  column: NAME.column!,
  cell: (o) => {
    const isDefault = annotations.some((a) => o.metadata.annotations?.[a] === "true");
    return `${o.metadata.name ?? ""}${isDefault ? " (default)" : ""}`;
  },
});
