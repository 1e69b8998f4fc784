/** Which version of the data a read asks for (specification, "Version semantics of `resourceVersion`"). */
import type { Product } from "../../schema/product.ts";
import { badRequest, expired, type GroupResource, invalid, qualified, StatusError } from "../../schema/status.ts";
import { ErrorList } from "../../schema/rules/errors.ts";
import { CacheNotReady, type ResourceCache, type Snapshot } from "../cache/mod.ts";
import { type Cancellable, signalOf } from "../request.ts";
import type { ListOptions } from "./query.ts";

/** A version as asked for; `text` is kept for the answer. */
export type ReadVersion =
  | { readonly kind: "latest" }
  | { readonly kind: "any" }
  | { readonly kind: "atLeast" | "exact"; readonly revision: number; readonly text: string };

/** Past this many digits a version, which may have any, is ahead of any store; so it is compared without being parsed. */
const MAX_DIGITS = 15;
/** How long a read waits for a version that is not there yet. */
const WAIT_MS = 3_000;

/** A version as a number; one with too many digits is later than everything. @throws StatusError 400, its text after `what` */
export function parseVersion(text: string, what = ""): number {
  if (!/^\d+$/.test(text)) {
    const said = JSON.stringify(text);
    const why = `Invalid value: ${said}: strconv.ParseUint: parsing ${said}: invalid syntax`;
    throw badRequest(`${what}resourceVersion: ${why}`);
  }
  const digits = text.replace(/^0+(?=\d)/, "");
  return digits.length > MAX_DIGITS ? Number.POSITIVE_INFINITY : Number(digits);
}

/** The get table. */
export function getVersion(text: string): ReadVersion {
  if (text === "") return { kind: "latest" };
  const revision = parseVersion(text, "invalid resource version: ");
  return revision === 0 ? { kind: "any" } : { kind: "atLeast", revision, text };
}

/** The list table; a continued list goes by its token. @throws StatusError 400 for a cell that is Invalid, 422 for options of watches */
export function listVersion(o: ListOptions, product: Product): ReadVersion {
  checkList(o, product);
  const version = getVersion(o.resourceVersion);
  if (version.kind !== "atLeast") return version;
  const exact = o.resourceVersionMatch === "Exact" || (o.resourceVersionMatch === "" && o.limit > 0);
  return exact ? { ...version, kind: "exact" } : version;
}

function checkList(o: ListOptions, product: Product): void {
  checkListOptions(o, product);
  if (o.continue === "" || o.resourceVersion === "" || o.resourceVersion === "0") return;
  throw badRequest("a resource version is not allowed when continue is provided");
}

/** What options of a list have to be together, whatever answers it. @throws StatusError 400, 422 for options of watches */
export function checkListOptions(o: ListOptions, product: Product): void {
  const match = o.resourceVersionMatch;
  const errors = new ErrorList();
  if (match !== "") {
    if (o.resourceVersion === "") {
      errors.forbidden("resourceVersionMatch", "resourceVersionMatch is forbidden unless resourceVersion is provided");
    }
    if (o.continue !== "") {
      errors.forbidden("resourceVersionMatch", "resourceVersionMatch is forbidden when continue is provided");
    }
    if (match !== "Exact" && match !== "NotOlderThan") {
      errors.notSupported("resourceVersionMatch", match, ["Exact", "NotOlderThan", ""]);
    }
    if (match === "Exact" && o.resourceVersion === "0") {
      errors.forbidden("resourceVersionMatch", 'Exact is forbidden for resourceVersion "0"');
    }
  }
  if (o.sendInitialEvents !== undefined) {
    errors.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list");
  }
  if (errors.empty) return;
  if (o.sendInitialEvents !== undefined) throw invalid(product.local("meta.k8s.io"), "ListOptions", "", errors.causes);
  const message = errors.causes.map((c) => `${c.field}: ${c.message}`).join(", ");
  throw new StatusError(400, "BadRequest", message, { causes: errors.causes });
}

/** Read from the store itself on the public server. */
const UNCACHED: ReadonlySet<string> = new Set(["events"]);

/** 504 of a version that does not come in time. `cached`: whether a cache was asked, which says when to come again. */
export function tooLargeVersion(text: string, current: number, cached: boolean): StatusError {
  const cause = { reason: "ResourceVersionTooLarge", message: "Too large resource version" };
  return new StatusError(504, "Timeout", `Timeout: Too large resource version: ${text}, current: ${current}`, {
    causes: [cause],
    ...(cached ? { retryAfterSeconds: 1 } : {}),
  });
}

/** Waits until the cache is at least that new. @throws StatusError 504 */
export async function atLeast(
  cache: ResourceCache,
  revision: number,
  text: string,
  cancel: AbortSignal | Cancellable,
): Promise<void> {
  if (cache.revision >= revision) return;
  const known = Number.isFinite(revision);
  const there = known && await cache.waitFor(revision, WAIT_MS, signalOf(cancel));
  if (!there) throw tooLargeVersion(text, cache.revision, !UNCACHED.has(cache.id));
}

/** A snapshot as the version asks. @throws StatusError 410, 504 */
export async function snapshotFor(
  cache: ResourceCache,
  version: ReadVersion,
  fresh: () => Promise<void>,
  gr: GroupResource,
  cancel: AbortSignal | Cancellable,
): Promise<Snapshot> {
  if (!cache.ready) throw new CacheNotReady(cache.id);
  if (version.kind === "latest") await fresh();
  if (version.kind === "latest" || version.kind === "any") return cache.snapshot();
  // A cache that has it need not have more; one that has not is told to hurry.
  if (cache.revision < version.revision) await fresh();
  await atLeast(cache, version.revision, version.text, cancel);
  if (version.kind === "atLeast") return cache.snapshot();
  const snapshot = cache.snapshotAt(version.revision);
  if (snapshot) return snapshot;
  throw expired(`The resourceVersion for the provided list of ${qualified(gr)} is too old`);
}
