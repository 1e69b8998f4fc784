/** What must hold of thresholds of eviction. */
import { parseDuration } from "../../schema/flags/duration.ts";
import { signOf } from "./resource_faults.ts";

/** What can run out: quantities are told of each. */
const EVICTION_SIGNALS: ReadonlySet<string> = new Set([
  "memory.available",
  "allocatableMemory.available",
  "nodefs.available",
  "nodefs.inodesFree",
  "imagefs.available",
  "imagefs.inodesFree",
  "containerfs.available",
  "containerfs.inodesFree",
  "pid.available",
]);

type Strings = Readonly<Record<string, string>>;

const faultsOf = (name: string, map: Strings, fault: (text: string) => string | undefined): string[] =>
  Object.entries(map).flatMap(([signal, text]) => {
    const why = EVICTION_SIGNALS.has(signal) ? fault(text) : "no such signal";
    return why === undefined ? [] : [`--${name}: ${signal}: ${why}`];
  });

/** Percent of a text that ends so; NaN for what is none. */
const percentOf = (text: string): number => /^[+-]?(\d+\.?\d*|\.\d+)%$/.test(text) ? Number(text.slice(0, -1)) : NaN;

function thresholdFault(text: string): string | undefined {
  const said = JSON.stringify(text);
  if (text.endsWith("%")) {
    const percent = percentOf(text);
    return percent >= 0 && percent <= 100 ? undefined : `${said} should be from 0% to 100%`;
  }
  const sign = signOf(text);
  if (sign === undefined) return `${said} should be a quantity or percent`;
  return sign > 0 ? undefined : `${said} should be positive`;
}

function reclaimFault(text: string): string | undefined {
  const said = JSON.stringify(text);
  if (text.endsWith("%")) return percentOf(text) > 0 ? undefined : `${said} should be more than 0%`;
  const sign = signOf(text);
  if (sign === undefined) return `${said} should be a quantity or percent`;
  return sign >= 0 ? undefined : `${said} should not be negative`;
}

function graceFault(text: string): string | undefined {
  const ms = parseDuration(text);
  return ms !== undefined && ms >= 0 ? undefined : `${JSON.stringify(text)} should be a duration that is not negative`;
}

/** Everything that does not hold of the four maps. */
export function evictionFaults(o: {
  readonly evictionHard: Strings;
  readonly evictionSoft: Strings;
  readonly evictionSoftGracePeriod: Strings;
  readonly evictionMinimumReclaim: Strings;
}): string[] {
  const without = Object.keys(o.evictionSoft).filter((signal) => !Object.hasOwn(o.evictionSoftGracePeriod, signal));
  return [
    ...faultsOf("eviction-hard", o.evictionHard, thresholdFault),
    ...faultsOf("eviction-soft", o.evictionSoft, thresholdFault),
    ...faultsOf("eviction-soft-grace-period", o.evictionSoftGracePeriod, graceFault),
    ...faultsOf("eviction-minimum-reclaim", o.evictionMinimumReclaim, reclaimFault),
    ...without.map((signal) => `--eviction-soft: ${signal}: needs --eviction-soft-grace-period`),
  ];
}
