/** Pods that use more of the node's storage than they are limited to. */
import type { Pod } from "../../schema/api/core_v1.ts";
import { parseQuantity } from "../../schema/values/quantity.ts";
import { amountIn, type Gate, isSidecar, podLimits } from "../resources/amounts.ts";
import type { PodUse } from "./usage.ts";

const STORAGE = "ephemeral-storage";

/** A limit that a pod exceeds. */
export interface StorageFault {
  /** As it is counted. */
  readonly limit: "emptydirfs.limit" | "ephemeralpodfs.limit" | "ephemeralcontainerfs.limit";
  readonly message: string;
}

/** The first limit that a pod exceeds; undefined: none. @param imageFs containers do not lie on the node's own file system */
export const storageFault = (pod: Pod, use: PodUse, imageFs: boolean, gate: Gate): StorageFault | undefined =>
  emptyDirFault(pod, use, gate) ?? podFault(pod, use, gate) ?? containerFault(pod, use, imageFs);

function emptyDirFault(pod: Pod, use: PodUse, gate: Gate): StorageFault | undefined {
  for (const { name, emptyDir } of pod.spec?.volumes ?? []) {
    // The kernel limits memory by itself.
    if (
      !emptyDir?.sizeLimit || (emptyDir.medium === "Memory" && gate("InPlacePodVerticalScalingMemoryBackedVolumes"))
    ) {
      continue;
    }
    const limit = parseQuantity(emptyDir.sizeLimit), used = use.volume?.find((v) => v.name === name)?.usedBytes;
    if (used !== undefined && limit.sign() > 0 && used > limit.toNumber()) {
      const message = `Usage of EmptyDir volume ${JSON.stringify(name)} exceeds the limit "${limit}". `;
      return { limit: "emptydirfs.limit", message };
    }
  }
  return undefined;
}

function podFault(pod: Pod, use: PodUse, gate: Gate): StorageFault | undefined {
  const limit = podLimits(pod, gate).get(STORAGE);
  return limit && (use[STORAGE]?.usedBytes ?? 0) > limit.toNumber()
    ? {
      limit: "ephemeralpodfs.limit",
      message: `Pod ephemeral local storage usage exceeds the total limit of containers ${limit}. `,
    }
    : undefined;
}

function containerFault(pod: Pod, use: PodUse, imageFs: boolean): StorageFault | undefined {
  const limited = [...pod.spec?.containers ?? [], ...(pod.spec?.initContainers ?? []).filter((c) => isSidecar(pod, c))];
  for (const { name, logs, rootfs } of use.containers ?? []) {
    const limit = amountIn(limited.find((c) => c.name === name)?.resources?.limits, STORAGE);
    const used = (logs?.usedBytes ?? 0) + (imageFs ? 0 : rootfs?.usedBytes ?? 0);
    if (!limit.isZero() && used > limit.toNumber()) {
      const message = `Container ${name} exceeded its local ephemeral storage limit "${limit}". `;
      return { limit: "ephemeralcontainerfs.limit", message };
    }
  }
  return undefined;
}
