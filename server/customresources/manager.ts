/**
 * Serves what definitions define. A definition that is created, changed or deleted changes the scheme, the caches and the
 * catalog at once; its names are settled by the one worker below, and its objects removed beside those of others, on any server of
 * the store: what two of them do at once is the same.
 */
import { createHash } from "node:crypto";
import { copyTree } from "../../schema/values/copy.ts";
import type { Scheme } from "../../schema/scheme.ts";
import type { Obj } from "../../schema/model/types.ts";
import { bundleOf, isSoundBundle } from "../../schema/rules/apiextensions/ca_bundle.ts";
import type { CertificateTools } from "../../schema/rules/certificates/tools.ts";
import { forbidden, isNotFound, notServed } from "../../schema/status.ts";
import { same } from "../../schema/rules/tree.ts";
import { fraction } from "../../schema/values/random.ts";
import { nowTime } from "../../schema/values/time.ts";
import type { Cacher } from "../cache/mod.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Resource } from "../catalog/types.ts";
import { WorkQueue } from "../controllers/queue.ts";
import type { SubresourceHandler } from "../endpoints/api.ts";
import type { Verbose } from "../../schema/log/log.ts";
import { pause } from "../pause.ts";
import type { Printer } from "../printing/types.ts";
import { deleteObject } from "../registry/delete.ts";
import { type Registries, systemCaller } from "../registry/registries.ts";
import { HEARD_MS, isShared } from "../storage/backend.ts";
import type { Strategy } from "../registry/strategy.ts";
import { type Cancellable, signalOf } from "../request.ts";
import { AcceptedNames } from "./accepted_names.ts";
import { settleApproval } from "./approval.ts";
import {
  CLEANUP,
  type Condition,
  conditionOf,
  type Definition,
  DEFINITIONS,
  holds,
  isTerminating,
  setCondition,
} from "./definition.ts";
import { settleNames } from "./names.ts";
import { settleStructure } from "./structure.ts";
import type { ConversionHooks } from "./webhook_converter.ts";
import { type CustomResource, customResource, leaving } from "./resource.ts";

/** How long a step that failed waits for its next try, ms. */
const RETRY_MS = 1000;
/** Ample for an answer that is ready to be written. */
const ANSWER_MS = 50;
/** Definitions whose objects are removed at the same time. */
const ENDS = 10;
/** Longest that a request waits for objects that are being loaded, ms: after that it is answered as one for any other resource. */
const LOADED_MS = 10_000;
/** The same of the worker, for whom others wait. */
const SOON_MS = 1000;

/** How far the end of a definition has come. */
const EMPTYING: Condition = {
  type: "Terminating",
  status: "True",
  reason: "InstanceDeletionInProgress",
  message: "CustomResource deletion is in progress",
};
const EMPTIED: Condition = {
  type: "Terminating",
  status: "False",
  reason: "InstanceDeletionCompleted",
  message: "removed all instances",
};
const NEVER_SERVED: Condition = {
  type: "Terminating",
  status: "False",
  reason: "NeverEstablished",
  message: "resource was never established",
};

/** What the manager works on. */
export interface ManagerContext {
  readonly scheme: Scheme;
  readonly catalog: Catalog;
  readonly cacher: Cacher;
  readonly registries: Registries;
  /** Strategies by resource id, as the registries read them: rows of custom resources are added and removed. */
  readonly strategies: Record<string, Strategy>;
  /** Reads certificates. */
  readonly certificates: CertificateTools;
  /** How webhooks are reached that convert. */
  readonly hooks: ConversionHooks;
  /** Prefix of the store, without a slash at its end. */
  readonly root: string;
  /** Milliseconds since the epoch. */
  now(): number;
  log(level: "warn" | "error", text: string, detail?: unknown): void;
  readonly verbose?: Verbose | undefined;
}

/** A definition as it is served. */
interface Serving {
  readonly custom: CustomResource;
  /** Tells one state of what is served from another. */
  readonly key: string;
  readonly unlisten: () => void;
  /** Resolves when the objects are loaded. */
  readonly ready: Promise<void>;
  loaded: boolean;
  terminating: boolean;
  /** As what it is listed in the catalog; undefined: not. */
  listed: "whole" | "leaving" | undefined;
}

/** See the top of the file. */
export class CustomResources {
  readonly #ctx: ManagerContext;
  readonly #serving = new Map<string, Serving>();
  readonly #names = new AcceptedNames();
  /** Definitions whose conditions may have to be settled, one at a time: they take names from each other. */
  readonly #states: WorkQueue;
  /** Since when definitions are seen to be on their way out. */
  readonly #ending = new Map<string, number>();
  /** Definitions on their way out. */
  readonly #ends: WorkQueue;
  #started = false;
  #stopped = false;

  constructor(ctx: ManagerContext) {
    this.#ctx = ctx;
    this.#states = this.#queue(1, (name) => this.#settle(name));
    this.#ends = this.#queue(ENDS, (name) => this.#finish(name));
  }

  /** Begins to follow definitions; resolves when what is established is served. The caches are ready by now. */
  async start(signal: AbortSignal): Promise<void> {
    const cache = this.#ctx.cacher.cache(DEFINITIONS);
    if (!cache) return;
    const unlisten = cache.listen({
      changed: (entry, _before, deleted) => this.#changed(entry.name, deleted ? undefined : entry.peek() as Definition),
      reset: () => void this.#resync(),
    });
    signal.addEventListener("abort", () => {
      this.#stopped = true;
      unlisten();
    }, { once: true });
    this.#started = true;
    this.#states.start(signal);
    this.#ends.start(signal);
    await this.#resync();
  }

  /** Waits until the objects of a resource are loaded, when they are being loaded just now; as long as who asks, and not for ever. */
  async loaded(resource: Resource, asking: Cancellable): Promise<void> {
    await loaded(this.#serving.get(resource.id), LOADED_MS, asking);
  }

  /** How a custom resource is printed in a version; undefined for any other resource. */
  printer(resource: Resource, version: string): Printer | undefined {
    return this.#serving.get(resource.id)?.custom.printers.get(version);
  }

  /** The handler of a subresource that is no update of the object itself. */
  subresource(resource: Resource, name: string): SubresourceHandler | undefined {
    return name === "scale" ? this.#serving.get(resource.id)?.custom.scale : undefined;
  }

  /** All definitions now. */
  #definitions(): Definition[] {
    const cache = this.#ctx.cacher.cache(DEFINITIONS);
    if (!cache?.ready) return [];
    return [...cache.snapshot().range()].flatMap((e) => e.readable() as Definition | undefined ?? []);
  }

  #definition(name: string): Definition | undefined {
    const cache = this.#ctx.cacher.cache(DEFINITIONS);
    return cache?.ready ? cache.get("", name)?.readable() as Definition | undefined : undefined;
  }

  async #resync(): Promise<void> {
    if (!this.#started) return;
    await this.#ctx.cacher.whenReady(DEFINITIONS);
    if (this.#stopped) return;
    const all = this.#definitions(), names = new Set(all.map((d) => d.metadata.name!));
    for (const name of this.#serving.keys()) if (!names.has(name)) this.#changed(name, undefined);
    this.#names.clear();
    for (const d of all) this.#changed(d.metadata.name!, d);
    await Promise.all(this.#serving.values().map((s) => s.ready));
  }

  #changed(name: string, d: Definition | undefined): void {
    if (d) this.#names.put(d);
    else this.#names.delete(name);
    if (!d || !isTerminating(d)) this.#ending.delete(name);
    else if (!this.#ending.has(name)) this.#ending.set(name, this.#ctx.now());
    try {
      if (d) this.#serve(d);
      else this.#withdraw(name);
    } catch (e) {
      this.#ctx.log("error", `the custom resource ${name} cannot be served`, e);
    }
    if (d) this.#states.add(name);
    else this.#enqueueRefused(groupOf(name));
  }

  /** Names of a group became free: those that could not have theirs try again. */
  #enqueueRefused(group: string): void {
    for (const name of this.#names.wanting(group)) this.#states.add(name);
  }

  // ---- serving ----------------------------------------------------------------------------------------------------------

  #serve(d: Definition): void {
    const name = d.metadata.name!, was = this.#serving.get(name);
    if (!holds(d, "Established")) {
      if (was?.listed) this.#withdraw(name);
      return;
    }
    const now = was?.key === keyOf(d) ? was : this.#prepare(d);
    if (!now) return;
    now.terminating = isTerminating(d);
    const wanted = holds(d, "Terminating") ? "leaving" : "whole", { listed } = now;
    if (listed === wanted) return;
    now.listed = wanted;
    const { resource } = now.custom;
    this.#ctx.catalog.put(wanted === "leaving" ? leaving(resource) : resource);
    if (!listed) this.#ctx.verbose?.("custom_resources", 2)?.(`${name} is served`);
  }

  /** Makes the caches and kinds of a definition; requests do not find it yet. Undefined: its place is taken. */
  #prepare(d: Definition): Serving | undefined {
    const { scheme, catalog, cacher, strategies, root, hooks } = this.#ctx;
    const name = d.metadata.name!, was = this.#serving.get(name);
    const taken = (version: string) => catalog.hasBuiltIn(d.spec.group, version);
    if ((!was && catalog.resource(name)) || d.spec.versions.every((v) => taken(v.name))) return undefined;
    const custom = customResource(d, scheme, root, hooks, taken);
    for (const kind of custom.kinds) scheme.add(kind);
    for (const old of was?.custom.kinds ?? []) scheme.remove(old);
    was?.unlisten();
    const cache = cacher.add(custom.cached);
    const made: Serving = {
      custom,
      key: keyOf(d),
      unlisten: cache.listen({
        changed: (_entry, before, deleted) => {
          // What another server still made goes, too. Not at once: whoever deleted it is still to be answered, in a kind that goes
          // with its definition.
          if (made.terminating && (deleted || !before)) this.#states.addAfter(name, ANSWER_MS);
        },
        // Nobody tells of what went before that.
        reset: () => {
          if (made.terminating) this.#states.add(name);
        },
      }),
      ready: cacher.whenReady(cache.id).then(() => void (made.loaded = true)),
      loaded: false,
      terminating: isTerminating(d),
      listed: undefined,
    };
    this.#serving.set(name, made);
    strategies[name] = {
      ...custom.strategy,
      authorize: (obj, old) => this.#refuseNew(name, d.spec.group, obj, old),
      beforeNew: (obj) => {
        if (!this.#serving.has(name)) throw notServed();
        this.#refuseNew(name, d.spec.group, obj, undefined);
      },
    };
    return made;
  }

  /** @throws StatusError 403 for a new object of a definition that is on its way out */
  #refuseNew(name: string, group: string, obj: Obj, old: unknown): void {
    if (old !== undefined || !this.#serving.get(name)?.terminating) return;
    const gr = { group, resource: name.slice(0, name.indexOf(".")) };
    throw forbidden(gr, obj.metadata.name ?? "", "create not allowed while custom resource definition is terminating");
  }

  #withdraw(name: string): void {
    const { scheme, catalog, cacher, strategies } = this.#ctx;
    const was = this.#serving.get(name);
    if (!was) return;
    this.#serving.delete(name);
    this.#ctx.verbose?.("custom_resources", 2)?.(`${name} is served no more`);
    was.unlisten();
    catalog.remove(name);
    cacher.remove(name);
    delete strategies[name];
    for (const kind of was.custom.kinds) scheme.remove(kind);
  }

  // ---- the worker -------------------------------------------------------------------------------------------------------

  #queue(workers: number, work: (name: string) => Promise<number | void>): WorkQueue {
    const { hooks, log } = this.#ctx;
    return new WorkQueue({
      workers,
      retryMs: RETRY_MS,
      retryMaxMs: RETRY_MS,
      random: () => fraction(hooks.random),
      onError: (name, e) => log("warn", `the custom resource definition ${name} is tried again`, e),
      work: (name) =>
        work(name).catch((e) => {
          if (!isNotFound(e)) throw e;
        }),
    });
  }

  async #settle(name: string): Promise<void> {
    const d = this.#definition(name);
    if (!d) return;
    if (isTerminating(d)) return this.#ends.add(name);
    const next = this.#settled(d);
    if (!next) return;
    if (holds(next, "Established") && !this.#serving.has(name)) await loaded(this.#prepare(next), SOON_MS);
    await this.#ctx.registries.live.update(DEFINITIONS, "", name, (obj) => {
      return this.#settled(obj as Definition) ?? obj;
    }, { subresource: "status" });
    if (!holds(next, "NamesAccepted")) return;
    this.#enqueueRefused(d.spec.group);
  }

  /** The definition with its conditions settled; undefined when they are. */
  #settled(d: Definition): Definition | undefined {
    const next: Definition = d.status ? { ...d, status: copyTree(d.status) } : { ...d };
    const now = nowTime(this.#ctx.now());
    settleNames(next, this.#names.takenFrom(d), isSoundBundle(bundleOf(next.spec), this.#ctx.certificates), now);
    settleApproval(next, this.#ctx.hooks.product, now);
    settleStructure(next, now);
    return same(next.status, d.status) ? undefined : next;
  }

  /** Deletes the objects of a definition that is on its way out; the last one lets the definition go. */
  async #finish(name: string): Promise<number | void> {
    const d = this.#definition(name), serving = this.#serving.get(name);
    if (!d || !isTerminating(d)) return;
    const cleanup = this.#ctx.hooks.product.local(CLEANUP);
    if (!d.metadata.finalizers?.includes(cleanup)) return;
    // Objects that cannot be loaded for long keep no other definition from its end.
    if (serving && !serving.loaded) return void serving.ready.then(() => this.#ends.add(name));
    await this.#noteDeletion(d);
    const unheard = serving ? this.#unheard(name) : 0;
    if (serving && await this.#deleteAll(name)) return;
    if (unheard > 0) return unheard;
    await this.#update(name, (next) => {
      setCondition(next, serving ? EMPTIED : NEVER_SERVED, nowTime(this.#ctx.now()));
      const { metadata } = next;
      metadata.finalizers = metadata.finalizers?.filter((f) => f !== cleanup) ?? [];
    });
  }

  /** For how many more ms other servers may create objects of a definition that is on its way out. */
  #unheard(name: string): number {
    const { registries, now } = this.#ctx, backend = registries.byId(name)?.ctx.backend;
    if (!backend || !isShared(backend)) return 0;
    return Math.min(HEARD_MS, (this.#ending.get(name) ?? 0) + HEARD_MS - now());
  }

  /** Says that objects are being deleted, once. */
  async #noteDeletion(d: Definition): Promise<void> {
    if (conditionOf(d, "Terminating")?.reason === EMPTYING.reason) return;
    await this.#update(d.metadata.name!, (next) => setCondition(next, EMPTYING, nowTime(this.#ctx.now())));
  }

  /** Changes the status of a definition as it is now. */
  async #update(name: string, change: (d: Definition) => void): Promise<void> {
    await this.#ctx.registries.live.update(DEFINITIONS, "", name, (obj) => {
      change(obj as Definition);
      return obj;
    }, { subresource: "status" });
  }

  /** Asks for the deletion of every object. True: some are still there, held by finalizers. */
  async #deleteAll(name: string): Promise<boolean> {
    const store = this.#ctx.registries.byId(name);
    if (!store) return false;
    await store.fresh();
    for (const entry of store.cache.snapshot().range()) {
      if (entry.readable()?.metadata.deletionTimestamp) continue;
      try {
        await deleteObject(store, entry.namespace, entry.name, {}, systemCaller());
      } catch (e) {
        if (!isNotFound(e)) throw e;
      }
    }
    await store.fresh();
    return store.cache.snapshot().size > 0;
  }
}

/** Waits for the objects, so long at most, and as long as who asks. */
async function loaded(serving: Serving | undefined, ms: number, asking?: Cancellable): Promise<void> {
  if (!serving || serving.loaded) return;
  const enough = new AbortController(), gone = signalOf(asking);
  await Promise.race([serving.ready, pause(ms, gone ? AbortSignal.any([gone, enough.signal]) : enough.signal)]);
  enough.abort();
}

/** The group of a definition, as its name ends. */
const groupOf = (name: string): string => name.slice(name.indexOf(".") + 1);

/** A hash of what decides how a definition is served. */
function keyOf(d: Definition): string {
  const names = d.status?.acceptedNames ?? d.spec.names;
  const text = JSON.stringify([names, d.spec], (_k, v) => typeof v === "bigint" ? `${v}n` : v);
  return createHash("sha256").update(text).digest("base64");
}
