/** Claims, volumes and attribute classes that are being deleted are let go once nothing uses them. */
import type { Obj } from "../../schema/model/types.ts";
import { FINALIZERS } from "../admission/plugins/storage_object_in_use_protection.ts";
import type { Lister } from "../admission/types.ts";
import { isNotFound } from "./caller.ts";
import { follow } from "./follow.ts";
import { ownerFacts } from "./owner_facts.ts";
import { WorkQueue } from "./queue.ts";
import type { Controller, ControllerContext } from "./types.ts";

const PODS = "pods", CLAIMS = "persistentvolumeclaims", VOLUMES = "persistentvolumes";
const CLASSES = "volumeattributesclasses.storage.k8s.io";

/** What may use an object of a resource, and whether it does. */
interface Use {
  readonly by: readonly string[];
  inUse(obj: Obj, lister: Lister): boolean;
}

const USES: Readonly<Record<string, Use>> = {
  [CLAIMS]: {
    by: [PODS],
    inUse: ({ metadata: { namespace, name } }, lister) =>
      lister.list(PODS, namespace).some((pod) => mayRun(pod) && claimsOf(pod).includes(name!)),
  },
  [VOLUMES]: { by: [], inUse: (volume) => volume["status"]?.phase === "Bound" },
  [CLASSES]: {
    by: [CLAIMS, VOLUMES],
    inUse: ({ metadata: { name } }, lister) =>
      [CLAIMS, VOLUMES].some((id) => lister.list(id).some((o) => classesOf(o).includes(name))),
  },
};

/** A pod that has a node and is not over. One without a node finds the claim going, and does not start. */
const mayRun = (pod: Obj): boolean =>
  !!pod["spec"]?.nodeName && pod["status"]?.phase !== "Succeeded" && pod["status"]?.phase !== "Failed";

interface Volume {
  readonly name: string;
  readonly persistentVolumeClaim?: { readonly claimName: string };
  readonly ephemeral?: unknown;
}

/** Claims that a pod names, and those made for it. */
const claimsOf = (pod: Obj): string[] =>
  ((pod["spec"]?.volumes ?? []) as Volume[]).flatMap((v) =>
    v.persistentVolumeClaim
      ? [v.persistentVolumeClaim.claimName]
      : v.ephemeral
      ? [`${pod.metadata.name}-${v.name}`]
      : []
  );

const classesOf = ({ spec, status }: Obj): unknown[] => [
  spec?.volumeAttributesClassName,
  status?.currentVolumeAttributesClassName,
  status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
];

/** What is in use is looked at again after so long (ms); nothing else is asked of pods. */
const AGAIN_MS = 1_000;

/** See the top of the file. */
export function storageProtection(ctx: ControllerContext): Controller {
  const rows = Object.entries(USES).filter(([id]) => ctx.registries.byId(id));
  return { start: (signal) => rows.forEach(([id, use]) => protect(ctx, id, use, signal)) };
}

function protect(ctx: ControllerContext, id: string, use: Use, signal: AbortSignal): void {
  const queue = new WorkQueue({
    workers: 2,
    random: ctx.random,
    onError: (key, e) => ctx.log("warn", `${id} ${key} is let go later`, e),
    work: (key) => settle(ctx, id, use, key),
  });
  queue.start(signal);
  follow(ctx.registries.byId(id), signal, (entry, deleted) => {
    if (!deleted && ownerFacts(entry)?.deleting) queue.add(`${entry.namespace}/${entry.name}`);
  });
}

async function settle(ctx: ControllerContext, id: string, use: Use, key: string): Promise<number | void> {
  const { registries } = ctx, finalizer = ctx.product.local(FINALIZERS[id]!);
  const [namespace, name] = key.split("/") as [string, string];
  const obj = await registries.live.get(id, namespace, name);
  if (!obj?.metadata.deletionTimestamp || !obj.metadata.finalizers?.includes(finalizer)) return;
  for (const other of use.by) await registries.byId(other)?.fresh();
  if (use.inUse(obj, registries.lister)) return AGAIN_MS;
  try {
    await registries.live.update(id, namespace, name, (current) => without(current, obj, finalizer));
  } catch (e) {
    if (!isNotFound(e)) throw e;
  }
}

/** The object without the finalizer; undefined where it is another one by now. */
function without(current: Obj, { metadata: { uid } }: Obj, finalizer: string): Obj | undefined {
  const { metadata } = current;
  if (metadata.uid !== uid) return undefined;
  return {
    ...current,
    metadata: { ...metadata, finalizers: metadata.finalizers?.filter((f) => f !== finalizer) ?? [] },
  };
}
