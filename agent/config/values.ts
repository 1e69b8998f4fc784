/** Fields of the configuration file ↔ values of settings. */
import { stringifyJson } from "../../schema/codec/json.ts";
import { decodeObject } from "../../schema/codec/mod.ts";
import { durationText } from "../../schema/flags/duration.ts";
import type { OptionRow, OptionType } from "../../schema/flags/types.ts";
import { ruleFault, valueFault, valueOf } from "../../schema/flags/values.ts";
import { isMap } from "../../schema/model/members.ts";
import type { Json, JsonMap } from "../../schema/model/types.ts";
import type { Product } from "../../schema/product.ts";
import { ROWS, SETTINGS } from "../options/table.ts";
import type { SettingRow } from "../options/types.ts";
import { configKind, fieldAt } from "./kind.ts";

/** Types whose value in the file is read like a text of the command line. */
const AS_TEXT: ReadonlySet<OptionType | "whole"> = new Set<OptionType>([
  "bool",
  "int",
  "float",
  "string",
  "path",
  "ip",
  "url",
  "quantity",
  "duration",
]);

interface VModuleItem {
  readonly filePattern: string;
  readonly verbosity: number;
}

/** Settings that the file holds in another form: from its value, and to it. */
const FORMS: Readonly<Record<string, { from(value: Json): Json; to(value: unknown): Json | undefined }>> = {
  "feature-gates": {
    from: (gates) => Object.entries(gates as JsonMap).map(([name, on]) => `${name}=${on}`),
    to: (gates) => gates as JsonMap,
  },
  vmodule: {
    from: (items) => (items as unknown as VModuleItem[]).map((i) => `${i.filePattern}=${i.verbosity}`),
    to: (texts) =>
      (texts as string[]).map((t) => ({
        filePattern: t.slice(0, t.indexOf("=")),
        verbosity: Number(t.slice(t.indexOf("=") + 1)),
      })),
  },
  "log-flush-frequency": {
    from: (value) => (typeof value === "number" ? `${value}ns` : value),
    to: (ms) => durationText(ms as number),
  },
  // No number is no limit.
  maxParallelImagePulls: { from: (n) => n, to: (n) => (n === 0 ? undefined : n as number) },
  "reserved-memory": {
    from: (items) => (items as JsonMap[]).map((item) => ({ ...item, limits: item["limits"] ?? {} })),
    to: (items) => items as Json,
  },
};

const at = (tree: Json | undefined, field: string): Json | undefined =>
  field.split(".").reduce<Json | undefined>(
    (t, name) => (isMap(t) && Object.hasOwn(t, name) ? t[name] : undefined),
    tree,
  );

/** Texts of zero, by the form of the message. */
const ZERO: Readonly<Record<string, string>> = { duration: "0s", quantity: "0" };

/** Absent and zero are the same but where the field is a pointer; an empty list or map is one where it is written. */
function isAbsent(field: string, value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  const { pointer, repeated, map, type } = fieldAt(field);
  if (pointer || repeated || map) return false;
  return value === 0 || value === "" || value === false ||
    (typeof type === "object" && value === ZERO[type.wrapper ?? ""]);
}

function read(row: SettingRow, value: Json): unknown {
  const shaped = FORMS[row.name]?.from(value) ?? value;
  if (AS_TEXT.has(row.type)) return valueOf(row as OptionRow, [String(shaped)]);
  const fault = ruleFault(row, shaped);
  if (fault !== undefined) throw new Error(fault);
  return shaped;
}

const FLAGS: ReadonlySet<SettingRow> = new Set(ROWS);

/** How a setting is called where a file is at fault: by its field, and its flag. */
export const nameInFile = (row: SettingRow): string =>
  FLAGS.has(row) ? `${row.field} (--${row.name})` : row.field ?? row.name;

/** Values of the settings that a tree of {@linkcode configTree} says, by the row's name. Faults go to `errors`. */
export function valuesIn(tree: JsonMap, product: Product, errors: string[]): ReadonlyMap<string, unknown> {
  const { object } = decodeObject(configKind(product), tree);
  const values = new Map<string, unknown>();
  for (const row of SETTINGS) {
    if (row.field === undefined) continue;
    const written = at(tree, row.field), value = at(object, row.field) ?? written;
    if (written === undefined || written === null || isAbsent(row.field, value)) continue;
    try {
      values.set(row.name, read(row, value!));
    } catch (e) {
      errors.push(`${nameInFile(row)}: ${valueFault(stringifyJson(value!), (e as Error).message)}`);
    }
  }
  return values;
}

/** The value of a setting as the file has it; undefined when there is none. */
export function fileForm(row: SettingRow, value: unknown): Json | undefined {
  if (value === undefined) return undefined;
  const form = FORMS[row.name];
  if (form) return form.to(value);
  if (row.type === "duration") return durationText(value as number);
  return value as Json;
}
