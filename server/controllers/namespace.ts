/**
 * Namespaces that are being deleted: their contents are removed through the registries, pods first, honouring finalizers
 * and grace; conditions tell what is left; then the namespace gives up its own finalizer (specification, "Object deletion").
 */
import type { Obj } from "../../schema/model/types.ts";
import { isNotFound } from "../../schema/status.ts";
import { nowTime } from "../../schema/values/time.ts";
import type { Entry } from "../cache/mod.ts";
import { fullName } from "../catalog/full_name.ts";
import type { Resource } from "../catalog/types.ts";
import type { Caller } from "../registry/context.ts";
import { HEARD_MS, isShared } from "../storage/backend.ts";
import { AS_CONTROLLER, controllerCaller, controllerUser, deleteAs } from "./caller.ts";
import { follow } from "./follow.ts";
import { type Contents, deletionConditions } from "./namespace_conditions.ts";
import { removeFromExtensions } from "./namespace_extensions.ts";
import { workQueue } from "./queue.ts";
import { storedResources } from "./stored.ts";
import type { Controller, ControllerContext } from "./types.ts";

/** Namespaces emptied at the same time, and deletions in flight of each. */
const NAMESPACES = 10;
const DELETIONS = 16;
/** First and longest wait before a namespace with contents left is looked at again (ms). */
const LOOK_MS = 250;
const LOOK_MAX_MS = 15_000;

/** What could not be removed, and why: whoever looks after the servers that hold it can mend that. */
class ContentsError extends Error {
  override readonly name = "ContentsError";
}

/** Makes the controller. */
export function namespaceController(ctx: ControllerContext): Controller {
  return {
    start(signal) {
      const caller = controllerCaller(controllerUser(ctx, "namespace-controller"), signal);
      const looks = new Map<string, number>();
      /** By uid: another namespace of the name may have come since. */
      const begun = new Map<string, number>();
      const begunAt = (uid: string) => begun.get(uid) ?? ctx.elapsed();
      const queue = workQueue(ctx, "namespace", {
        workers: NAMESPACES,
        onError: (name, e) => ctx.log("warn", `the namespace ${name} cannot be emptied yet`, e),
        async work(name) {
          const left = await empty(ctx, caller, name, begunAt);
          if (typeof left === "number") return left;
          if (!left) return void looks.delete(name);
          const times = looks.get(name) ?? 0;
          looks.set(name, times + 1);
          return Math.min(LOOK_MAX_MS, LOOK_MS * 2 ** times) * (0.5 + ctx.random() / 2);
        },
      });
      queue.start(signal);
      follow(ctx.registries.byId("namespaces"), signal, (entry, deleted, previous) => {
        if (deleted) {
          looks.delete(entry.name);
          begun.delete(entry.uid);
          return;
        }
        const now = entry.readable(), before = previous?.readable();
        if (!now?.metadata.deletionTimestamp) return;
        if (!begun.has(entry.uid)) begun.set(entry.uid, ctx.elapsed());
        // Conditions that the controller itself writes are no reason to look again.
        if (!before?.metadata.deletionTimestamp) queue.add(entry.name);
        else if (before["spec"]?.finalizers?.length !== now["spec"]?.finalizers?.length) queue.add(entry.name);
      });
    },
  };
}

/**
 * One look at a namespace; true when something is left, a number when something may still come for so many ms.
 * @param begunAt when the deletion of the namespace with a uid was seen to begin
 * @throws StatusError, ContentsError
 */
async function empty(
  ctx: ControllerContext,
  caller: Caller,
  name: string,
  begunAt: (uid: string) => number,
): Promise<boolean | number> {
  const { live } = ctx.registries;
  const found = await live.get("namespaces", "", name);
  if (!found?.metadata.deletionTimestamp) return false;
  const own = ctx.product.service;
  if (!(found["spec"]?.finalizers ?? []).includes(own)) return false;
  const unheard = isShared(ctx.backend) ? begunAt(found.metadata.uid!) + HEARD_MS - ctx.elapsed() : 0;
  const contents = await removeContents(ctx, caller, name);
  ctx.verbose("namespace", 4)?.(`${name} was emptied`, { left: Object.fromEntries(contents.left) });
  await tellConditions(ctx, found, contents);
  const failures = [...contents.failures, ...contents.undiscovered];
  if (failures.length > 0) throw new ContentsError(failures.join("; "));
  if (contents.left.size > 0) return true;
  if (unheard > 0) return unheard;
  await giveUp(ctx, found, own);
  return false;
}

/** Deletes what is in a namespace, and tells what is left afterwards: pods end before anything that they may need. */
async function removeContents(ctx: ControllerContext, caller: Caller, namespace: string): Promise<Contents> {
  const contents: Contents = { left: new Map(), finalizers: new Map(), failures: [], undiscovered: [] };
  const resources = storedResources(ctx.catalog).filter((r) => r.namespaced);
  const stages = [resources.filter((r) => r.id === "pods"), resources.filter((r) => r.id !== "pods")];
  for (const stage of stages) {
    for (const resource of stage) await tryRemoving(ctx, caller, resource, namespace, contents);
    if (contents.left.size + contents.failures.length > 0) break;
  }
  await removeFromExtensions(ctx, caller.user, namespace, contents);
  return contents;
}

/** One whose store or cache does not answer keeps nobody from the others. */
async function tryRemoving(...args: Parameters<typeof removeOf>): Promise<void> {
  const [, , resource, , { failures }] = args;
  await removeOf(...args).catch((e: Error) => failures.push(`${fullName(resource)}: ${e.message}`));
}

async function removeOf(
  ctx: ControllerContext,
  caller: Caller,
  resource: Resource,
  namespace: string,
  contents: Contents,
): Promise<void> {
  const store = ctx.registries.store(resource);
  await store.fresh(caller.signal);
  const entries = [...store.cache.snapshot().range({ namespace })];
  if (entries.length === 0) return;
  const queue = entries.values();
  const failed = new Set<string>();
  const work = async () => {
    for (const { name } of queue) {
      try {
        await deleteAs(ctx, caller, store, namespace, name, { propagationPolicy: "Background" });
      } catch (e) {
        failed.add(e instanceof Error ? e.message : String(e));
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(DELETIONS, entries.length) }, work));
  for (const message of failed) contents.failures.push(`${fullName(resource)}: ${message}`);
  await store.fresh(caller.signal);
  count([...store.cache.snapshot().range({ namespace })], resource, contents);
}

function count(entries: readonly Entry[], resource: Resource, contents: Contents): void {
  if (entries.length > 0) contents.left.set(fullName(resource), entries.length);
  for (const entry of entries) {
    for (const f of entry.readable()?.metadata.finalizers ?? []) {
      contents.finalizers.set(f, (contents.finalizers.get(f) ?? 0) + 1);
    }
  }
}

async function tellConditions(ctx: ControllerContext, found: Obj, contents: Contents): Promise<void> {
  const now = nowTime(ctx.now());
  const change = (ns: Obj): Obj | undefined => {
    if (ns.metadata.uid !== found.metadata.uid) return undefined;
    const conditions = deletionConditions(ns["status"]?.conditions ?? [], contents, now);
    const same = ns["status"]?.phase === "Terminating" && conditions === ns["status"]?.conditions;
    return same ? undefined : { ...ns, status: { ...ns["status"], phase: "Terminating", conditions } };
  };
  await ignoreGone(
    ctx.registries.live.update("namespaces", "", found.metadata.name!, change, {
      ...AS_CONTROLLER,
      subresource: "status",
    }),
  );
}

/** Takes the server's own finalizer; what others put there stays. */
async function giveUp(ctx: ControllerContext, found: Obj, own: string): Promise<void> {
  const { name, uid } = found.metadata;
  const change = (ns: Obj): Obj | undefined => {
    // Another one of its name has contents that nobody has looked at.
    if (ns.metadata.uid !== uid || !ns.metadata.deletionTimestamp) return undefined;
    const finalizers = (ns["spec"]?.finalizers ?? []).filter((f: string) => f !== own);
    return { ...ns, spec: { ...ns["spec"], finalizers } };
  };
  await ignoreGone(
    ctx.registries.live.update("namespaces", "", name!, change, { ...AS_CONTROLLER, subresource: "finalize" }),
  );
}

async function ignoreGone(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (e) {
    if (!isNotFound(e)) throw e;
  }
}
