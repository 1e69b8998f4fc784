/** The host's graceful shutdown, put together. */
import { join } from "node:path";
import type { Base } from "./base.ts";
import type { OwnNode } from "./node/mod.ts";
import { type PodManager, refOf } from "./pods/mod.ts";
import { disrupted, runs } from "./relief.ts";
import { periodsOf } from "./shutdown/groups.ts";
import { openLogind } from "./shutdown/logind.ts";
import { NodeShutdown } from "./shutdown/mod.ts";
import { ShutdownTimes } from "./shutdown/times.ts";
import type { Events } from "./types.ts";

const STATE_FILE = "graceful_node_shutdown_state";
const REASON = "Terminated", MESSAGE = "Pod was terminated in response to imminent node shutdown.";

/** What it works with. */
export interface HostShutdownParts {
  readonly events: Events;
  readonly node: OwnNode;
  /** Asked later. */
  readonly pods: () => PodManager;
}

/** See the top of the file. */
export function openShutdown(base: Base, { events, pods, node }: HostShutdownParts): NodeShutdown {
  const { options, clock, log, gate, metrics } = base;
  const counted = ["GracefulNodeShutdown", "GracefulNodeShutdownBasedOnPodPriority"].every(gate);
  return new NodeShutdown({
    periods: periodsOf(options, gate),
    logind: openLogind,
    pods: () => pods().pods().filter(runs),
    end: (pod, seconds) => {
      const disruption = disrupted(pod, "TerminationByKubelet", MESSAGE, clock.now());
      return pods().evict(refOf(pod).uid, REASON, MESSAGE, seconds, [disruption]);
    },
    tell: (signal) => void node.sync(signal),
    ...(counted ? { times: new ShutdownTimes(join(options.rootDir, STATE_FILE), metrics) } : {}),
    events,
    clock,
    log,
  });
}
