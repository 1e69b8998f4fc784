/** The registries of a server: one a resource, made on first use; and access to all of them by the resource's id. */
import { copyTree } from "../../schema/values/copy.ts";
import type { Obj } from "../../schema/model/types.ts";
import { StatusError } from "../../schema/status.ts";
import type { Lister, LiveStore, OwnWrite } from "../admission/types.ts";
import type { CachedResource, Cacher } from "../cache/mod.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Resource } from "../catalog/types.ts";
import type { User } from "../request.ts";
import type { RuleContext } from "../../schema/rules/types.ts";
import type { Scheme } from "../../schema/scheme.ts";
import type { Caller, RegistryContext } from "./context.ts";
import { deleteObject } from "./delete.ts";
import { entryCodec } from "./entry_codec.ts";
import { selectableFields } from "./fields.ts";
import { ownedByServer } from "./own_writes.ts";
import { RULING, Ruling } from "./ruling.ts";
import { Store } from "./store.ts";
import type { Strategy } from "./strategy.ts";

/** The server itself, as a caller. */
const SYSTEM_USER: User = { name: "system:apiserver", groups: ["system:masters", "system:authenticated"] };

/** Whether a resource keeps objects. */
export const isStored = (r: Resource): boolean =>
  r.served.some((s) => s.verbs.includes("create") && s.verbs.includes("get"));

/** Resources that a cacher must hold: one row a key prefix, however many resources look at it. */
export function cachedResources(scheme: Scheme, rules: RuleContext, resources: Iterable<Resource>): CachedResource[] {
  const rows = new Map<string, { first: Resource; also: string[] }>();
  for (const r of resources) {
    if (!isStored(r)) continue;
    const row = rows.get(r.prefix);
    if (row) row.also.push(r.id);
    else rows.set(r.prefix, { first: r, also: [] });
  }
  return [...rows.values()].map(({ first, also }) => ({
    id: first.id,
    prefix: first.prefix,
    namespaced: first.namespaced,
    codec: entryCodec(scheme, first, rules, also),
    indexFields: selectableFields(first.id).filter((f) => f === "spec.nodeName" || f === "involvedObject.uid"),
  }));
}

/** See the top of the file. */
export class Registries {
  readonly #stores = new Map<string, Store>();
  readonly #ruling = new Map<string, Ruling>();
  readonly #catalog: Catalog;
  readonly #cacher: Cacher;
  readonly #ctx: RegistryContext;
  readonly #strategies: Readonly<Record<string, Strategy>>;

  constructor(catalog: Catalog, cacher: Cacher, ctx: RegistryContext, strategies: Readonly<Record<string, Strategy>>) {
    this.#catalog = catalog;
    this.#cacher = cacher;
    this.#ctx = ctx;
    this.#strategies = strategies;
    // A store is made of its resource's row, and of the cache of the first one whose objects have the same keys.
    catalog.onChange(({ id, prefix }) => {
      this.#stores.delete(id);
      for (const alike of catalog.withPrefix(prefix)) this.#stores.delete(alike.id);
    });
    for (const id of RULING) {
      const cache = cacher.cache(id);
      if (cache) this.#ruling.set(id, new Ruling(cache, ctx.rules.product.local(id)));
    }
  }

  /** The registry of a resource that keeps objects. */
  store(resource: Resource): Store {
    let store = this.#stores.get(resource.id);
    if (!store) {
      const owner = [...this.#catalog.withPrefix(resource.prefix)].find(isStored) ?? resource;
      const cache = this.#cacher.mustHave(owner.id);
      store = new Store(resource, cache, this.#contextOf(owner.id), this.#strategies[resource.id] ?? {});
      this.#stores.set(resource.id, store);
    }
    return store;
  }

  #contextOf(id: string): RegistryContext {
    const backend = this.#ctx.stores?.get(id);
    return backend ? { ...this.#ctx, backend } : this.#ctx;
  }

  /** The registry by public id; undefined when the resource is not served. */
  byId(id: string): Store | undefined {
    const known = this.#stores.get(id);
    if (known) return known;
    const resource = this.#catalog.resource(id);
    return resource && isStored(resource) ? this.store(resource) : undefined;
  }

  #must(id: string): Store {
    const store = this.byId(id);
    if (!store) throw new StatusError(404, "NotFound", `the resource ${id} is not served`, {});
    return store;
  }

  /** Read access from the cache. */
  readonly lister: Lister = {
    get: (id, namespace, name) => this.byId(id)?.cache.get(namespace, name)?.peek(),
    list: (id, namespace, how) => {
      const store = this.byId(id);
      if (!store) return [];
      const ruling = this.#ruling.get(id);
      return [...store.cache.snapshot().range(namespace ? { namespace } : {})].flatMap((entry) =>
        (how?.whole ? entry.peek() : ruling ? ruling.read(entry) : entry.readable()) ?? []
      );
    },
    changes: (id) => this.byId(id)?.cache.changes ?? 0,
  };

  /** Consistent access, as the server itself. */
  readonly live: LiveStore = {
    get: async (id, namespace, name) => {
      const store = this.#must(id);
      await store.fresh();
      return store.cache.get(namespace, name)?.object();
    },
    create: async (id, obj, write = {}) => {
      const store = this.#must(id);
      const owned = obj.metadata.managedFields ? obj : await ownedByServer(store, undefined, obj, write);
      return await store.create(owned, systemCaller(), { admit: false });
    },
    update: (id, namespace, name, change, write = {}) => this.#update(id, namespace, name, change, write),
  };

  async #update(
    id: string,
    namespace: string,
    name: string,
    change: (obj: Obj) => Obj | undefined,
    write: OwnWrite,
  ): Promise<Obj> {
    const store = this.#must(id);
    const done = await store.update({
      namespace,
      name,
      subresource: write.subresource ?? "",
      caller: systemCaller(),
      admit: false,
      next: (current) => {
        if (!current) throw store.missing(name);
        return ownedByServer(store, current, change(copyTree(current)) ?? current, write);
      },
    });
    return done.object;
  }

  /** Deletes an object as the server itself; given a version, only that one. @throws StatusError */
  async delete(id: string, namespace: string, name: string, resourceVersion?: string): Promise<void> {
    const options = resourceVersion === undefined ? {} : { preconditions: { resourceVersion } };
    await deleteObject(this.#must(id), namespace, name, options, systemCaller());
  }
}

/** A caller for the server's own writes. */
export function systemCaller(): Caller {
  return {
    user: SYSTEM_USER,
    dryRun: false,
    options: {},
    version: "",
    signal: new AbortController().signal,
    warn: () => {},
    annotate: () => {},
  };
}
