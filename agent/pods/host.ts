/** What one pod's leaders need of the one that leads all. */
import type { PodMetrics } from "./metrics.ts";
import type { PodOptions, PodParts } from "./parts.ts";
import type { Room } from "./room.ts";
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
  /** The node's room for a pod. */
  readonly room: (uid: string) => Room;
}
