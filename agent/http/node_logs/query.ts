/** What is asked of the host's logs: `/logs/?query=…`. */
import { ErrorList } from "../../../schema/rules/errors.ts";
import { aggregate } from "../../../schema/status.ts";
import { patternOf } from "../../../schema/values/pattern.ts";
import { type Moment, timeToSeconds } from "../../../schema/values/time.ts";
import { longer } from "../../../schema/values/utf8.ts";

/** A moment, and the text that says it. */
export interface Told extends Moment {
  readonly text: string;
}

/** Which lines of a service's log. */
export interface LineOptions {
  readonly since?: Told;
  readonly until?: Told;
  /** From the end. */
  readonly tailLines?: number;
  /** 0: the present one, -1 that before. */
  readonly boot?: number;
  readonly pattern?: string;
}

/** What is asked. */
export interface NodeLogQuery {
  readonly services: readonly string[];
  /** Names with a slash. */
  readonly files: readonly string[];
  readonly options: LineOptions;
}

/** A query that cannot be answered. */
export class BadNodeLogQuery extends Error {
  constructor(readonly status: 400 | 406, faults: ErrorList) {
    super(aggregate(faults.causes));
  }
}

const MAX_LINES = 100_000, MAX_NAME = 256, MAX_SERVICES = 4;
/** Names of services go to a command: nothing else can be in one. */
const UNSAFE = /[^a-zA-Z\-_.:0-9@]/;
const LARGEST = 2n ** 63n - 1n, SMALLEST = -(2n ** 63n);

/** Reads a query; undefined: it asks for none of this. @throws BadNodeLogQuery */
export function readNodeLogQuery(query: URLSearchParams): NodeLogQuery | undefined {
  const faults = new ErrorList(), asked = query.getAll("query");
  const files = asked.filter((name) => /[/\\]/.test(name));
  const services = asked.filter((name) => !files.includes(name) && name.trim() !== "");
  if (asked.length > 0 && files.length + services.length === 0) faults.invalid("query", asked, "may not be empty");
  const given = {
    since: time(query, "sinceTime", faults),
    until: time(query, "untilTime", faults),
    boot: integer(query, "boot", faults),
    tailLines: integer(query, "tailLines", faults),
    pattern: query.get("pattern") || undefined,
  };
  if (!faults.empty) throw new BadNodeLogQuery(400, faults);
  const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as LineOptions;
  return asked.length === 0 && isEmpty(options) ? undefined : { services, files, options };
}

/** Whether all lines are asked for. */
export const isEmpty = (options: LineOptions): boolean => Object.keys(options).length === 0;

/** @param missing why a file cannot be had, undefined when it can @throws BadNodeLogQuery: it asks for what cannot be */
export async function checkNodeLogQuery(
  { services, files, options }: NodeLogQuery,
  missing: (file: string) => Promise<string | undefined>,
): Promise<void> {
  const faults = new ErrorList(), query = "query";
  for (const name of services) {
    if (longer(name, MAX_NAME)) {
      faults.invalid(query, name, `length must be less than ${MAX_NAME}`);
    } else if (UNSAFE.test(name)) faults.invalid(query, name, "input contains unsupported characters");
  }
  if (services.length > MAX_SERVICES) faults.tooMany(query, services.length, MAX_SERVICES);
  if (files.length + services.length === 0) faults.required(query, "cannot be empty with options");
  else if (files.length > 0 && services.length > 0) {
    const both = [files, services].map((names) => `[${names.join(" ")}]`).join(", ");
    faults.invalid(query, both, "cannot specify a file and service");
  } else if (files.length > 1) faults.invalid(query, files, "cannot specify more than one file");
  else if (files.length === 1 && !isEmpty(options)) faults.invalid(query, files, "cannot specify file with options");
  else if (files.length === 1) {
    const why = await missing(files[0]!);
    if (why !== undefined) faults.invalid(query, files, why);
  }
  checkOptions(options, faults);
  if (!faults.empty) throw new BadNodeLogQuery(406, faults);
}

function checkOptions({ since, until, boot = 0, tailLines = 0, pattern = "" }: LineOptions, faults: ErrorList): void {
  if (since && until && isAfter(since, until)) faults.invalid("untilTime", until.text, "must be after `sinceTime`");
  if (boot > 0) faults.invalid("boot", boot, "must be less than 1");
  if (tailLines < 0 || tailLines > MAX_LINES) {
    faults.invalid("tailLines", tailLines, `must be between 0 and ${MAX_LINES}, inclusive`);
  }
  try {
    patternOf(pattern);
  } catch (e) {
    faults.invalid("pattern", pattern, (e as Error).message);
  }
}

const isAfter = (a: Moment, b: Moment): boolean =>
  a.seconds > b.seconds || (a.seconds === b.seconds && a.nanos > b.nanos);

function time(query: URLSearchParams, name: string, faults: ErrorList): Told | undefined {
  const text = query.get(name);
  if (!text) return undefined;
  try {
    return { ...timeToSeconds(text), text };
  } catch {
    faults.invalid(name, text, "invalid time format");
    return undefined;
  }
}

function integer(query: URLSearchParams, name: string, faults: ErrorList): number | undefined {
  const text = query.get(name);
  if (!text) return undefined;
  const whole = /^[-+]?\d+$/.test(text);
  const value = whole ? BigInt(text.replace("+", "")) : 0n;
  if (whole && value >= SMALLEST && value <= LARGEST) return Number(value);
  const why = whole ? "value out of range" : "invalid syntax";
  faults.invalid(name, text, `strconv.Atoi: parsing ${JSON.stringify(text)}: ${why}`);
  return undefined;
}
