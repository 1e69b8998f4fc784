/** What a field manager may be called, in options and in `metadata.managedFields`. */
import { MANAGER_MAX_LENGTH } from "../../merge/manager_name.ts";
import { byteLength, longer } from "../../values/utf8.ts";
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";

const UNPRINTABLE = /[^\P{C}]|[^\P{Z} ]/gu;
/** All of it may stand in a name: what most names are. */
const ASCII = /^[ -~]*$/;

/** At most 128 bytes, printable: each character that is not is told of, by the byte where it stands. */
export function managerRule(manager: string, path: Path | string, errors: ErrorList): void {
  if (longer(manager, MANAGER_MAX_LENGTH)) errors.tooLong(path, MANAGER_MAX_LENGTH);
  if (ASCII.test(manager)) return;
  let from = 0, at = 0;
  for (const { 0: c, index } of manager.matchAll(UNPRINTABLE)) {
    at += byteLength(manager.slice(from, index));
    from = index;
    const code = c.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
    errors.invalid(path, manager, `invalid character U+${code} (at position ${at})`);
  }
}
