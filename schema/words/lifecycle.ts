/** Evictions that are asked for and carried out step by step, in words. */
export const LIFECYCLE = `
Eviction: The course of removing one target, such as a pod, gracefully: who asked for it, which responders act on it,
    and how far they are. The controller creates it from the EvictionRequests for that target and deletes it some time
    after the last of them is gone. Alpha, behind the gate EvictionRequestAPI.
  metadata: Standard object metadata. Do not rely on the name that the controller chooses: the target tells evictions
    apart. Labels have the names of requesters and responders as keys, with the value requester, responder or
    requester-responder.
EvictionPodReference: Points at one pod in the namespace of the eviction. Name and UID must both fit, so that a
    successor with the same name is not meant.
  name: Name of the pod to evict. It lies in the namespace of the eviction.
  uid: UID of the pod, as found in its metadata.uid: a lowercase UUID in five groups joined by dashes.
EvictionRequest: A wish of one requester that a target, such as a pod, be removed gracefully. The controller gathers all
    requests for a target into one Eviction, on which responders then act; deleting a request withdraws it. Alpha,
    behind the gate EvictionRequestAPI.
EvictionRequestPodReference: Points at one pod in the namespace of the eviction request. Name and UID must both fit, so
    that a successor with the same name is not meant.
  name: Name of the pod to evict. It lies in the namespace of the request.
  uid: UID of the pod, as found in its metadata.uid: a lowercase UUID in five groups joined by dashes.
EvictionRequestSpec: Who wants which target evicted, and whether that wish still stands. Only intent can be changed
    after creation.
  target: What is to be evicted. Fixed once the request exists.
  requester: Name of the party that asks, with a domain in front, such as acme.io/foo. The domains of the project itself
    are reserved. Fixed once the request exists.
  intent: Eviction asks for the target to be evicted, Withdrawn takes the wish back. When nobody wants a target evicted
    any more, its eviction is canceled: responders not yet started stay idle, and the active one should stop.
EvictionRequestStatus: What became of the eviction request, as the controller reports it.
  conditions: TargetEvicted is True when the target is gone or has ended, Failed when no responder works on it any more,
    because of a cancellation or because none succeeded. Both may be reset by a new intent Eviction after a failure. At
    most 100 entries, one for each type.
  observedGeneration: The metadata.generation of the request that the controller acted on last. It starts at 1 and only
    grows.
EvictionRequestTarget: The object that the request is about. Exactly one member is set; today only pod exists.
  pod: The pod to evict. Pods that belong to a pod group, that is with spec.schedulingGroup set, cannot be targets.
EvictionSpec: What the eviction removes. It cannot be changed after creation.
  target: The object being evicted. Fixed once the eviction exists.
EvictionStatus: How the eviction stands: who asked for it, the responders in line, and their reports. Written by the
    controller and by the responder whose turn it is.
  conditions: TargetEvicted is True when the target is gone or has ended, Failed when no responder works on it any more,
    because of a cancellation or because none succeeded. Once True, neither goes back. At most 100 entries, one for each
    type.
  observedGeneration: The metadata.generation of the eviction that the controller acted on last. It starts at 1 and only
    grows.
  requesters: All parties that asked for this eviction, also those that withdrew since. When every intent is Withdrawn,
    the eviction is canceled. At most 100 entries; withdrawn ones are the first to be left out.
  targetResponders: The responders in line for this target: they act one at a time, highest priority first. For a pod
    they come from its spec.evictionResponders, plus a built-in one with priority 100 that tries the eviction
    subresource of the pod until disruption budgets let it. At most 11; the set of names is final once written.
  responders: Progress reports, one for each entry of targetResponders and with the same names. The controller creates
    the entries; afterwards only the entry of the Active responder may change. At most 11.
EvictionTarget: The object that the eviction is about. Exactly one member is set; today only pod exists.
  pod: The pod being evicted. Pods that belong to a pod group, that is with spec.schedulingGroup set, cannot be targets.
Requester: One party that asked for an eviction, and whether it still wants it.
  name: Name of the party, with a domain in front, such as acme.io/foo. Each name occurs once in the list.
  intent: Eviction while the party wants the target evicted, Withdrawn after it took the wish back. When all parties
    have withdrawn, the eviction is canceled: responders not yet started stay idle, and the active one should stop.
ResponderStatus: Progress report of one responder. The controller creates it; the responder keeps it up to date while
    its state is Active.
  name: Name of the responder, with a domain in front, such as acme.io/foo. It equals the name of one entry of
    targetResponders.
  startTime: When the turn of this responder began. Set by the controller on activation; final once set.
  heartbeatTime: When the responder last said that it is at work. If it stays silent for 20 minutes, the eviction passes
    to the next in line. Set it to the current time, and no more often than every 20 seconds.
  expectedCompletionTime: When the responder expects to be done. Must not lie in the past, nor more than ten years
    ahead. Leave it out when no estimate is possible.
  completionTime: When the responder ended its part, be the target gone by then or not. Set it to the current time;
    final once set. Without it the state cannot become Completed.
  message: Explanation for people of what the responder is doing or why it waits. At most 4000 characters.
TargetResponder: A responder that may act on the eviction, its place in the line, and its state.
  name: Name of the responder, with a domain in front, such as acme.io/foo. Each name occurs once in the list.
  priority: Place in the line, from 0 to 100000: the highest acts first. Values below 1000 are for built-in responders,
    and the controller that owns the pod should use 10000. Equal values are ordered by domain, top label first; cannot
    be changed.
  state: Set by the controller. Inactive: not its turn yet. Active: it should work and send heartbeats; only one is at a
    time. Completed: it reported its completionTime. Interrupted: it did not start, or its heartbeats stopped. Canceled:
    all requests were withdrawn. The last three are final.
`;
