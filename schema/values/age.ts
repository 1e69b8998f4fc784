/** Ages as tables print them: `45s`, `3m20s`, `5d3h`, `2y11d`. */

const SECOND = 1, MINUTE = 60, HOUR = 3600, DAY = 86400, YEAR = 365 * DAY;

/** One size of the large unit, and of the small one while the whole is below `until` seconds. */
interface Row {
  readonly until: number;
  readonly large: readonly [number, string];
  readonly small?: readonly [number, string];
}
const ROWS: readonly Row[] = [
  { until: 2 * MINUTE, large: [SECOND, "s"] },
  { until: 10 * MINUTE, large: [MINUTE, "m"], small: [SECOND, "s"] },
  { until: 3 * HOUR, large: [MINUTE, "m"] },
  { until: 8 * HOUR, large: [HOUR, "h"], small: [MINUTE, "m"] },
  { until: 2 * DAY, large: [HOUR, "h"] },
  { until: 8 * DAY, large: [DAY, "d"], small: [HOUR, "h"] },
  { until: 2 * YEAR, large: [DAY, "d"] },
  { until: 8 * YEAR, large: [YEAR, "y"], small: [DAY, "d"] },
  { until: Infinity, large: [YEAR, "y"] },
];

/** `HumanDuration`: two units where one would be coarse. Up to a second of the future is `0s`, more is `<invalid>`. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  const { large, small } = ROWS.find((r) => seconds < r.until)!;
  const rest = small ? Math.floor(seconds % large[0] / small[0]) : 0;
  return `${Math.floor(seconds / large[0])}${large[1]}${rest ? `${rest}${small![1]}` : ""}`;
}
