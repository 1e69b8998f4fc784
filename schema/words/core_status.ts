/** Statuses of pods and their containers, and bindings, in words. */
export const CORE_STATUS = `
Binding: Puts a pod on a node. A scheduler posts it to the pod's subresource binding, and the API server then writes
    the node into the pod. It can be done only once for each pod.
  target: The node that the pod goes to. Give its name; kind may be left out or must be Node.
ContainerExtendedResourceRequest: Tells which request of the generated claim serves one extended resource of one
    container.
  containerName: The container that asks for the extended resource, by its name in the pod.
  resourceName: Extended resource that the container asks for and that is served by a device through a claim.
  requestName: The request in the generated claim from which the devices for this resource come.
ContainerState: Where a container stands now. At most one member is set; with none set the container counts as
    waiting.
  waiting: Set while the container has not started yet, or waits to be started again. Tells why.
  running: Set while the container runs. Tells since when.
  terminated: Set when the container has ended, well or badly. Tells how and when.
ContainerStateRunning: Details of a container that runs.
  startedAt: When the container started. Each restart sets it anew.
ContainerStateTerminated: Details of a container that has ended: its exit code, the reason and the times.
  exitCode: Exit code of the container's main process. 0 means success.
  signal: Number of the signal that ended the container, where one is known.
  reason: Why the container ended, in one word, such as Completed, Error or OOMKilled.
  message: More about the end, for people. The container itself can supply it by its termination message.
  startedAt: When the run that has ended now had begun.
  finishedAt: When the container ended, as the runtime tells it.
  containerID: Id of the container that ended, written as the runtime's name, then ://, then the runtime's own id.
ContainerStateWaiting: Details of a container that does not run yet, such as one whose image is still on its way.
  reason: Why the container waits, in one word, such as ContainerCreating, ImagePullBackOff or CrashLoopBackOff.
  message: More about the wait, for people.
ContainerStatus: What the node agent has seen last of one container in a pod.
  name: Which container of the pod this status is about. The same name stands in the pod's spec.
  state: Where the container stands now: waiting, running or terminated.
  lastState: How the run before the present one ended. Empty until the container has been restarted at least once; the
    first place to look at after a crash.
  ready: True while the readiness probe succeeds. Without such a probe it is true as soon as the container has
    started. By default a service sends traffic only to pods whose containers are all ready.
  restartCount: How often the container has been started again. It can fall back to 0 when the node loses its records.
  image: Image that runs, as the runtime resolved it. It may differ in writing from the one in the spec.
  imageID: Id of the image that runs, mostly with its digest. It tells which build of a moving tag is in use.
  containerID: Id of the current container, written as the runtime's name, then ://, then the runtime's own id.
  started: True once the startup probe has succeeded and the postStart hook is through. False again after each
    restart; not set means false.
  allocatedResources: Requests for which the node has set room aside. Written when the pod is admitted and again when
    a resize of it is.
  resources: Requests and limits that are in force in the running container. During a resize they may still lag behind
    those in the spec.
  volumeMounts: How each volume is mounted in the container in fact. One entry for each mountPath.
  user: The user and groups with which the first process of the container was started.
  allocatedResourcesStatus: Health of the devices that the container was given, one entry for each resource.
  stopSignal: The signal that is sent first to stop the container, such as SIGTERM. Alpha, behind the gate
    ContainerStopSignals.
ContainerUser: The identity with which the first process of a container was started.
  linux: User and groups of the first process on Linux. Not set for a pod on Windows.
HostIP: One address of the node on which a pod runs.
  ip: The address itself, of IPv4 or IPv6.
ImageVolumeStatus: Which image stands behind a volume of the type image.
  imageRef: Digest of the image that is mounted, written like imageID of a container status. At most 256 characters.
LinuxContainerUser: User and groups with which a container's first process began. A process with the rights to do so
    may have changed them since.
  uid: User id that the first process had at its start.
  gid: Main group id that the first process had at its start.
  supplementalGroups: Further group ids that the first process had at its start, those from the image among them where
    the runtime merges them in.
NodeAllocatableMappedResources: Amount of one resource of the node, such as cpu or memory, that a claim brings to the
    pod.
  name: The resource, such as cpu, memory, ephemeral-storage or one of the hugepages sizes.
  quantity: Amount that the claim brings, shared by all containers that use the claim. It is added to requests and
    limits of the whole pod and to the limits of each of those containers.
NodeAllocatableOverheadResources: Further amount of one resource that the use of a claim costs. At least one of perPod
    and perContainer is set.
  name: The resource that the overhead is taken from, such as cpu or memory.
  perPod: Amount that is counted once for the pod, however many containers use the claim.
  perContainer: Amount that is counted once more for every container that uses the claim. The overhead of the pod is
    perPod plus this times the number of such containers.
NodeAllocatableResourceClaimStatus: What one claim of the pod brings or costs in resources that the node otherwise
    gives out itself, such as cpu and memory. Alpha, behind the gate DRANodeAllocatableResources.
  resourceClaimName: Name of the claim, in the namespace of the pod. The pod must refer to it.
  containers: Names of all containers of the pod that use the claim.
  mapping: Resources that the devices of the claim stand for. The node agent raises its limits for the pod and its
    containers by them.
  overhead: Resources that the devices of the claim need on top. The node agent raises its limits for the pod and its
    containers by them.
Pod: One or more containers that run together on one node and share its network address and volumes. The smallest unit
    that is scheduled; mostly made by a controller rather than by hand.
PodCondition: One statement about a pod, such as whether it has been scheduled or is ready.
  type: What the statement is about, such as PodScheduled, Initialized, ContainersReady, Ready, DisruptionTarget,
    PodResizePending or PodResizeInProgress. Readiness gates add their own.
  observedGeneration: The metadata.generation of the pod for which the statement was made.
  lastProbeTime: When the condition was last looked into, where the writer records it.
PodExtendedResourceClaimStatus: The claim that was made for those extended resources of a pod that devices of a driver
    serve.
  requestMappings: Which request in the claim serves which extended resource of which container.
  resourceClaimName: Name of the claim that the scheduler made, in the namespace of the pod.
PodIP: One address that a pod has been given.
  ip: The address itself, of IPv4 or IPv6.
PodResourceClaimStatus: Which claim stands behind an entry of spec.resourceClaims that is filled from a template.
  name: The entry of spec.resourceClaims that this is about, by its name.
  resourceClaimName: Name of the claim, in the namespace of the pod. With the gate DRAWorkloadResourceClaims it can be
    the claim of the pod's group. Not set when no claim was needed.
PodStatus: What is known of a pod: its phase, conditions, addresses and containers. Written by the node agent and the
    scheduler; it can be out of date when the node is cut off.
  observedGeneration: The metadata.generation of the pod that this status speaks of. Lower than that of the object
    while a change of the spec is still unseen.
  phase: Pending: not scheduled yet, or images still to be fetched. Running: on a node, with at least one container up
    or on its way. Succeeded: all containers ended well and stay down. Failed: all ended, at least one badly. Unknown:
    the node does not answer.
  conditions: Finer statements than phase, one for each type, such as PodScheduled, Initialized, ContainersReady and
    Ready.
  message: What has brought the pod to where it is, for people.
  reason: What has brought the pod to where it is, in one word, such as Evicted. Mostly empty while all is well.
  nominatedNodeName: Node that is foreseen for the pod, for example while other pods there are being evicted to make
    room. It is no promise: the pod can end up elsewhere, and the room can go to a pod of higher priority.
  hostIP: First address of the node on which the pod runs. Empty until the node agent has taken the pod on; it can be
    out of date while the node is cut off.
  hostIPs: Addresses of the node on which the pod runs, the first equal to hostIP. Empty until the node agent has
    taken the pod on.
  podIP: First address of the pod, reachable inside the cluster. Empty until one has been given out.
  podIPs: Addresses of the pod, at most one each of IPv4 and IPv6, the first equal to podIP.
  startTime: When the node agent took the pod on. That is before it fetched any image.
  initContainerStatuses: Statuses of the init containers, at most one for each. One that has run through successfully
    is shown as ready.
  containerStatuses: Statuses of the containers in spec.containers, at most one for each.
  qosClass: How the pod ranks when its node runs short of memory. Guaranteed: cpu and memory have limits throughout,
    and requests equal to them. Burstable: some requests or limits are set. BestEffort: none are, so it goes first.
    Fixed at creation.
  ephemeralContainerStatuses: Statuses of the ephemeral containers that were added to the pod, for debugging mostly.
  resize: Deprecated; the conditions PodResizePending and PodResizeInProgress tell how a resize stands. Once held
    Proposed, InProgress, Deferred or Infeasible.
  resourceClaimStatuses: The claims that belong to entries of spec.resourceClaims, where these name a template. One
    entry for each name.
  extendedResourceClaimStatus: The claim that was made for extended resources which a driver's devices serve.
  allocatedResources: Requests of the whole pod for which the node has set room aside. Where the pod sets none itself,
    the sum over its containers.
  resources: Requests and limits of the pod as a whole that are in force. Set only when spec.resources is in use.
  nodeAllocatableResourceClaimStatuses: Resources such as cpu and memory that the pod was given through claims. Alpha,
    behind the gate DRANodeAllocatableResources.
  volumeHealth: Troubles with the volumes of the pod that its node has seen, one entry for each volume. Alpha, behind
    the gate CSIVolumeHealth.
PodVolumeHealth: Health of one volume of a pod, as the storage driver on the node reports it. Alpha, behind the gate
    CSIVolumeHealth.
  name: The volume, by its name in spec.volumes of the pod.
  healthConditions: Troubles of the volume that the driver reports, 16 at most. An empty list means that none are
    known.
  lastTransitionTime: When the troubles listed now were first seen together.
ResourceHealth: Health of one device that a container uses.
  resourceID: Which device: the id from the device plugin, or driver, pool and device with slashes between when it
    comes through a claim.
  health: Healthy, Unhealthy or Unknown. Unhealthy may pass again; Unknown is written, for instance, while the device
    plugin is gone.
  message: What the driver says about the health, for people. At most 1024 characters; only for devices that come
    through a claim.
ResourceStatus: Health of the devices that stand behind one resource of a container.
  name: The resource as the container requests it, or claim: followed by the name of the claim and, where the
    container asks for one request of it only, a slash and that request.
  resources: The devices, one entry for each resourceID, with their health.
VolumeMountStatus: How a volume is mounted in a container in fact.
  name: The volume mount of the container that this is about, by the name of its volume.
  mountPath: The path inside the container, as in the volume mount.
  readOnly: True if the container cannot write to the volume, as in the volume mount.
  recursiveReadOnly: Enabled: mounts below this one are read-only too. Disabled: they are not. What was asked as
    IfPossible shows here as one of the two. Not set for mounts that can be written to.
  volumeStatus: More about the mounted volume, by its type. Only image volumes have something to say so far.
VolumeStatus: More about a mounted volume, by its type. At most one member is set.
  image: Image that was fetched and mounted as the volume. Alpha, behind the gate ImageVolumeWithDigest.
`;
