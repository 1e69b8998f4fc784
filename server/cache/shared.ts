/** What the caches of one server have in common. */
import type { Backend } from "../storage/backend.ts";
import type { StoreTiming } from "../storage/timing.ts";
import type { FormPool } from "./form_pool.ts";
import type { Frames } from "./frames.ts";
import type { HeldBytes } from "./held_bytes.ts";
import type { CacheLimits } from "./limits.ts";
import type { Progress } from "./progress.ts";
import type { Wheel } from "./wheel.ts";

/** See the top of the file. */
export interface Shared {
  readonly backend: Backend;
  readonly limits: CacheLimits;
  readonly progress: Progress;
  readonly pool: FormPool;
  readonly frames: Frames;
  readonly held: HeldBytes;
  readonly wheel: Wheel;
  readonly timing: StoreTiming | undefined;
  now(): number;
  onError(error: unknown, id: string): void;
}
