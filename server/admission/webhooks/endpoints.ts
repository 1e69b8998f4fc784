/** Where a service's ready endpoints are (`--enable-aggregator-routing`). */
import type { Obj } from "../../../schema/model/types.ts";
import { items, type Tree } from "../../../schema/rules/tree.ts";

/** An endpoint's address and port. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/**
 * Ready endpoints of a service's port, by its name in the endpoint slices of the service: those of the service's first IP
 * family, or of another one where it has none there.
 */
export function endpointsOf(service: Obj, portName: string, slices: readonly Obj[]): readonly Place[] {
  const family = items<string>(service["spec"]?.ipFamilies)[0];
  const all = slices.flatMap((slice) => {
    const port = items(slice["ports"]).find((p) => (p["name"] ?? "") === portName)?.["port"];
    if (port === undefined || port === null) return [];
    const ready = items(slice["endpoints"]).filter((e: Tree) => e["conditions"]?.ready !== false);
    return ready.flatMap((e) => items<string>(e["addresses"]).slice(0, 1)).map((host) => ({
      host,
      port: port as number,
      family: slice["addressType"] as string,
    }));
  });
  const own = all.filter((p) => p.family === family);
  return own.length ? own : all;
}
