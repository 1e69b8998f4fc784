/** Flow schemas say whether the priority level that they name is there (condition `Dangling`). */
import type { JsonMap, Obj } from "../../schema/model/types.ts";
import { isNotFound } from "../../schema/status.ts";
import { nowTime } from "../../schema/values/time.ts";
import { levelMessage } from "../bootstrap/flowcontrol.ts";
import { statusWrite } from "../bootstrap/owner.ts";
import { follow } from "./follow.ts";
import { workQueue } from "./queue.ts";
import { RecentWrites } from "./recent_writes.ts";
import type { Controller, ControllerContext } from "./types.ts";

const SCHEMAS = "flowschemas.flowcontrol.apiserver.k8s.io";
const LEVELS = "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io";
const DANGLING = "Dangling";
/** The key of all schemas. */
const EVERY = "*";

/** Makes the controller; undefined where nothing is queued by flow schemas. */
export function flowSchemaStatus(ctx: ControllerContext): Controller | undefined {
  const { registries } = ctx;
  const [schemas, levels] = [registries.byId(SCHEMAS), registries.byId(LEVELS)];
  if (!ctx.options.enablePriorityAndFairness || !schemas || !levels) return undefined;
  const writes = new RecentWrites(ctx);
  return {
    start(signal) {
      const queue = workQueue(ctx, "flow-schema-status", {
        workers: 4,
        onError: (name, e) => ctx.log("warn", `the status of flow schema ${name} is written later`, e),
        work: async (name) => {
          if (!levels.cache.ready) return LATER_MS;
          if (name !== EVERY) return await settle(ctx, name, writes);
          for (const { metadata } of registries.lister.list(SCHEMAS)) queue.add(metadata.name!);
          return undefined;
        },
      });
      queue.start(signal);
      follow(schemas, signal, (entry, deleted) => {
        if (deleted) writes.forget(entry.name);
        else if (entry.readable()) queue.add(entry.name);
      });
      follow(levels, signal, (entry, deleted, previous) => {
        if (previous !== undefined && !deleted) return;
        for (const schema of registries.lister.list(SCHEMAS)) {
          if (levelOf(schema) === entry.name) queue.add(schema.metadata.name!);
        }
      }, () => queue.add(EVERY));
    },
  };
}

/** Levels that are not loaded are waited for so long at a time (ms). */
const LATER_MS = 100;

const levelOf = (schema: Obj): string => schema["spec"]?.priorityLevelConfiguration?.name ?? "";

async function settle(ctx: ControllerContext, name: string, writes: RecentWrites): Promise<number | undefined> {
  const { lister, live } = ctx.registries;
  const schema = lister.get(SCHEMAS, "", name);
  if (!schema || !toldAnew(ctx, schema)) return undefined;
  const pause = writes.pause(name);
  if (pause !== undefined) return pause;
  try {
    await live.update(SCHEMAS, "", name, (current) => toldAnew(ctx, current), statusWrite(SCHEMAS));
    writes.add(name);
  } catch (e) {
    if (!isNotFound(e)) throw e;
  }
  return undefined;
}

/** The schema with its condition; undefined when it says so already. */
function toldAnew(ctx: ControllerContext, schema: Obj): Obj | undefined {
  const level = levelOf(schema);
  const there = ctx.registries.lister.get(LEVELS, "", level) !== undefined;
  const conditions = (schema["status"]?.conditions ?? []) as JsonMap[];
  const old = conditions.find((c) => c["type"] === DANGLING);
  const now: JsonMap = {
    type: DANGLING,
    status: there ? "False" : "True",
    reason: there ? "Found" : "NotFound",
    message: levelMessage(level, there),
  };
  if (old && Object.entries(now).every(([k, v]) => old[k] === v)) return undefined;
  const others = conditions.filter((c) => c !== old);
  const made = { ...now, lastTransitionTime: nowTime(ctx.now()) };
  return { ...schema, status: { ...schema["status"], conditions: [...others, made] } };
}
