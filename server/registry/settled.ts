/** The end of a write whose hook took something. */
import type { Side } from "./strategy.ts";

/** Runs a write; what its hook took is given back unless it was made. @throws what the write does */
export async function settled<T>(side: Side | undefined, write: () => Promise<T>): Promise<T> {
  let made: T | undefined;
  try {
    return made = await write();
  } finally {
    if (made === undefined) side?.undo?.();
    else side?.done?.();
  }
}
