/** Registration of the group versions of custom resources: one `APIService` each, as long as a definition serves them. */
import type { JsonMap, Obj } from "../../schema/model/types.ts";
import { isNotFound } from "../../schema/status.ts";
import { localService } from "../bootstrap/api_services.ts";
import type { Entry } from "../cache/mod.ts";
import { isConflict } from "./caller.ts";
import { follow } from "./follow.ts";
import { workQueue } from "./queue.ts";
import type { Controller, ControllerContext } from "./types.ts";

const SERVICES = "apiservices.apiregistration.k8s.io";
const DEFINITIONS = "customresourcedefinitions.apiextensions.k8s.io";
/** Custom groups come after the server's own; their versions are in order of their names. */
const GROUP_PRIORITY = 1000;
const VERSION_PRIORITY = 100;
/** Definitions that are not loaded are waited for so long at a time (ms). */
const LATER_MS = 100;

/** Makes the controller; undefined where one of the two resources is not served. */
export function apiRegistration(ctx: ControllerContext): Controller | undefined {
  const [services, definitions] = [ctx.registries.byId(SERVICES), ctx.registries.byId(DEFINITIONS)];
  if (!services || !definitions) return undefined;
  const served = new ServedVersions();
  return {
    start(signal) {
      const queue = workQueue(ctx, "api-registration", {
        workers: 4,
        onError: (name, e) => ctx.log("warn", `the registration of ${name} is tried again`, e),
        // What a loading cache has not told yet is served all the same.
        work: (name) => definitions.cache.ready ? settle(ctx, name, served.has(name)) : Promise.resolve(LATER_MS),
      });
      queue.start(signal);
      const tell = (entry: Entry, deleted: boolean) => {
        for (const name of served.tell(entry, deleted)) queue.add(name);
      };
      follow(definitions, signal, tell, () => {
        const left = new Set([...definitions.cache.snapshot().range()].map((entry) => entry.name));
        for (const name of served.forgetAllBut(left)) queue.add(name);
      });
      follow(services, signal, (entry) => {
        const service = entry.readable();
        if (served.has(entry.name) || (service && isManaged(ctx, service))) queue.add(entry.name);
      });
    },
  };
}

/** Names of the group versions (`<version>.<group>`) that definitions serve; two of one group can serve the same. */
class ServedVersions {
  readonly #byDefinition = new Map<string, ReadonlySet<string>>();
  readonly #uses = new Map<string, number>();

  has(name: string): boolean {
    return this.#uses.has(name);
  }

  /** Takes the state of a definition; gives the names that it served or serves. */
  tell(entry: Entry, deleted: boolean): ReadonlySet<string> {
    const before = this.#byDefinition.get(entry.name) ?? new Set();
    const definition = deleted ? undefined : entry.readable();
    const now = definition ? servedBy(definition) : new Set<string>();
    for (const name of now) if (!before.has(name)) this.#uses.set(name, (this.#uses.get(name) ?? 0) + 1);
    for (const name of before) if (!now.has(name)) this.#release(name);
    if (deleted) this.#byDefinition.delete(entry.name);
    else this.#byDefinition.set(entry.name, now);
    return before.union(now);
  }

  /** Takes the names of the definitions that are left; gives what the others served. */
  forgetAllBut(left: ReadonlySet<string>): string[] {
    const gone = [...this.#byDefinition].filter(([definition]) => !left.has(definition));
    for (const [definition, names] of gone) {
      this.#byDefinition.delete(definition);
      for (const name of names) this.#release(name);
    }
    return gone.flatMap(([, names]) => [...names]);
  }

  #release(name: string): void {
    const left = this.#uses.get(name)! - 1;
    if (left === 0) this.#uses.delete(name);
    else this.#uses.set(name, left);
  }
}

function servedBy(definition: Obj): Set<string> {
  const { group, versions = [] } = definition["spec"] as { group: string; versions?: JsonMap[] };
  return new Set(versions.filter((v) => v["served"]).map((v) => `${v["name"]}.${group}`));
}

const managedLabel = (ctx: ControllerContext) => ctx.product.local("kube-aggregator.kubernetes.io/automanaged");
/** Those of the server's own group versions (`onstart`) and those that people made are left alone. */
const isManaged = (ctx: ControllerContext, o: Obj): boolean => o.metadata.labels?.[managedLabel(ctx)] === "true";

/** Makes, puts right or deletes the object of a group version. @throws StatusError */
async function settle(ctx: ControllerContext, name: string, wanted: boolean): Promise<void> {
  const { live, lister } = ctx.registries;
  const current = lister.get(SERVICES, "", name);
  const dot = name.indexOf(".");
  const spec = {
    group: name.slice(dot + 1),
    version: name.slice(0, dot),
    groupPriorityMinimum: GROUP_PRIORITY,
    versionPriority: VERSION_PRIORITY,
  };
  try {
    if (!current) {
      if (wanted) await live.create(SERVICES, localService(spec, "true", ctx.product.local, ctx.now()));
    } else if (!isManaged(ctx, current)) return;
    else if (!wanted && !servesNow(ctx, name)) await ctx.registries.delete(SERVICES, "", name);
    else if (!wanted) return;
    else if (!same(current["spec"], spec)) await live.update(SERVICES, "", name, (obj) => ({ ...obj, spec }));
  } catch (e) {
    if (!isConflict(e) && !isNotFound(e)) throw e;
  }
}

/** Asked before a deletion: the definitions may have been loaded without having been told of yet. */
const servesNow = (ctx: ControllerContext, name: string): boolean =>
  ctx.registries.lister.list(DEFINITIONS).some((d) => servedBy(d).has(name));

const same = (a: JsonMap, b: JsonMap): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.keys(b).every((k) => a[k] === b[k]);
