/**
 * Quotas: their status says what the spec bounds and what is used. Admission adds to what is used; this controller counts anew
 * when a quota or its bounds are new, when something that counts goes away or shrinks, and now and then.
 */
import { same, type Tree } from "../../schema/rules/tree.ts";
import { isNotFound } from "../../schema/status.ts";
import type { Entry } from "../cache/mod.ts";
import type { Resource } from "../catalog/types.ts";
import { Evaluators } from "../quota/evaluators.ts";
import { RecentCharges } from "../quota/recent_charges.ts";
import { recount, settle } from "../quota/recount.ts";
import { AS_CONTROLLER } from "./caller.ts";
import { follow, type Follower } from "./follow.ts";
import { FollowedResources } from "./followed.ts";
import { workQueue } from "./queue.ts";
import { storedResources } from "./stored.ts";
import type { Controller, ControllerContext } from "./types.ts";

const QUOTAS = "resourcequotas";
const WORKERS = 5;
/** Everything is counted anew so often (ms), as the public server does. */
const RESYNC_MS = 300_000;
/**
 * What was charged may be an object that is not stored yet: a quota that was charged in the last moments is counted a
 * little later (ms), at most so many times. Where it is charged all the same, what was in that time counts as used.
 */
const QUIET_MS = 250;
const MAX_WAITS = 20;

/** Makes the controller. */
export function quotaController(ctx: ControllerContext): Controller {
  const { registries } = ctx;
  const rules = { product: ctx.product, gate: ctx.gate, now: ctx.now, allowPrivileged: true };
  const evaluators = new Evaluators(rules, registries.lister);
  const where = {
    resources: () => storedResources(ctx.catalog),
    list: (id: string, namespace: string) => registries.lister.list(id, namespace, { whole: true }),
  };
  const quotasIn = new Map<string, Set<string>>();
  const charges = new Map<string, RecentCharges>();
  const waits = new Map<string, number>();

  const work = async (key: string): Promise<number | void> => {
    const waited = waits.get(key) ?? 0;
    const recent = charges.get(key);
    if (recent?.any(ctx.elapsed()) && waited < MAX_WAITS) {
      waits.set(key, waited + 1);
      return QUIET_MS;
    }
    waits.delete(key);
    const [namespace = "", name = ""] = key.split("/");
    try {
      await registries.live.update(
        QUOTAS,
        namespace,
        name,
        (quota) => {
          const counted = recount(quota, evaluators, where);
          return settle(quota, recent?.atLeast(quota, counted, ctx.elapsed()) ?? counted) ? quota : undefined;
        },
        { ...AS_CONTROLLER, subresource: "status" },
      );
    } catch (e) {
      if (isNotFound(e)) return;
      throw e;
    }
    return recent?.any(ctx.elapsed()) ? QUIET_MS : RESYNC_MS * (1 + ctx.random() / 10);
  };
  return {
    start(signal) {
      const queue = workQueue(ctx, "resourcequota", {
        workers: WORKERS,
        onError: (key, e) => ctx.log("warn", `the quota ${key} cannot be counted yet`, e),
        work,
      });
      const quotaChanged = (entry: Entry, deleted: boolean, previous: Entry | undefined) => {
        const { namespace, name } = entry, key = `${namespace}/${name}`;
        const names = quotasIn.get(namespace) ?? new Set();
        if (deleted) names.delete(name);
        else names.add(name);
        if (names.size > 0) quotasIn.set(namespace, names);
        else quotasIn.delete(namespace);
        if (deleted) return void charges.delete(key);
        if (!charges.has(key)) charges.set(key, new RecentCharges(QUIET_MS));
        const before = previous?.readable(), now = entry.readable();
        if (before && now) charges.get(key)!.changed(before, now, ctx.elapsed());
      };
      queue.start(signal);
      follow(registries.byId(QUOTAS), signal, (entry, deleted, previous) => {
        quotaChanged(entry, deleted, previous);
        if (!deleted && (!previous || boundsMoved(entry))) queue.add(`${entry.namespace}/${entry.name}`);
      });
      const freed = (resource: Resource): Follower => (entry, deleted, previous) => {
        const names = quotasIn.get(entry.namespace);
        if (!names || !frees(evaluators, resource, entry, deleted, previous)) return;
        for (const name of names) queue.add(`${entry.namespace}/${name}`);
      };
      new FollowedResources(ctx, Evaluators.counted, freed).start(signal);
    },
  };
}

/** Whether the status does not say what the spec bounds. */
function boundsMoved(entry: Entry): boolean {
  const quota = entry.readable() as Tree | undefined;
  if (!quota) return false;
  const { spec, status } = quota;
  return !same(spec?.hard ?? {}, status?.hard ?? {});
}

/** Whether a change may have given something back, or taken what nobody charged. */
function frees(
  evaluators: Evaluators,
  resource: Resource,
  entry: Entry,
  deleted: boolean,
  previous: Entry | undefined,
): boolean {
  if (deleted) return true;
  if (!previous || !WITH_AMOUNTS.has(resource.id)) return false;
  const before = previous.readable(), now = entry.readable();
  if (!before || !now) return false;
  const evaluator = evaluators.of(resource);
  return evaluator.scopeFacts?.(before) !== evaluator.scopeFacts?.(now) ||
    !same(amounts(evaluator.usage(before)), amounts(evaluator.usage(now)));
}

/** Resources whose objects use more or less as they change. */
const WITH_AMOUNTS = new Set(["pods", "services", "persistentvolumeclaims", "resourceclaims.resource.k8s.io"]);

const amounts = (usage: ReturnType<ReturnType<Evaluators["of"]>["usage"]>): Record<string, string> =>
  Object.fromEntries([...usage].map(([n, q]) => [n, q.toString()]));
