/** The next step of a coordinated election, told from the lease and its candidates alone: nothing is kept between steps. */
import { compareSemanticVersions, parseSemanticVersion, type SemanticVersion } from "../../../schema/values/version.ts";

/** Microseconds of a second; all moments here are whole microseconds since 1970. */
export const SECOND_US = 1_000_000;
/** So long candidates have for the answer to a ping, and so long an answer counts. */
const ANSWER_US = 5 * SECOND_US;
/** A candidate that did not renew for so long is none. */
const CANDIDATE_US = 30 * 60 * SECOND_US;
/** What a lease holds at its election (s). */
export const HOLDS_SECONDS = 5;
/** The strategy that is decided here; others are left to whoever knows them. */
const OLDEST = "OldestEmulationVersion";

/** A candidate for a lease. */
export interface Candidate {
  readonly name: string;
  readonly strategy: string;
  readonly binaryVersion: string;
  readonly emulationVersion: string;
  readonly created: number;
  readonly pinged?: number;
  readonly renewed?: number;
}

/** A lease that is there. */
export interface LeaseState {
  readonly holder: string;
  readonly renewed?: number;
  readonly durationSeconds?: number;
}

/**
 * `none`: nobody stands for election. `settled`: look again later. `wait`: answers are still to come. `ping`: ask these for an
 * answer. `elect`: write it into the lease; without a holder its strategy is somebody else's. `stuck`: for the log.
 */
export type Step =
  | { readonly kind: "none" }
  | { readonly kind: "settled" }
  | { readonly kind: "wait" }
  | { readonly kind: "ping"; readonly names: readonly string[] }
  | { readonly kind: "elect"; readonly strategy: string; readonly holder?: string }
  | { readonly kind: "stuck"; readonly why: string };

/** Whether a lease's time is over, or was never told. */
export function leaseExpired(lease: LeaseState, now: number): boolean {
  if (lease.renewed === undefined || lease.durationSeconds === undefined) return true;
  return lease.renewed + lease.durationSeconds * SECOND_US < now;
}

/** Whether a candidate has not renewed for too long. */
export function candidateExpired(c: Pick<Candidate, "renewed">, now: number): boolean {
  return c.renewed === undefined || c.renewed + CANDIDATE_US < now;
}

/** Whether a candidate has been asked and has not answered since. */
export function isAsked(c: Pick<Candidate, "pinged" | "renewed">): boolean {
  return c.pinged !== undefined && c.renewed !== undefined && c.renewed < c.pinged;
}

/** The next step for a lease (undefined: there is none) and all candidates that name it. */
export function electionStep(lease: LeaseState | undefined, all: readonly Candidate[], now: number): Step {
  const candidates = all.filter((c) => !candidateExpired(c, now));
  if (candidates.length === 0) return { kind: "none" };
  const early = settledOrStuck(lease, candidates, now);
  if (early) return early;
  const names = candidates.filter((c) => mustBeAsked(c, now)).map((c) => c.name);
  if (names.length > 0) return { kind: "ping", names };
  if (candidates.some((c) => isAsked(c) && c.pinged! + ANSWER_US > now)) return { kind: "wait" };
  const answered = candidates.filter((c) => c.renewed! + ANSWER_US > now);
  return answered.length > 0 ? elected(answered) : { kind: "stuck", why: "no candidate answers" };
}

/** What there is to say when no election is needed; undefined when one is. */
function settledOrStuck(
  lease: LeaseState | undefined,
  candidates: readonly Candidate[],
  now: number,
): Step | undefined {
  if (!lease || leaseExpired(lease, now) || lease.holder === "") return undefined;
  // An election now and then has all candidates renew, before they count as gone.
  if (candidates.some((c) => c.renewed! + CANDIDATE_US / 2 < now)) return undefined;
  const { strategy, why } = bestStrategy(candidates);
  if (why !== undefined) return { kind: "stuck", why };
  if (strategy !== OLDEST) return { kind: "settled" };
  const best = oldest(candidates);
  return best && best.name !== lease.holder ? undefined : { kind: "settled" };
}

/** One that answered lately need not be asked, nor one that left its last ping without an answer. */
function mustBeAsked(c: Candidate, now: number): boolean {
  if (c.renewed! + ANSWER_US > now) return false;
  return c.pinged === undefined || (c.pinged + ANSWER_US < now && !isAsked(c));
}

function elected(answered: readonly Candidate[]): Step {
  const { strategy, why } = bestStrategy(answered);
  if (strategy === undefined) return { kind: "stuck", why };
  if (strategy !== OLDEST) return { kind: "elect", strategy };
  const best = oldest(answered);
  return best ? { kind: "elect", strategy, holder: best.name } : { kind: "stuck", why: "no candidate has versions" };
}

type Chosen = { strategy: string; why?: undefined } | { strategy?: undefined; why: string };

/** The strategy of the newest binary; those of one binary must agree. */
function bestStrategy(candidates: readonly Candidate[]): Chosen {
  let best = candidates[0]!;
  for (const c of candidates.slice(1)) {
    const order = compareSemanticVersions(versionOf(c.binaryVersion), versionOf(best.binaryVersion));
    if (order > 0) best = c;
    else if (order === 0 && c.strategy !== best.strategy) {
      const each = [best, c].map((x) => `${x.name} wants ${x.strategy}`).join(", ");
      return { why: `candidates of the same binary version differ in their strategy: ${each}` };
    }
  }
  return { strategy: best.strategy };
}

/** The candidate of the oldest emulated version, then of the oldest binary, then the one made first. */
export function oldest(candidates: readonly Candidate[]): Candidate | undefined {
  return candidates.filter((c) => readVersion(c.emulationVersion) && readVersion(c.binaryVersion)).reduce<
    Candidate | undefined
  >((best, c) => (best && before(best, c) <= 0 ? best : c), undefined);
}

function before(a: Candidate, b: Candidate): number {
  return compareSemanticVersions(versionOf(a.emulationVersion), versionOf(b.emulationVersion)) ||
    compareSemanticVersions(versionOf(a.binaryVersion), versionOf(b.binaryVersion)) || a.created - b.created;
}

const NO_VERSION: SemanticVersion = { major: 0, minor: 0, patch: 0, pre: "" };

function readVersion(text: string): SemanticVersion | undefined {
  try {
    return parseSemanticVersion(text);
  } catch {
    return undefined;
  }
}

const versionOf = (text: string): SemanticVersion => readVersion(text) ?? NO_VERSION;
