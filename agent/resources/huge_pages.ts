/** Huge pages: sizes as the kernel and as resources write them. */
import { isHugePages } from "../../schema/rules/checks/resources.ts";
import { parseQuantity } from "../../schema/values/quantity.ts";
import { ValueError } from "../../schema/values/error.ts";
import type { Amounts } from "./amounts.ts";

const UNITS = ["B", "KB", "MB", "GB", "TB", "PB"];
const PREFIX = "hugepages-";

/** A size as cgroups write it, `2MB`. */
export function pageSizeName(bytes: number): string {
  let size = bytes, unit = 0;
  for (; size > 0 && size % 1024 === 0 && unit < UNITS.length - 1; unit++) size /= 1024;
  return `${size}${UNITS[unit]}`;
}

/** Bytes of huge pages by page size among amounts; a size that is none is left out. */
export function hugePagesIn(amounts: Amounts): ReadonlyMap<string, number> {
  const out = new Map<string, number>();
  for (const [name, q] of amounts) {
    if (!isHugePages(name)) continue;
    try {
      const size = pageSizeName(Number(parseQuantity(name.slice(PREFIX.length)).value()));
      out.set(size, (out.get(size) ?? 0) + Number(q.value()));
    } catch (e) {
      if (!(e instanceof ValueError)) throw e;
    }
  }
  return out;
}

/** An entry for every size of the machine, those not named at `rest`. */
export const everyPageSize = (
  named: ReadonlyMap<string, number>,
  sizes: readonly string[],
  rest: number,
): ReadonlyMap<string, number> => new Map(sizes.map((size) => [size, named.get(size) ?? rest]));
