/** What classes of storage and of volume attributes share: the driver's name and the parameters that it is given. */
import { byteLength } from "../../values/utf8.ts";
import { format } from "../checks/basic.ts";
import { qualifiedName } from "../checks/formats.ts";
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";
import type { Tree } from "../tree.ts";

/** Limits: parameters, and bytes of all keys and values together. */
const COUNT_LIMIT = 512, SIZE_LIMIT = 256 * 1024;

/** A driver that makes volumes: a qualified name in any case. */
export function provisioner(name: string, path: Path, errors: ErrorList): void {
  if (!name) errors.required(path);
  else format(name.toLowerCase(), path, errors, qualifiedName);
}

/** Parameters of a driver. */
export function parameters(map: Tree | null | undefined, needed: boolean, path: Path, errors: ErrorList): void {
  let number = 0, size = 0;
  for (const k in map) {
    number++;
    size += byteLength(k) + byteLength(map[k] ?? "");
  }
  if (number > COUNT_LIMIT) return errors.tooLong(path, COUNT_LIMIT);
  if (map && "" in map) errors.invalid(path, "", "must not have an empty key");
  if (size > SIZE_LIMIT) errors.tooLong(path, SIZE_LIMIT);
  if (needed && !number) errors.required(path, "must have at least one parameter");
}
