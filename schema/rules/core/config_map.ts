/** Rules of config maps. */
import { wasEmptied } from "../../codec/emptied.ts";
import type { Obj } from "../../model/types.ts";
import { byteLength } from "../../values/utf8.ts";
import { format } from "../checks/basic.ts";
import { configKey } from "../checks/formats.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { same, type Tree } from "../tree.ts";
import type { KindRules } from "../types.ts";

/** Limit of all values of a config map or secret together, in bytes. */
export const DATA_LIMIT = 1024 * 1024;

/** Bytes that a base64 text stands for. */
export function decodedLength(base64: string): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return Math.floor(base64.length / 4) * 3 - padding;
}

/** What cannot change once `immutable` is set. To be empty is a change too of what is not there by `defaulted`. */
export function immutableData(
  obj: Tree,
  old: Tree,
  members: readonly string[],
  errors: ErrorList,
  defaulted?: string,
): void {
  if (!old["immutable"]) return;
  const why = "field is immutable when `immutable` is set";
  if (!obj["immutable"]) errors.forbidden(Path.of("immutable"), why);
  for (const m of members) {
    if (!same(obj[m] ?? {}, old[m] ?? {}) || (m !== defaulted && wasEmptied(obj as Obj, m))) {
      errors.forbidden(Path.of(m), why);
    }
  }
}

/** Most bytes of UTF-8 that a unit of UTF-16 takes. */
const BYTES_OF_UNIT = 3;

function dataBytes(data: Tree, binary: Tree): number {
  let size = 0;
  for (const k in data) size += byteLength(data[k]);
  for (const k in binary) size += decodedLength(binary[k] ?? "");
  return size;
}

/** Rules of `configmaps`. */
export const CONFIG_MAP: KindRules = {
  changesFirst: true,
  validate(obj, errors) {
    let most = 0;
    const data: Tree = obj["data"] ?? {}, binary: Tree = obj["binaryData"] ?? {};
    for (const k in data) {
      format(k, Path.of("data").key(k), errors, configKey);
      if (Object.hasOwn(binary, k)) errors.invalid(Path.of("data").key(k), k, "duplicate of a key in binaryData");
      most += data[k].length * BYTES_OF_UNIT;
    }
    for (const k in binary) {
      format(k, Path.of("binaryData").key(k), errors, configKey);
      most += decodedLength(binary[k] ?? "");
    }
    if (most > DATA_LIMIT && dataBytes(data, binary) > DATA_LIMIT) errors.tooLong("[]", DATA_LIMIT);
  },
  validateUpdate: (obj, old, errors) => immutableData(obj, old, ["data", "binaryData"], errors, "data"),
};
