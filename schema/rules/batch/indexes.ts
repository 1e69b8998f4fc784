/** Lists of completion indexes: `1,3-5,7`. */

/** Intervals of a text; a fault as text. Indexes ascend and are below `completions`. */
export function parseIndexes(text: string, completions: number): (readonly [number, number])[] | string {
  const out: (readonly [number, number])[] = [];
  if (text === "") return out;
  let last = -1;
  for (const part of text.split(",")) {
    const [from = "", to, more] = part.split("-");
    const ends = to === undefined ? [from] : [from, to];
    if (more !== undefined || !ends.every((e) => /^[+-]?[0-9]+$/.test(e))) return `cannot parse the interval ${part}`;
    const low = Number(from), high = Number(to ?? from);
    if (ends.some((e) => Number(e) >= completions)) {
      return `an index of ${part} is not below ${completions} (completions)`;
    }
    if (to !== undefined && low >= high) return `the interval ${part} does not ascend`;
    if (low <= last) return `the interval ${part} does not follow the one before`;
    out.push([low, high]);
    last = high;
  }
  return out;
}

/** How many indexes a text names; a fault as text. */
export function countIndexes(text: string, completions: number): number | string {
  const found = parseIndexes(text, completions);
  return typeof found === "string" ? found : found.reduce((n, [a, b]) => n + b - a + 1, 0);
}
