/** What is kept of a pod between its rounds. */
import type { Pod, PodStatus } from "../../schema/api/core_v1.ts";
import type { PodRef } from "../types.ts";
import type { StartFault } from "./container_statuses.ts";
import { refOf } from "./names.ts";
import type { Given } from "./resize.ts";
import { NOTHING, type PodState } from "./state.ts";
import type { PodFault } from "./status.ts";

/** One pod's. Nothing of it is needed to go on after another start of the agent. */
export class PodMemory {
  readonly ref: PodRef;
  /** As a source delivered it last. */
  wanted: Pod;
  /** As it should run in this round. */
  pod: Pod;
  /** No source has it any more. */
  removed = false;
  /** Its containers are to end. */
  ends = false;
  /** Why it fails, whatever its containers come to. */
  fault: PodFault | undefined;
  /** Why it is ended for the node's sake. */
  eviction: PodFault | undefined;
  /** How long it is given to end, s: the least that was asked for; undefined: its own. */
  grace: number | undefined;
  /** The last status; that of the API before there is one. */
  status: PodStatus;
  /** As others were told it. */
  told: PodStatus;
  state: PodState = NOTHING;
  /** The runtime's handler for its class; undefined while that is not known. */
  handler: string | undefined;
  /** By container: why its last start failed. */
  readonly faults = new Map<string, StartFault>();
  /** By id of a container: resources that it was given after it was made. */
  readonly given = new Map<string, Given>();
  /** Ids of containers that are probed. */
  readonly probed = new Set<string>();
  /** Ids of containers whose hook before the end was begun. */
  readonly hooked = new Set<string>();

  constructor(pod: Pod) {
    this.ref = refOf(pod);
    this.wanted = pod;
    this.pod = pod;
    this.status = this.told = pod.status ?? {};
    const { initContainerStatuses: init = [], containerStatuses: regular = [] } = this.status;
    for (const { state, containerID, resources } of [...init, ...regular]) {
      // What it was given before the agent's start is not among what the runtime keeps.
      if (state?.running && containerID && resources) this.given.set(containerID.split("://")[1] ?? "", { resources });
    }
  }

  /** What the runtime has now; resources that were given since are told with it. */
  see(state: PodState): PodState {
    const tries = state.tries.map((t) => {
      const given = this.given.get(t.id);
      return given ? { ...t, ...given } : t;
    });
    const ids = new Set(tries.map((t) => t.id));
    for (const known of [this.given, this.hooked]) {
      for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
    }
    return this.state = { ...state, tries };
  }
}
