/** Lists of completion indexes: `1,3-5,7`. */

/** The first and the last index of a part of such a list. */
export type Interval = readonly [number, number];

/** One part of a list; a fault as text. Its indexes are below `completions`. */
function interval(part: string, completions: number): Interval | string {
  const [from = "", to, more] = part.split("-");
  const ends = to === undefined ? [from] : [from, to];
  if (more !== undefined || !ends.every((e) => /^[+-]?[0-9]+$/.test(e))) return `cannot parse the interval ${part}`;
  const low = Number(from), high = Number(to ?? from);
  if (ends.some((e) => Number(e) >= completions)) {
    return `an index of ${part} is not below ${completions} (completions)`;
  }
  return to !== undefined && low >= high ? `the interval ${part} does not ascend` : [low, high];
}

/** How many indexes a text names; a fault as text. The parts ascend. */
export function countIndexes(text: string, completions: number): number | string {
  if (text === "") return 0;
  let last = -1, total = 0;
  for (const part of text.split(",")) {
    const found = interval(part, completions);
    if (typeof found === "string") return found;
    const [low, high] = found;
    if (low <= last) return `the interval ${part} does not follow the one before`;
    total += high - low + 1;
    last = high;
  }
  return total;
}

/** The parts of a text that can be read. */
function intervals(text: string, completions: number): readonly Interval[] {
  return text.split(",").map((part) => interval(part, completions)).filter((found) => typeof found !== "string");
}

/** Whether two texts name an index in common, as far as they can be read. In one pass: each may be as long as a body. */
export function shareIndex(one: string, other: string, completions: number): boolean {
  const a = intervals(one, completions), b = intervals(other, completions);
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const [low, high] = a[i]!, [low2, high2] = b[j]!;
    if (low <= high2 && low2 <= high) return true;
    if (low <= low2) i++;
    else j++;
  }
  return false;
}
