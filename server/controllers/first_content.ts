/**
 * What a cluster has from the start and does not go without: namespaces, the API's own service and its range, priority levels and
 * flow schemas. It is made again as soon as it is deleted, and looked at now and then.
 */
import { follow } from "./follow.ts";
import { workQueue } from "./queue.ts";
import type { Controller, ControllerContext } from "./types.ts";

const EVERY_MS = 60_000;

const keyOf = (id: string, namespace: string, name: string): string => `${id}/${namespace}/${name}`;

/** Makes the controller; undefined where nobody tells what there is to be. */
export function firstContent(ctx: ControllerContext): Controller | undefined {
  const { content, registries } = ctx;
  if (!content) return undefined;
  return {
    start(signal) {
      const rows = content.kept(), all = "first content";
      const keys = new Set(
        rows.map(({ resourceId, object: { metadata: m } }) => keyOf(resourceId, m.namespace ?? "", m.name!)),
      );
      const queue = workQueue(ctx, "first-content", {
        workers: 1,
        onError: (_, e) => ctx.log("warn", "what a cluster has from the start is made again later", e),
        work: async () => {
          if (ctx.leaving()) return;
          const failures: unknown[] = [];
          // One after the other: services have a place in their namespace, schemas name levels.
          for (const row of content.kept()) await content.ensure(row).catch((e) => failures.push(e));
          if (failures.length > 0) throw failures[0];
          return EVERY_MS;
        },
      });
      queue.start(signal);
      for (const id of new Set(rows.map((row) => row.resourceId))) {
        const follower = (entry: { namespace: string; name: string }, deleted: boolean) => {
          if (deleted && keys.has(keyOf(id, entry.namespace, entry.name))) queue.add(all);
        };
        follow(registries.byId(id), signal, follower, () => queue.add(all));
      }
    },
  };
}
