/** Nodes, in words. */
export const CORE_NODES = `
AttachedVolume: A volume that is attached to a node, and the device under which it is found there.
  name: Unique name of the volume, made from its plugin and the plugin's own name for it.
  devicePath: Path of the device on the node, where the volume plugin tells one.
ConfigMapNodeConfigSource: Names the config map from which a node was to take its configuration. Deprecated: the
    feature has been removed.
  namespace: Namespace in which the config map lies.
  name: Name of the config map in its namespace.
  uid: The metadata.uid of the config map. Forbidden in the spec of a node, required in its status.
  resourceVersion: The metadata.resourceVersion of the config map. Forbidden in the spec of a node, required in its
    status.
  kubeletConfigKey: The key of the config map under which the configuration of the node agent stands.
ContainerImage: A container image that lies on a node.
  names: All names of the image, with tags and with digests.
  sizeBytes: How much room the image takes, in bytes.
DaemonEndpoint: Where a daemon of the node can be reached.
  Port: Port on which the daemon listens at the node's addresses. The name of this member is written with a capital.
Node: A machine on which pods run. Made by the node agent itself when it registers, or by the cloud's controller;
    removed when the machine is gone.
NodeAddress: One address of a node, and what kind of address it is.
  type: Hostname, InternalIP, ExternalIP, InternalDNS or ExternalDNS. A cloud may add further types. A node can have
    more than one address of a type.
  address: The address itself: an IP address or a name, as the type says.
NodeCondition: One statement about a node, such as whether it is ready or short of memory.
  type: What the statement is about: Ready, MemoryPressure, DiskPressure, PIDPressure or NetworkUnavailable, of which
    all but Ready should be False. Others can be added.
  status: True, False or Unknown. Ready becomes Unknown when nothing has been heard from the node for a while.
  lastHeartbeatTime: When the writer last confirmed the condition, whether or not it changed.
NodeConfigSource: Where a node was to take its configuration from. Exactly one member is set. Deprecated: the feature
    has been removed.
  configMap: The config map that holds the configuration.
NodeConfigStatus: How the configuration named in spec.configSource stood on the node. Deprecated: the feature has been
    removed and nothing writes this any more.
  assigned: The configuration that the node has saved and means to use from its next start on.
  active: The configuration in use: the assigned one, or the last good one where that failed.
  lastKnownGood: The configuration to fall back to when the assigned one fails. An assigned one took its place after
    it had run without fault for some time.
  error: What went wrong on the way from spec.configSource to the active configuration, for people. Empty when all is
    well.
NodeDaemonEndpoints: Where the daemons of a node can be reached.
  kubeletEndpoint: Port of the node agent. The API server uses it for logs, exec and port forwarding.
NodeFeatures: What the container runtime of a node can do, whichever handler is used.
  supplementalGroupsPolicy: True if the runtime follows supplementalGroupsPolicy of a pod and reports the user of a
    container.
NodePodPreemptionPolicy: Rules of a node about pushing pods out for others. Alpha, behind the gate
    InPlacePodVerticalScalingSchedulerPreemption.
  disableResizePreemption: Names of those who want no pod evicted from this node to make room for the resize of
    another. While at least one is listed, none is. At most 20.
NodeRuntimeHandler: A handler of the container runtime on a node, and what it can do.
  name: Name of the handler, as a runtime class names it. Empty for the default handler.
  features: What this handler can do, each as true or false.
NodeRuntimeHandlerFeatures: What a handler of the container runtime can do. A member that is not set counts as false.
  recursiveReadOnlyMounts: True if the handler can make a mount read-only together with all mounts below it.
  userNamespaces: True if the handler can run pods in user namespaces of their own, volumes included.
NodeSpec: What is settled about a node from outside: its address ranges, its taints and whether it takes new pods.
  podCIDR: Address range for the pods of this node, such as 10.244.3.0/24. It can be set once and is fixed from then
    on.
  podCIDRs: Address ranges for the pods of this node, at most one each of IPv4 and IPv6, the first equal to podCIDR.
    Fixed once set.
  providerID: The machine's id at the cloud, written as the cloud's name, then ://, then the cloud's own id. It can be
    set once and neither changed nor cleared after that.
  unschedulable: While true, the scheduler puts no new pods on the node, save those that tolerate it. Pods already
    there stay. Default false.
  taints: Marks that keep pods away unless they tolerate them. Each pair of key and effect may stand here once.
  configSource: Deprecated: the feature has been removed. Dropped when a node is created and without effect otherwise.
  externalID: Deprecated and unused. It cannot be changed.
  podPreemptionPolicy: Rules about evicting pods from this node. Alpha, behind the gate
    InPlacePodVerticalScalingSchedulerPreemption.
NodeStatus: What is known of a node: its size, condition, addresses and software. Written by the node agent for the
    most part.
  capacity: All the node has, by resource: cpu, memory, ephemeral-storage, pods and any extended resources.
  allocatable: What pods may use in all, by resource: capacity less what is kept back for the system. The scheduler
    counts with it. Default is capacity.
  phase: Deprecated and never filled in. Had the values Pending, Running and Terminated; look at conditions instead.
  conditions: Statements about the node, one for each type: Ready, MemoryPressure, DiskPressure, PIDPressure and
    NetworkUnavailable.
  addresses: Addresses at which the node can be reached. They may change over its life. Replace the whole list in a
    patch: a merge by type goes wrong when a type occurs twice.
  daemonEndpoints: Ports of the daemons on the node, of which the node agent is the only one.
  nodeInfo: Ids of the machine and versions of its software.
  images: Images that lie on the node, the largest first; 50 at most unless the node agent is told otherwise. The
    scheduler prefers nodes that have an image already.
  volumesInUse: Attachable volumes that the node has mounted, or is about to, by unique name. It is not safe to detach
    a volume that stands here.
  volumesAttached: Volumes that the controller has attached to the node, with the device of each.
  config: Deprecated: the feature behind it has been removed. Told how the configuration in spec.configSource stood.
  runtimeHandlers: Handlers of the container runtime on this node, and what each can do.
  features: What the container runtime of this node can do with every handler.
  declaredFeatures: Names of gated features that this node says it has, sorted and without repeats. The scheduler
    sends pods that need one only where it is listed.
NodeSwapStatus: How much swap memory a node has.
  capacity: Swap memory of the node in all, in bytes.
NodeSystemInfo: Ids of a machine and versions of the software on it, as its node agent reports them.
  machineID: Id of the machine from its operating system, as in /etc/machine-id. The best of the ids to tell machines
    apart.
  systemUUID: Id of the machine from its firmware. Prefer machineID where one id is enough.
  bootID: Id of the present run of the machine. Every boot brings a new one.
  kernelVersion: Version of the kernel, as uname -r shows it.
  osImage: Name and release of the operating system, for people, such as Debian GNU/Linux 12 (bookworm).
  containerRuntimeVersion: Name and version of the container runtime with :// between, such as containerd://2.1.4.
  kubeletVersion: Version of the node agent that runs here.
  kubeProxyVersion: Deprecated, and empty since node agents no longer write it. Was meant for the version of the
    service proxy.
  operatingSystem: The operating system in one word: linux or windows.
  architecture: The processor's architecture, such as amd64 or arm64.
  swap: Swap memory of the node. Not set where there is none.
  runningInUserNamespace: Whether the node agent runs in a user namespace, without the rights of the host's root.
Taint: A mark on a node that keeps away pods which do not tolerate it.
  key: Name of the taint, written like a label key.
  value: A value next to the key, written like a label value. May be empty.
  effect: NoSchedule: no new pods come, those there stay. PreferNoSchedule: the scheduler avoids the node while it
    can. NoExecute: pods there are evicted as well, at once or after their tolerationSeconds.
  timeAdded: When the taint was put on. Not every writer fills it in.
`;
