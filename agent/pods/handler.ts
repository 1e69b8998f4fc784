/** The runtime's handler for a pod's class, and what it can do. */
import type { HandlerFeatures } from "../runtime/types.ts";
import type { PodMemory } from "./memory.ts";
import type { PodParts } from "./parts.ts";

/** Finds it once; where that fails it is unknown until the pod's sandbox is made. */
export async function findHandler(parts: PodParts, memory: PodMemory): Promise<void> {
  if (memory.handler !== undefined) return;
  const { runtimeClassName } = memory.wanted.spec ?? {};
  memory.handler = await parts.runtimeHandler(runtimeClassName).catch(() => undefined);
}

/** Undefined: nobody knows. */
export function handlerFeatures(parts: PodParts, { handler }: PodMemory): HandlerFeatures | undefined {
  return handler === undefined ? undefined : parts.handlerFeatures?.(handler);
}
