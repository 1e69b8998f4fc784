/** Facts that plugins derive from cached objects: kept until one of the objects changes. */
import type { Obj } from "../../schema/model/types.ts";
import { notFound } from "../../schema/status.ts";
import type { Lister, PluginContext } from "./types.ts";

/** Namespaces whose facts are kept at once; the oldest go first. */
const KEPT = 4096;

const stamp = (lister: Lister, id: string): number => lister.changes?.(id) ?? NaN;

/** What is derived from all objects of a resource. One comparison when nothing has changed. */
export function derived<T>(lister: Lister, id: string, make: (all: readonly Obj[]) => T): () => T {
  let at = NaN, value: T;
  return () => {
    const now = stamp(lister, id);
    if (now !== at) {
      value = make(lister.list(id));
      at = now;
    }
    return value;
  };
}

/** What is derived from the objects of a resource in one namespace, which may be none. */
export function byNamespace<T>(
  lister: Lister,
  id: string,
  make: (all: readonly Obj[]) => T,
): (namespace: string) => T {
  return kept(lister, id, (namespace) => make(lister.list(id, namespace)));
}

/** One object, held so that it is decoded once. */
export function held(lister: Lister, id: string): (name: string, namespace?: string) => Obj | undefined {
  const ofCluster = kept(lister, id, (name) => lister.get(id, "", name));
  const ofNamespace = kept(lister, id, (key) => {
    const at = key.indexOf("/");
    return lister.get(id, key.slice(0, at), key.slice(at + 1));
  });
  // A text that is put together for a look-up costs more than the look-up.
  return (name, namespace = "") => namespace === "" ? ofCluster(name) : ofNamespace(`${namespace}/${name}`);
}

/** A namespace by its name: from the cache, else from the store. A promise only where the store is asked. */
export function namespaceNamed(
  { lister, live }: Pick<PluginContext, "lister" | "live">,
): (name: string) => Obj | Promise<Obj | undefined> {
  const cached = held(lister, "namespaces");
  return (name) => cached(name) ?? live.get("namespaces", "", name);
}

/** The same with one that must be there. @throws StatusError 404 */
export function inNamespaceNamed(
  ctx: Pick<PluginContext, "lister" | "live">,
): <T>(name: string, use: (namespace: Obj) => T) => T | Promise<T> {
  const named = namespaceNamed(ctx);
  return (name, use) => {
    const found = named(name);
    if (!(found instanceof Promise)) return use(found);
    return found.then((live) => {
      if (!live) throw notFound({ group: "", resource: "namespaces" }, name);
      return use(live);
    });
  };
}

function kept<T>(lister: Lister, id: string, make: (key: string) => T): (key: string) => T {
  let at = NaN;
  const values = new Map<string, T>();
  return (key) => {
    const now = stamp(lister, id);
    if (now !== at) {
      values.clear();
      at = now;
    }
    const known = values.get(key);
    if (known !== undefined || values.has(key)) return known as T;
    if (values.size >= KEPT) values.delete(values.keys().next().value!);
    const value = make(key);
    values.set(key, value);
    return value;
  };
}
