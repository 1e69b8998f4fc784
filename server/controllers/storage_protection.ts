/** Claims, volumes and attribute classes that are being deleted are let go once nothing uses them. */
import type { Obj } from "../../schema/model/types.ts";
import { isNotFound } from "../../schema/status.ts";
import { FINALIZERS } from "../admission/plugins/storage_object_in_use_protection.ts";
import type { Entry } from "../cache/mod.ts";
import { fullName } from "../catalog/full_name.ts";
import { AS_CONTROLLER } from "./caller.ts";
import { follow } from "./follow.ts";
import { ownerFacts } from "./garbage/owner_facts.ts";
import { workQueue } from "./queue.ts";
import type { Controller, ControllerContext } from "./types.ts";

const PODS = "pods", CLAIMS = "persistentvolumeclaims", VOLUMES = "persistentvolumes";
const CLASSES = "volumeattributesclasses.storage.k8s.io";

/** What uses objects of a resource. */
interface Use {
  /** Resources whose objects use some. */
  readonly by: readonly string[];
  /** Keys of what an object of theirs uses, or of what it may use, where it is not told of which `used` it is asked. */
  uses(obj: Obj, used?: Obj): readonly string[];
  /** Whether an object says itself that it is in use. */
  says?(obj: Obj): boolean;
}

const USES: Readonly<Record<string, Use>> = {
  [CLAIMS]: {
    by: [PODS],
    // A pod without a node finds the claim going, and does not start.
    uses: (pod, claim) =>
      pod["spec"]?.nodeName ? claimsOf(pod, claim).map((name) => `${pod.metadata.namespace}/${name}`) : [],
  },
  [VOLUMES]: { by: [], uses: () => [], says: (volume) => volume["status"]?.phase === "Bound" },
  [CLASSES]: { by: [CLAIMS, VOLUMES], uses: (obj) => classesOf(obj).map((name) => `/${name}`) },
};

/** Whether the agent has done with a pod, or nobody waits for it. */
const isShutDown = ({ metadata: { deletionTimestamp, deletionGracePeriodSeconds } }: Obj): boolean =>
  deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0;

const controls = (pod: Obj, { metadata: { ownerReferences = [] } }: Obj): boolean =>
  ownerReferences.some(({ controller, uid }) => controller && uid === pod.metadata.uid);

interface Volume {
  readonly name: string;
  readonly persistentVolumeClaim?: { readonly claimName: string };
  readonly ephemeral?: unknown;
}

/** Claims that a pod names as long as it is there, whether it runs or is over, and those made for it, until it is shut down. */
const claimsOf = (pod: Obj, claim: Obj | undefined): string[] =>
  ((pod["spec"]?.volumes ?? []) as Volume[]).flatMap((v) =>
    v.persistentVolumeClaim
      ? [v.persistentVolumeClaim.claimName]
      : v.ephemeral && !isShutDown(pod) && (!claim || controls(pod, claim))
      ? [`${pod.metadata.name}-${v.name}`]
      : []
  );

const classesOf = ({ spec, status }: Obj): unknown[] => [
  spec?.volumeAttributesClassName,
  status?.currentVolumeAttributesClassName,
  status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
];

/** What is in use is looked at again when somebody uses it no more, and after so long (ms). */
const AGAIN_MS = 60_000;

/** See the top of the file. */
export function storageProtection(ctx: ControllerContext): Controller {
  const rows = Object.entries(USES).filter(([id]) => ctx.registries.byId(id));
  return { start: (signal) => rows.forEach(([id, use]) => protect(ctx, id, use, signal)) };
}

function protect(ctx: ControllerContext, id: string, use: Use, signal: AbortSignal): void {
  /** Keys of what is being deleted and was in use at the last look. */
  const waiting = new Set<string>();
  const store = ctx.registries.byId(id)!, name = fullName(store.resource);
  const queue = workQueue(ctx, `storage-protection ${name}`, {
    workers: 2,
    onError: (key, e) => ctx.log("warn", `${name} ${key} is let go later`, e),
    work: async (key) => {
      // Before the look: what changes after it asks for another one.
      waiting.add(key);
      const inUse = await settle(ctx, id, use, key);
      if (!inUse) waiting.delete(key);
      return inUse ? AGAIN_MS : undefined;
    },
  });
  queue.start(signal);
  follow(store, signal, (entry, deleted) => {
    if (!deleted && ownerFacts(entry)?.deleting) queue.add(`${entry.namespace}/${entry.name}`);
  });
  const used = (entry: Entry | undefined) => {
    const user = entry?.readable();
    return user ? use.uses(user) : [];
  };
  for (const user of use.by) {
    follow(ctx.registries.byId(user), signal, (entry, deleted, previous) => {
      if (waiting.size === 0) return;
      const still = deleted ? [] : used(entry);
      for (const key of used(previous)) if (waiting.has(key) && !still.includes(key)) queue.add(key);
    }, () => waiting.forEach((key) => queue.add(key)));
  }
}

/** Lets it go where it may go; true: it is still in use. @throws StatusError */
async function settle(ctx: ControllerContext, id: string, use: Use, key: string): Promise<boolean> {
  const { registries } = ctx, finalizer = ctx.product.local(FINALIZERS[id]!);
  const [namespace, name] = key.split("/") as [string, string];
  const obj = await registries.live.get(id, namespace, name);
  if (!obj?.metadata.deletionTimestamp || !obj.metadata.finalizers?.includes(finalizer)) return false;
  for (const other of use.by) await registries.byId(other)?.fresh();
  const users = use.by.flatMap((by) => registries.lister.list(by, namespace || undefined, { whole: true }));
  if (use.says?.(obj) || users.some((user) => use.uses(user, obj).includes(key))) return true;
  try {
    await registries.live.update(id, namespace, name, (current) => without(current, obj, finalizer), AS_CONTROLLER);
  } catch (e) {
    if (!isNotFound(e)) throw e;
  }
  return false;
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
