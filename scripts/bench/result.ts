/** One figure, and the figures that it is to be held against. */
import type { Load } from "./load.ts";
import { BUDGETS } from "./budgets.ts";

/** A line of the report. */
export interface Result {
  readonly name: string;
  readonly perSecond?: number;
  /** ms. */
  readonly p50?: number;
  readonly p99?: number;
  /** The server's processor time an operation, µs. */
  readonly cpu?: number;
  /** A figure of another kind, with its unit. */
  readonly value?: number;
  readonly unit?: string;
  /** More to say, in words. */
  readonly note?: string;
}

/** A load's line. */
export function ofLoad(name: string, { perSecond, p50, p99, cpu }: Load, note?: string): Result {
  return { name, perSecond, p50, p99, ...(cpu === undefined ? {} : { cpu }), ...(note === undefined ? {} : { note }) };
}

const COLUMNS = [46, 10, 9, 9, 10, 14, 10, 12] as const;
const line = (cells: readonly string[]) =>
  cells.map((cell, i) => i === 0 ? cell.padEnd(COLUMNS[0]) : cell.padStart(COLUMNS[i] ?? 0)).join(" ").trimEnd();

/** Head of the table. */
export const HEAD = line(["", "/s", "p50 ms", "p99 ms", "cpu µs", "figure", "aim", "figure/aim"]);

const short = (n: number | undefined): string =>
  n === undefined ? "" : Math.abs(n) >= 100 ? Math.round(n).toLocaleString("en") : n.toPrecision(2);

/** A figure as a line of the table; the aim is of the processor time, or of the figure where there is one. */
export function print(r: Result): string {
  const budget = BUDGETS[r.name];
  const figure = r.value ?? r.cpu;
  return line([
    r.name,
    short(r.perSecond),
    short(r.p50),
    short(r.p99),
    short(r.cpu),
    r.value === undefined ? "" : `${short(r.value)} ${r.unit ?? ""}`,
    budget === undefined ? "" : short(budget.aim),
    budget === undefined || figure === undefined ? "" : (figure / budget.aim).toFixed(2),
    r.note === undefined ? "" : ` ${r.note}`,
  ]);
}
