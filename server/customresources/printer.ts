/** Tables of custom resources: the name, and the columns that the version's definition names. */
import { safeText } from "../../schema/codec/json.ts";
import { isMap, sortedKeys } from "../../schema/model/members.ts";
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

/** The printer of a version. Without columns of its own it shows the age; a path that cannot be read ends the columns. */
export function customPrinter(columns: readonly PrinterColumn[] | undefined): Printer {
  const readers: { readonly column: Column; readonly type: string; readonly find: JsonPath }[] = [];
  for (const c of columns?.length ? columns : [AGE]) {
    const find = jsonPath(c.jsonPath);
    if (!find) break;
    readers.push({ column: columnOf(c), type: c.type, find });
  }
  return {
    columns: [NAME, ...readers.map((r) => r.column)],
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
  const value = find(obj as Json)[0];
  if (value === undefined) return null;
  return (CELLS[type] ?? (() => null))(value);
}

const isNumber = (v: Json): v is number | bigint => typeof v === "number" || typeof v === "bigint";

/** By the column's type; what does not fit is shown as nothing. */
const CELLS: Readonly<Record<string, (v: Json) => Cell>> = {
  string: textOf,
  integer: (v) => isNumber(v) ? (typeof v === "bigint" ? v : Math.trunc(v)) : null,
  number: (v) => isNumber(v) ? Number(v) : null,
  boolean: (v) => typeof v === "boolean" ? v : null,
  date: (v) => {
    if (typeof v !== "string") return null;
    if (v === "" || v === "null") return new Age(undefined);
    return TIME.test(v) && !Number.isNaN(Date.parse(v)) ? new Age(v) : "<invalid>";
  },
};

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

function textOf(v: Json): string {
  if (v === null) return "<no value>";
  return typeof v === "object" ? safeText(ordered(v)) : String(v);
}

/** Members by name, as the field's tools write them. */
function ordered(v: Json): Json {
  if (Array.isArray(v)) return v.map(ordered);
  return isMap(v) ? Object.fromEntries(sortedKeys(v).map((name) => [name, ordered(v[name]!)])) : v;
}
