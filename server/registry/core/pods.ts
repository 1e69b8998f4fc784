/** Pods: their deletion is graceful while a node runs them. */
import { podLevelResources } from "../../../schema/rules/core/pod_defaults.ts";
import type { Strategy } from "../strategy.ts";

const DEFAULT_GRACE_SECONDS = 30;
const OVER = new Set(["Failed", "Succeeded"]);

/** See {@linkcode Strategy}. */
export const pods: Strategy = {
  returnsDeleted: true,
  /** What the pod asks for as a whole follows what admission gave its containers, once all has been checked. */
  settle(pod) {
    if (pod["spec"]?.resources) podLevelResources(pod["spec"]);
  },
  grace(pod, options) {
    const asked = options.gracePeriodSeconds ?? pod["spec"]?.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS;
    const held = pod["spec"]?.nodeName && !OVER.has(pod["status"]?.phase);
    return held ? asked < 0 ? 1 : asked : 0;
  },
};
