/** Policies of namespaces: a level and a version for each of three modes, from labels. */
import type { Cause } from "../../../schema/status.ts";

/** Levels, the least strict first. */
const LEVELS = ["privileged", "baseline", "restricted"] as const;
/** How strict. */
export type Level = typeof LEVELS[number];
/** Minor version of a policy's rules; `Infinity` is the latest. */
export type Minor = number;

/** A level in a version. */
export interface LevelVersion {
  readonly level: Level;
  readonly minor: Minor;
}

/** What to refuse, to note for the audit, to warn about. */
export const MODES = ["enforce", "audit", "warn"] as const;
/** What becomes of a violation. */
export type Mode = typeof MODES[number];
/** A policy for each mode. */
export type Policy = Readonly<Record<Mode, LevelVersion>>;

/** Everything is allowed. */
export const PRIVILEGED: LevelVersion = { level: "privileged", minor: Infinity };
const LATEST = Infinity;

/** `baseline:v1.30`. */
export const formatPolicy = (p: LevelVersion): string =>
  `${p.level}:${p.minor === LATEST ? "latest" : `v1.${p.minor}`}`;

/** Whether they are the same level in the same version. */
export const equalPolicies = (a: LevelVersion, b: LevelVersion): boolean => a.level === b.level && a.minor === b.minor;

/** Negative when `a` is less strict. */
export const compareLevels = (a: Level, b: Level): number => LEVELS.indexOf(a) - LEVELS.indexOf(b);

/** Whether nothing is refused, noted or warned about. */
export const isPrivileged = (p: Policy): boolean => MODES.every((m) => p[m].level === "privileged");

/** The level of a text; undefined: it is none. */
export function parseLevel(text: string): Level | undefined {
  return LEVELS.find((l) => l === text);
}

/** The version of a text; undefined: it is none. */
export function parseMinor(text: string): Minor | undefined {
  if (text === "latest") return LATEST;
  const m = /^v1\.([0-9]|[1-9][0-9]*)$/.exec(text);
  return m ? Number(m[1]) : undefined;
}

/** What a text must be. */
export const LEVEL_RULE = `must be one of ${LEVELS.join(", ")}`;
/** What a text must be. */
export const VERSION_RULE = 'must be "latest" or "v1.x"';

/** What labels say, in place of the defaults; and what is wrong with them. */
export interface Read {
  readonly policy: Policy;
  readonly faults: readonly Cause[];
}

/**
 * Reads the labels of a namespace. `prefix` is that of the labels. What cannot be read counts as restricted and latest for
 * `enforce`, and as nothing for the other modes.
 */
export function readPolicy(
  labels: Readonly<Record<string, string>> | undefined,
  defaults: Policy,
  prefix: string,
): Read {
  if (!labels) return { policy: defaults, faults: [] };
  const faults: Cause[] = [];
  const policy = { ...defaults };
  for (const mode of MODES) policy[mode] = readMode(labels, mode, defaults[mode], prefix, faults);
  const { enforce, warn } = policy;
  const given = labels[prefix + "enforce"];
  const goodEnforce = given !== undefined && parseLevel(given) !== undefined;
  if (labels[prefix + "warn"] === undefined && goodEnforce && compareLevels(enforce.level, warn.level) > 0) {
    const minor = labels[`${prefix}warn-version`] === undefined ? enforce.minor : warn.minor;
    policy.warn = { level: enforce.level, minor };
  }
  return { policy, faults };
}

function readMode(
  labels: Readonly<Record<string, string>>,
  mode: Mode,
  fallback: LevelVersion,
  prefix: string,
  faults: Cause[],
): LevelVersion {
  let { level, minor } = fallback;
  const fault = (label: string, value: string, rule: string) =>
    faults.push({
      reason: "FieldValueInvalid",
      message: `Invalid value: ${JSON.stringify(value)}: ${rule}`,
      field: `metadata.labels[${label}]`,
    });
  const l = labels[prefix + mode], v = labels[`${prefix}${mode}-version`];
  if (l !== undefined) {
    const parsed = parseLevel(l);
    if (!parsed) fault(prefix + mode, l, LEVEL_RULE);
    level = parsed ?? (mode === "enforce" ? "restricted" : "privileged");
  }
  if (v !== undefined) {
    const parsed = parseMinor(v);
    if (parsed === undefined) fault(`${prefix}${mode}-version`, v, VERSION_RULE);
    minor = parsed ?? LATEST;
  }
  return { level, minor };
}
