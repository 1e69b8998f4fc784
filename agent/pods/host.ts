/** What one pod's leaders need of the one that leads all. */
import type { Pod } from "../../schema/api/core_v1.ts";
import type { PodMetrics } from "./metrics.ts";
import type { PodOptions, PodParts } from "./parts.ts";
import type { Starter } from "./start.ts";
import type { Turns } from "./within.ts";

/** See the top of the file. */
export interface PodHost {
  readonly parts: PodParts;
  readonly options: PodOptions;
  readonly starter: Starter;
  readonly metrics: PodMetrics;
  readonly reads: Turns;
  /** Before ids of containers: `containerd`. */
  readonly runtimeName: () => string;
  /** Other pods that run or will. */
  readonly others: (uid: string) => readonly Pod[];
}
