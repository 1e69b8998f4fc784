/** What is asked of a store for one resource, and how it ends: for those who count it. */
import type { Change } from "./backend.ts";

/** What was asked for. */
export type StoreOperation = "create" | "update" | "delete" | "get" | "list";

/** Told of each request to a store: the resource's public id, how long it took, whether the store could not do it. */
export type StoreTiming = (resource: string, operation: StoreOperation, ms: number, failed: boolean) => void;

/** What a change asks for. */
export const operationOf = ({ value, expect }: Pick<Change, "value" | "expect">): StoreOperation =>
  value === null ? "delete" : expect === 0 ? "create" : "update";

/** Does it, and tells of it by the clock `now`, ms. */
export async function timed<T>(
  told: StoreTiming | undefined,
  now: () => number,
  resource: string,
  operation: StoreOperation,
  work: () => Promise<T>,
): Promise<T> {
  const start = now();
  let failed = true;
  try {
    const done = await work();
    failed = false;
    return done;
  } finally {
    told?.(resource, operation, now() - start, failed);
  }
}
