/** Names of field managers. */

/** Longest name, in bytes. */
export const MANAGER_MAX_LENGTH = 128;
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;
/** All of it may stand in a name, a byte each. */
const ASCII = /^[ -~]*$/;
const utf8 = new TextEncoder();

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
