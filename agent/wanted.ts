/** Which pods there are to be, put together, and how the API server hears of them. */
import type { Base } from "./base.ts";
import { PodChanges } from "./pods/mod.ts";
import type { Later, Wanted } from "./rooms.ts";
import { Mirrors } from "./sources/mirrors.ts";
import { PodSet } from "./sources/pod_set.ts";
import { StatusManager } from "./status/mod.ts";
import type { Events, Source } from "./types.ts";

/** See the top of the file. */
export function openWanted(base: Base, sources: readonly Source[], events: Events, later: Later): Wanted {
  const { options: { product }, client: api, clock, log, nodeName, metrics } = base;
  const mirrors = api && new Mirrors({
    api,
    product,
    clock,
    log,
    nodeName,
    nodeUid: () => later().node.ownerUid(),
    complete: () => set.allDelivered(),
    runs: (namespace, name) => later().pods.runs(namespace, name),
    came: () => statuses?.look(),
  });
  const changes = new PodChanges(() => later().pods.pods());
  const set = new PodSet({
    sources,
    product,
    clock,
    events,
    log,
    nodeKnown: (signal) => later().node.known(signal),
    set: (wanted) => {
      later().pods.set(wanted);
      changes.look();
    },
    mirrors: (statics, standing) => mirrors?.take(statics, standing),
  });
  const statuses = api && new StatusManager({
    api,
    product,
    clock,
    log,
    seen: (uid) => set.find(uid),
    mirror: (pod) => mirrors?.of(pod),
    metrics,
  });
  return { set, changes, mirrors, statuses };
}
