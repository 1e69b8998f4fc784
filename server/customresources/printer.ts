/** Tables of custom resources: the name, and the columns that the version's definition names. */
import type { Json, Obj } from "../../schema/model/types.ts";
import { Age, type Cell, type Column, type Printer } from "../printing/types.ts";
import type { PrinterColumn } from "./definition.ts";
import { type JsonPath, jsonPath } from "./json_path.ts";

const NAME: Column = {
  name: "Name",
  type: "string",
  format: "name",
  description: "Name of the object, unique within its namespace",
  priority: 0,
};
const AGE: PrinterColumn = {
  name: "Age",
  type: "date",
  description: "Time since the object was created",
  jsonPath: ".metadata.creationTimestamp",
};

/** The printer of a version. Without columns of its own it shows the age. */
export function customPrinter(columns: readonly PrinterColumn[] | undefined): Printer {
  const own = columns?.length ? columns : [AGE];
  const readers = own.map((c) => ({ type: c.type, find: jsonPath(c.jsonPath) }));
  return {
    columns: [NAME, ...own.map(columnOf)],
    cells: (obj) => [obj.metadata.name ?? "", ...readers.map((r) => cellOf(r.type, r.find, obj))],
  };
}

function columnOf(c: PrinterColumn): Column {
  return {
    name: c.name,
    type: c.type as Column["type"],
    format: c.format ?? "",
    description: c.description || `Custom resource definition column (in JSONPath format): ${c.jsonPath}`,
    priority: c.priority ?? 0,
  };
}

function cellOf(type: string, find: JsonPath, obj: Obj): Cell {
  const value = find(obj as unknown as Json)[0];
  if (value === undefined) return null;
  return (CELLS[type] ?? (() => null))(value);
}

const isNumber = (v: Json): v is number | bigint => typeof v === "number" || typeof v === "bigint";

/** By the column's type; what does not fit is shown as nothing. */
const CELLS: Readonly<Record<string, (v: Json) => Cell>> = {
  string: textOf,
  integer: (v) => isNumber(v) ? (typeof v === "bigint" ? v : Math.trunc(v)) : null,
  number: (v) => isNumber(v) ? v : null,
  boolean: (v) => typeof v === "boolean" ? v : null,
  date: (v) => {
    if (typeof v !== "string") return null;
    return Number.isNaN(Date.parse(v)) ? "<invalid>" : new Age(v);
  },
};

function textOf(v: Json): string | null {
  if (v === null) return null;
  return typeof v === "object" ? JSON.stringify(v, (_k, x) => typeof x === "bigint" ? Number(x) : x) : String(v);
}
