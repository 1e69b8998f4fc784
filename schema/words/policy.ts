/** Disruption budgets and evictions, in words. */
export const POLICY = `
Eviction: Asks to remove one pod without breaking the disruption budgets that cover it. It is posted to the eviction
    subresource of the pod and not stored; a budget that has nothing left answers 429.
  metadata: Name and namespace of the pod to be evicted.
  deleteOptions: How the pod is deleted once the budget agrees: grace period, preconditions, or a dry run. Optional.
PodDisruptionBudget: Bounds how many pods of an application may be taken away on purpose at the same time, as when
    nodes are drained. Crashes and lost nodes count against it but are not held up by it.
PodDisruptionBudgetSpec: Which pods are protected, and how many of them have to stay or may be missing.
  minAvailable: How many of the selected pods must still be healthy after an eviction: a number or a percentage. 100%
    refuses every eviction. Excludes maxUnavailable.
  selector: Labels of the protected pods, in the namespace of the budget. An empty selector covers all pods there, a
    missing one covers none.
  maxUnavailable: How many of the selected pods may be missing after an eviction: a number or a percentage. 0 refuses
    every eviction. Excludes minAvailable.
  unhealthyPodEvictionPolicy: When running pods that are not ready may go. IfHealthyBudget: only while currentHealthy
    reaches desiredHealthy. AlwaysAllow: at any time, so a drain is not held up by broken pods. Ready pods always need
    room in the budget. Default IfHealthyBudget.
PodDisruptionBudgetStatus: How many pods are healthy, and how many evictions the budget still has room for.
  observedGeneration: The metadata.generation that the controller saw last. While it lags behind, the numbers speak of
    an older spec and no eviction should rely on them.
  disruptedPods: Pods whose eviction was granted but whose deletion the controller has not seen yet: pod name to time
    of the grant. An entry that leads to no deletion is dropped after a while.
  disruptionsAllowed: How many more pods may be evicted at this moment. At 0, evictions of healthy pods are refused.
  currentHealthy: Selected pods that are healthy at present, which means ready.
  desiredHealthy: How many healthy pods the budget asks for, worked out from the spec.
  expectedPods: How many pods the budget takes for the whole; percentages are taken of this.
  conditions: Observations about the budget. DisruptionAllowed says whether evictions are possible, with the reason
    SufficientPods, InsufficientPods or SyncFailed; the last means that the number could not be worked out.
`;
