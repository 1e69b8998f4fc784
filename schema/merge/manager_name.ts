/** Names of field managers. */
import type { Cause } from "../status.ts";

/** Longest name, in bytes. */
export const MANAGER_MAX_LENGTH = 128;
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;
/** All of it may stand in a name, a byte each. */
const ASCII = /^[ -~]*$/;
const utf8 = new TextEncoder();

/** Causes (at `fieldManager`) that make a name a 422 of the options' kind; none when it is right. An apply needs a name. */
export function managerNameCauses(name: string, options: { apply: boolean }): Cause[] {
  const field = "fieldManager";
  if (name === "") {
    if (!options.apply) return [];
    return [{ reason: "FieldValueRequired", field, message: "Required value: is required for apply patch" }];
  }
  const causes: Cause[] = [];
  if (utf8.encode(name).length > MANAGER_MAX_LENGTH) {
    const message = `Too long: may not be more than ${MANAGER_MAX_LENGTH} bytes`;
    causes.push({ reason: "FieldValueTooLong", field, message });
  }
  if (UNPRINTABLE.test(name)) {
    const message = `Invalid value: ${JSON.stringify(name)}: should only contain printable characters`;
    causes.push({ reason: "FieldValueInvalid", field, message });
  }
  return causes;
}

/** The manager of a write: the name given, else what stands before the first `/` of the user agent, cut to what a name may be. */
export function managerName(fieldManager: string | undefined, userAgent: string): string {
  if (fieldManager) return fieldManager;
  const slash = userAgent.indexOf("/");
  const program = slash < 0 ? userAgent : userAgent.slice(0, slash);
  if (program.length <= MANAGER_MAX_LENGTH && ASCII.test(program)) return program;
  let out = "";
  let size = 0;
  for (const c of program) {
    if (UNPRINTABLE.test(c)) continue;
    size += utf8.encode(c).length;
    if (size > MANAGER_MAX_LENGTH) break;
    out += c;
  }
  return out;
}
