/** `--store-servers-overrides`: which built-in resources lie in stores of their own. */
import { RESOURCES } from "../../schema/api/resources.ts";
import { idOf } from "../catalog/catalog.ts";
import type { Options } from "../options/mod.ts";

/** A store beside the first. */
export interface Override {
  /** `http(s)://host:port` and so on, as in `--store-servers`. */
  readonly servers: readonly string[];
  /** Public ids of its resources: `events`, `deployments.apps`. */
  readonly resources: readonly string[];
}

/** Resources whose objects one commit writes: they cannot lie apart. */
const TOGETHER: readonly (readonly string[])[] = [["services", "ipaddresses.networking.k8s.io"]];
/** Resources with the same stored objects. */
const SAME: Readonly<Record<string, string>> = { "events.events.k8s.io": "events" };

/**
 * The stores that the option names, in its order; items with the same servers are one store. Items for the servers of the
 * first store are none.
 * @throws Error that names the option, when an item names a resource that is not built in, or one twice
 */
export function overridesOf(options: Options): Override[] {
  const servers = new Map<string, string>();
  for (const item of options.storeServersOverrides) {
    const hash = item.indexOf("#");
    const id = resourceOf(item.slice(0, hash), options);
    const of = item.slice(hash + 1).split(";").map((s) => s.trim()).filter(Boolean);
    if (of.length === 0) throw fault(`${JSON.stringify(item)} names no server`);
    if (servers.has(id)) throw fault(`${id} is named twice`);
    servers.set(id, of.sort().join(";"));
  }
  for (const ids of TOGETHER) {
    const [first, ...rest] = ids.map((id) => servers.get(id));
    if (rest.some((s) => s !== first)) {
      throw fault(`${ids.join(" and ")} are written together, and need the same servers`);
    }
  }
  const own = [...options.storeServers].sort().join(";");
  const stores = Map.groupBy([...servers].filter(([, of]) => of !== own), ([, of]) => of);
  return [...stores].map(([of, items]) => ({ servers: of.split(";"), resources: items.map(([id]) => id) }));
}

function resourceOf(name: string, { product }: Options): string {
  const slash = name.indexOf("/");
  const [group, resource] = [name.slice(0, slash), name.slice(slash + 1)];
  const row = RESOURCES.find((r) => r.resource === resource && (r.group === group || product.local(r.group) === group));
  if (!row) throw fault(`${JSON.stringify(name)} is no built-in resource`);
  const id = idOf(row.group, resource);
  return SAME[id] ?? id;
}

function fault(text: string): Error {
  return new Error(`--store-servers-overrides: ${text}`);
}
