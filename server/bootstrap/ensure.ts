/** Brings a store to the bootstrap state: creates what is missing, repairs what the server owns, leaves the rest alone. */
import type { JsonMap, Obj } from "../../schema/model/types.ts";
import { hasReason, isNotFound, StatusError } from "../../schema/status.ts";
import type { OwnWrite } from "../admission/types.ts";
import { aggregate } from "../authorization/aggregation.ts";
import { missingRules, type PolicyRule } from "../authorization/rules.ts";
import { type BootstrapInput, bootstrapObjects } from "./objects.ts";
import { AGGREGATION, ownWrite, statusWrite } from "./owner.ts";
import { StorageError } from "../storage/backend.ts";
import type { BootstrapObject } from "./rows.ts";
import { mergedTrust, TRUST_CONFIG_MAP } from "./trust.ts";

/** What bootstrap needs of a store. Names of resources are public ids; errors are {@linkcode StatusError}. */
export interface BootstrapStore {
  /** Whether the resource is served at all (`--runtime-config`): what is not gets no content. */
  serves(resourceId: string): boolean;
  get(resourceId: string, namespace: string, name: string): Promise<Obj | undefined>;
  /** 409 AlreadyExists is tolerated: another server was faster. */
  create(resourceId: string, object: Obj): Promise<Obj>;
  /** Reads, changes, writes back, again on conflict; `change` returns undefined to leave it. */
  update(
    resourceId: string,
    namespace: string,
    name: string,
    change: (obj: Obj) => Obj | undefined,
    write?: OwnWrite,
  ): Promise<Obj>;
  /** Needed where what cannot change is not as it should be, as the role of a binding, and for what is not served any more. */
  delete(resourceId: string, namespace: string, name: string): Promise<void>;
  list(resourceId: string): Promise<readonly Obj[]>;
}

/** How much was done. */
export interface BootstrapSummary {
  readonly created: number;
  readonly updated: number;
}

const REGISTRATIONS = "apiservices.apiregistration.k8s.io";
const FLOWS = "flowschemas.flowcontrol.apiserver.k8s.io";
const LEVELS = "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io";

type Merge = (current: Obj, wanted: Obj) => Obj | undefined;
type Labels = Record<string, string>;

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The union of both; undefined when nothing is missing. Values of `wanted` win only where the key is absent. */
function withMissing(current: Labels | undefined, wanted: Labels | undefined): Labels | undefined {
  const missing = Object.entries(wanted ?? {}).filter(([k]) => current?.[k] === undefined);
  return missing.length ? { ...current, ...Object.fromEntries(missing) } : undefined;
}

function mergedMetadata(current: Obj, wanted: Obj): Obj["metadata"] | undefined {
  const labels = withMissing(current.metadata.labels, wanted.metadata.labels);
  const annotations = withMissing(current.metadata.annotations, wanted.metadata.annotations);
  if (!labels && !annotations) return undefined;
  return { ...current.metadata, ...(labels ? { labels } : {}), ...(annotations ? { annotations } : {}) };
}

const mergeRole: Merge = (current, wanted) => {
  const metadata = mergedMetadata(current, wanted);
  const out: Obj = { ...current, ...(metadata ? { metadata } : {}) };
  let changed = metadata !== undefined;
  if (wanted.aggregationRule) {
    if (!same(current.aggregationRule, wanted.aggregationRule)) {
      out.aggregationRule = mergedSelectors(current.aggregationRule, wanted.aggregationRule);
      changed = !same(out.aggregationRule, current.aggregationRule) || changed;
    }
  } else {
    const missing = missingRules(current.rules ?? [], wanted.rules ?? []);
    if (missing.length) {
      out.rules = [...(current.rules ?? []), ...missing];
      changed = true;
    }
  }
  return changed ? out : undefined;
};

function mergedSelectors(current: JsonMap | undefined, wanted: JsonMap): JsonMap {
  const have = (current?.clusterRoleSelectors ?? []) as JsonMap[];
  const missing = (wanted.clusterRoleSelectors as JsonMap[]).filter((w) => !have.some((h) => same(h, w)));
  return missing.length ? { clusterRoleSelectors: [...have, ...missing] } : current ?? wanted;
}

const subjectKey = (s: JsonMap) => `${s.kind}\n${s.apiGroup ?? ""}\n${s.namespace ?? ""}\n${s.name}`;

const mergeBinding: Merge = (current, wanted) => {
  const metadata = mergedMetadata(current, wanted);
  const have = new Set(((current.subjects ?? []) as JsonMap[]).map(subjectKey));
  const missing = ((wanted.subjects ?? []) as JsonMap[]).filter((s) => !have.has(subjectKey(s)));
  if (!metadata && !missing.length) return undefined;
  return {
    ...current,
    ...(metadata ? { metadata } : {}),
    ...(missing.length ? { subjects: [...(current.subjects ?? []), ...missing] } : {}),
  };
};

/** Whether a flow control object follows the server: the annotation that all of the first content carry says so. */
const followsServer = (object: Obj, wanted: Obj): boolean =>
  object.metadata.annotations?.[Object.keys(wanted.metadata.annotations!)[0]!] === "true";

/** Suggested configuration follows the server unless somebody changed it (annotation false); the mandatory ones always. */
const mergeFlow: Merge = (current, wanted) => {
  const mandatory = wanted.metadata.name === "exempt" || wanted.metadata.name === "catch-all";
  const key = Object.keys(wanted.metadata.annotations ?? {})[0]!;
  const auto = current.metadata.annotations?.[key] ?? (current.metadata.generation === 1 ? "true" : "false");
  if (!mandatory && auto !== "true") return undefined;
  // The shares of the exempt level are the operator's to choose.
  const spec = wanted.spec.exempt && auto !== "true" ? { ...wanted.spec, exempt: current.spec.exempt } : wanted.spec;
  if (same(sorted(current.spec), sorted(spec))) return undefined;
  return { ...current, spec };
};

function sorted(v: unknown): unknown {
  if (Array.isArray(v)) return v.map(sorted);
  if (v === null || typeof v !== "object") return v;
  return Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, x]) => [k, sorted(x)]));
}

/** The server's own endpoints follow its address and port. */
const mergeEndpoints: Merge = (current, wanted) => {
  const out: Obj = { ...current };
  for (const part of ["subsets", "endpoints", "ports"]) if (wanted[part] !== undefined) out[part] = wanted[part];
  return same(sorted(out), sorted(current)) ? undefined : out;
};

/** A server that has got a range of the other family adds it; other ranges are no server's to change. */
const mergeRange: Merge = (current, wanted) => {
  const was: string[] = current.spec?.cidrs ?? [], { cidrs } = wanted.spec;
  if (was.length !== 1 || cidrs.length !== 2 || was[0] !== cidrs[0]) return undefined;
  return { ...current, spec: { ...current.spec, cidrs } };
};

/** What tells that servers keep a registration, and how. */
const managedBy = (registration: Obj, wanted: Obj): string | undefined =>
  registration.metadata.labels?.[Object.keys(wanted.metadata.labels!)[0]!];

/** Registrations of the server's own versions are put right, but for those that somebody made his own. */
const mergeRegistration: Merge = (current, wanted) =>
  managedBy(current, wanted) && !same(sorted(current.spec), sorted(wanted.spec))
    ? { ...current, spec: wanted.spec }
    : undefined;

const mergeTrust = (now: number): Merge => (current, wanted) => {
  const data = mergedTrust(current["data"] ?? {}, wanted["data"], now);
  return same(sorted(data), sorted(current.data)) ? undefined : { ...current, data };
};

const mergeLease: Merge = (current, wanted) => ({ ...current, spec: wanted.spec });

const MERGES: Readonly<Record<string, Merge>> = {
  "clusterroles.rbac.authorization.k8s.io": mergeRole,
  "roles.rbac.authorization.k8s.io": mergeRole,
  "clusterrolebindings.rbac.authorization.k8s.io": mergeBinding,
  "rolebindings.rbac.authorization.k8s.io": mergeBinding,
  [FLOWS]: mergeFlow,
  [LEVELS]: mergeFlow,
  "servicecidrs.networking.k8s.io": mergeRange,
  [REGISTRATIONS]: mergeRegistration,
  "endpoints": mergeEndpoints,
  "endpointslices.discovery.k8s.io": mergeEndpoints,
  "leases.coordination.k8s.io": mergeLease,
};

const AUTOUPDATE = "rbac.authorization.kubernetes.io/autoupdate";

function mergeOf(row: BootstrapObject, current: Obj, { autoupdate, now, keepsEndpoints }: Merging): Merge | undefined {
  if (keepsEndpoints && MERGES[row.resourceId] === mergeEndpoints) return undefined;
  if (row.resourceId === "configmaps") {
    return row.object.metadata.name === TRUST_CONFIG_MAP ? mergeTrust(now) : undefined;
  }
  const isRbac = row.resourceId.endsWith(".rbac.authorization.k8s.io");
  if (isRbac && current.metadata.annotations?.[autoupdate] !== "true") return undefined;
  return MERGES[row.resourceId];
}

/** Members that never change: an object with another one is made anew. */
const FIXED = ["roleRef", "addressType"];

/** What merges go by: the annotation of what follows the server, the time, and whether a controller keeps the endpoints. */
interface Merging {
  readonly autoupdate: string;
  readonly now: number;
  readonly keepsEndpoints?: boolean | undefined;
}

async function ensureOne(store: BootstrapStore, row: BootstrapObject, merging: Merging) {
  const { resourceId, object } = row;
  const [namespace, name] = [object.metadata.namespace ?? "", object.metadata.name!];
  const current = await orUnreadable(store.get(resourceId, namespace, name));
  if (current === UNREADABLE) return "kept";
  if (!current) return await createUnlessThere(store, resourceId, await asItsSource(store, row, merging));
  const merge = mergeOf(row, current, merging);
  if (!merge) return "kept";
  if (!current["status"]?.conditions && same(sorted(current["spec"]), sorted(object["spec"]))) {
    await tellConditions(store, resourceId, object);
  }
  if (FIXED.some((m) => object[m] && !same(sorted(current[m]), sorted(object[m])))) {
    await store.delete(resourceId, namespace, name);
    return await createUnlessThere(store, resourceId, object);
  }
  if (!merge(current, object)) return "kept";
  await store.update(resourceId, namespace, name, (obj) => merge(obj, object), ownWrite(resourceId));
  return "updated";
}

/** Once more for what somebody deletes just then: another server of the store may be at it. */
async function ensureTwice(...args: Parameters<typeof ensureOne>) {
  try {
    return await ensureOne(...args);
  } catch (e) {
    if (!isNotFound(e)) throw e;
    return await ensureOne(...args);
  }
}

/** Bindings that came out of another, whose rights they give in part. */
const SOURCES: Readonly<Record<string, string>> = { "system:public-info-viewer": "system:discovery" };

/** Such a binding is made as its source is: what somebody has taken from whom does not come back by it. */
async function asItsSource(
  store: BootstrapStore,
  { resourceId, object }: BootstrapObject,
  { autoupdate }: Merging,
): Promise<Obj> {
  const name = SOURCES[object.metadata.name!];
  if (!name || MERGES[resourceId] !== mergeBinding) return object;
  const source = await orUnreadable(store.get(resourceId, "", name));
  if (source === UNREADABLE || !source) return object;
  const { metadata: { labels, annotations }, subjects } = source;
  const made: Obj = {
    ...object,
    metadata: { name: object.metadata.name!, ...(labels ? { labels } : {}), ...(annotations ? { annotations } : {}) },
    subjects: subjects ?? [],
  };
  return annotations?.[autoupdate] === "true" ? mergeBinding(made, object) ?? made : made;
}

/** A store that is full must not keep the server from starting by which it is emptied. */
const isFull = (e: unknown): boolean =>
  e instanceof StatusError && e.cause instanceof StorageError && e.cause.kind === "full";

/**
 * Others may have the address or the node port that the API's own service is to have: who frees them needs a server, too. The
 * controller tries again.
 */
const isTaken = ({ resourceId }: BootstrapObject, e: unknown): boolean =>
  resourceId === "services" && hasReason(e, "Invalid");

/** What is there and cannot be read: it is left as it is, since it must not keep the server from starting that is to delete it. */
const UNREADABLE = Symbol("unreadable");

async function orUnreadable<T>(read: Promise<T>): Promise<T | typeof UNREADABLE> {
  try {
    return await read;
  } catch (e) {
    if (hasReason(e, "InternalError")) return UNREADABLE;
    throw e;
  }
}

async function createUnlessThere(store: BootstrapStore, resourceId: string, object: Obj) {
  try {
    // A creation may take the object that it is given for its own.
    const whole = { ...object, metadata: { ...object.metadata } };
    const made = await store.create(resourceId, object);
    if (!made["status"]?.conditions) await tellConditions(store, resourceId, whole);
    return "created";
  } catch (e) {
    if (hasReason(e, "AlreadyExists")) return "kept";
    throw e;
  }
}

/** Gives an object of the first content the conditions that it comes with, if it comes with any. */
async function tellConditions(store: BootstrapStore, resourceId: string, { metadata, status }: Obj): Promise<void> {
  const { name, namespace = "" } = metadata, conditions = status?.conditions;
  if (!conditions) return;
  const change = (obj: Obj) => ({ ...obj, status: { ...obj["status"], conditions } });
  await store.update(resourceId, namespace, name!, change, statusWrite(resourceId));
}

/** Writes the rules of aggregated cluster roles, until nothing changes (view feeds edit, edit feeds admin). */
export async function ensureAggregation(store: Pick<BootstrapStore, "list" | "update">): Promise<number> {
  const id = "clusterroles.rbac.authorization.k8s.io";
  const roles = await orUnreadable(store.list(id));
  if (roles === UNREADABLE) return 0;
  const changed = aggregate(roles);
  for (const [name, rules] of changed) {
    try {
      await store.update(id, "", name, (role) => ({ ...role, rules: rules as PolicyRule[] }), AGGREGATION);
    } catch (e) {
      // A role that is not valid, or just deleted, is left as it is: it must not keep the server from starting.
      if (!isFull(e) && !hasReason(e, "Invalid") && !isNotFound(e)) throw e;
      changed.delete(name);
    }
  }
  return changed.size;
}

/**
 * Creates or repairs the first content, one object after the other in dependency order, 16 at a time within a resource.
 * RBAC objects gain missing rules, subjects, labels (never lose any) while their auto-update annotation is `true`.
 * `keepsEndpoints`: those of the API's own service are not touched once they are there, since they name other servers too.
 * `aggregation`: also fill aggregated cluster roles (what the aggregation controller does).
 * @throws StatusError of the store
 */
export async function ensureBootstrap(
  store: BootstrapStore,
  input: BootstrapInput,
  options: {
    readonly aggregation: boolean;
    readonly keepsEndpoints?: boolean;
    /** Hears of an object that cannot be had for now. */
    left?(row: BootstrapObject, error: unknown): void;
  },
): Promise<BootstrapSummary> {
  const merging = { ...mergingOf(input), keepsEndpoints: options.keepsEndpoints };
  const count = { created: 0, updated: 0, kept: 0 };
  const rows = bootstrapObjects(input).filter((row) => store.serves(row.resourceId));
  for (const group of byResource(rows)) {
    for (let i = 0; i < group.length; i += 16) {
      const done = await Promise.all(
        group.slice(i, i + 16).map((row) =>
          ensureTwice(store, row, merging).catch((e) => {
            if (!isFull(e) && !isTaken(row, e)) throw e;
            options.left?.(row, e);
            return "kept";
          })
        ),
      );
      for (const d of done) count[d as keyof typeof count]++;
    }
  }
  await dropOld(store, rows);
  if (options.aggregation) count.updated += await ensureAggregation(store);
  return { created: count.created, updated: count.updated };
}

/** What tells that servers keep an object of a resource, of which others are not theirs: the object is as one of the first content in that. */
const KEPT: Readonly<Record<string, (object: Obj, wanted: Obj) => unknown>> = {
  [REGISTRATIONS]: managedBy,
  [FLOWS]: followsServer,
  [LEVELS]: followsServer,
};

/** Deletes what servers keep of versions and sets that are no more: schemas of flows before the levels that they name. */
async function dropOld(store: BootstrapStore, rows: readonly BootstrapObject[]): Promise<void> {
  for (const [resourceId, kept] of Object.entries(KEPT)) {
    const wanted = new Map(
      rows.filter((row) => row.resourceId === resourceId).map(({ object }) => [object.metadata.name!, object]),
    );
    const [first] = wanted.values(), there = first ? await orUnreadable(store.list(resourceId)) : UNREADABLE;
    if (!first || there === UNREADABLE) continue;
    for (const object of there) {
      const { name } = object.metadata;
      if (wanted.has(name!) || kept(object, first) !== kept(first, first)) continue;
      await store.delete(resourceId, "", name!).catch((e) => {
        if (!isNotFound(e)) throw e;
      });
    }
  }
}

/** Creates or repairs one object of the first content. @throws StatusError of the store */
export async function ensureObject(store: BootstrapStore, input: BootstrapInput, row: BootstrapObject): Promise<void> {
  if (store.serves(row.resourceId)) await ensureOne(store, row, mergingOf(input));
}

const mergingOf = ({ product, now }: BootstrapInput): Merging => ({ autoupdate: product.local(AUTOUPDATE), now });

/** Runs of rows of one resource, in order. */
function byResource(rows: readonly BootstrapObject[]): BootstrapObject[][] {
  const out: BootstrapObject[][] = [];
  for (const row of rows) {
    const last = out.at(-1);
    if (last && last[0]!.resourceId === row.resourceId) last.push(row);
    else out.push([row]);
  }
  return out;
}
