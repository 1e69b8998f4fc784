/** The spec of a pod and what places, guards and names it, in words. */
export const CORE_PODS = `
PodSpec: What a pod runs, where it may run and how it is set up. An ordinary update may later change only few members:
    images, tolerations that are added, activeDeadlineSeconds, and schedulingGates that are taken away.
  volumes: The volumes of the pod. Containers reach one by naming it in volumeMounts or volumeDevices. Each name may
    occur only once.
  initContainers: Containers that prepare the pod. They run one after another in the order given, and each must end well
    before the next begins. One with restartPolicy Always is a sidecar: it stays up beside the main containers, and it
    alone may have probes and lifecycle.
  containers: The main containers of the pod; at least one. They start after the init containers and share network and
    volumes. None can be added or taken away later.
  ephemeralContainers: Containers put into the running pod, mostly for debugging. Must be empty at creation; only the
    subresource ephemeralcontainers adds to it.
  restartPolicy: What happens when a container of the pod ends. Always (default) restarts it, OnFailure restarts it
    unless it exited with 0, Never leaves it stopped. Many workload kinds accept only some of these.
  terminationGracePeriodSeconds: Seconds between the stop signal and the forced kill; a preStop hook counts against
    them. 0 kills at once. A delete request may name another period. Default 30.
  activeDeadlineSeconds: Seconds that the pod may run, counted from its start time, before it is failed and its
    containers are killed. At least 1. It may be added or lowered later, never raised or removed. No limit when unset.
  dnsPolicy: How name resolution is set up. ClusterFirst (default) asks the DNS of the cluster, ClusterFirstWithHostNet
    does so for pods with hostNetwork, Default takes over the settings of the node, None uses dnsConfig alone.
  nodeSelector: Labels and values a node must have, all of them, to take this pod.
  serviceAccountName: The service account, in the namespace of the pod, under which its containers talk to the API
    server. When empty, admission puts in the account named default.
  serviceAccount: Deprecated older name of serviceAccountName. Both always hold the same value; serviceAccountName wins
    when they differ.
  automountServiceAccountToken: Whether a token of the service account is mounted into the containers. When unset, the
    service account decides.
  nodeName: The node this pod is bound to; its node agent then runs the pod. The scheduler fills this in. Writing it
    yourself passes the scheduler by; use nodeSelector or affinity to ask for a node.
  hostNetwork: When true, the containers use the network of the node instead of one of their own. Every hostPort must
    then equal its containerPort, and an absent one is filled in so. Default false.
  hostPID: When true, the containers see the processes of the node. Excludes shareProcessNamespace. Default false.
  hostIPC: When true, the containers share the interprocess communication of the node. Default false.
  shareProcessNamespace: When true, the containers of the pod see each other's processes and may signal them, and none
    of them has process id 1. Excludes hostPID. Default false.
  securityContext: Security settings for the pod as a whole, and defaults for its containers. What a container says in
    its own securityContext wins.
  imagePullSecrets: Secrets, in the namespace of the pod, with credentials for the registries its images come from.
  hostname: Name of the pod as its containers see it, one DNS label. When unset, it is derived from the name of the pod.
  subdomain: One DNS label, as a rule the name of a headless service. With it the pod has a full domain name made of
    hostname, subdomain, namespace and the domain of the cluster. Without it there is no domain part.
  affinity: Rules that draw the pod to certain nodes or keep it away, by labels of nodes or by the pods that run there
    already.
  schedulerName: The scheduler that places this pod. Others leave it alone. Default default-scheduler.
  tolerations: Taints of nodes this pod puts up with. Entries can be added later, but none can be taken away.
  hostAliases: Extra lines for the hosts file of the containers, one entry for each address.
  priorityClassName: Name of the priority class of the pod. system-node-critical ranks above all,
    system-cluster-critical comes next; others must exist. When unset, the class marked as global default counts, else
    priority 0.
  priority: The rank of the pod; a higher number goes first in the queue and may displace lower pods. Admission fills it
    in from priorityClassName and refuses a value that differs.
  dnsConfig: Name servers, search domains and options, added to what dnsPolicy gives. Required, with at least one name
    server, when dnsPolicy is None.
  readinessGates: Further conditions that must be True, besides ready containers, before the pod counts as ready.
  runtimeClassName: Name of the RuntimeClass that says which container runtime handler runs this pod. A name that does
    not exist keeps the pod from running. When unset, the default handler of the node is used.
  enableServiceLinks: Whether the containers get environment variables with the addresses of the services in the
    namespace. Default true.
  preemptionPolicy: Whether this pod may displace pods of lower priority to find room: PreemptLowerPriority (default) or
    Never. Admission takes it from the priority class and refuses another value.
  overhead: Resources the pod costs beyond its containers, such as those of a sandbox. Admission copies them from the
    RuntimeClass; do not set them yourself.
  topologySpreadConstraints: Rules that spread like pods over zones, nodes or other domains. A node must meet all of
    them. The pair of topologyKey and whenUnsatisfiable may occur only once.
  setHostnameAsFQDN: When true, the containers see the full domain name as their host name instead of its first part.
    Without a full domain name it changes nothing. Default false.
  os: The operating system the containers are made for. When set, members that make sense only on the other system are
    refused.
  hostUsers: Whether containers use the user ids of the node. False gives the pod a user namespace of its own, so that
    root inside is not root on the node, and excludes hostPID and hostIPC. Default true.
  schedulingGates: Names of what still holds the pod back. While one is left the scheduler does not look at the pod.
    They are set at creation and can later only be removed. Until then nodeSelector and nodeAffinity may be narrowed.
  resourceClaims: Claims to devices and the like that must be allocated before the pod starts. Containers pick from them
    by name in resources.claims. Cannot be changed.
  resources: Requests and limits for the pod as a whole, which its containers share. Only cpu, memory and hugepages, no
    claims. Not on windows. Behind the beta gate PodLevelResources, on by default.
  hostnameOverride: Host name the containers see, ahead of hostname and subdomain; DNS records stay as they are. A DNS
    subdomain of at most 64 characters. Excludes hostNetwork and a true setHostnameAsFQDN.
  schedulingGroup: The group this pod is scheduled with; the group need not exist yet. When unset, the pod is placed on
    its own. Cannot be changed. Needs the gate GenericWorkload, off by default.
  evictionResponders: Parties that are asked in turn, highest priority first, to end the pod gently when its eviction is
    requested. At most 10; set at creation only. Excludes schedulingGroup. Alpha, gate EvictionRequestAPI.
PodSecurityContext: Security settings of a whole pod. Several of them are defaults that a container may override in its
    securityContext.
  seLinuxOptions: SELinux label of all containers, unless a container names its own. When unset, the container runtime
    picks a label for each. Not on windows.
  windowsOptions: Settings for windows containers, unless a container has its own. Not on linux.
  runAsUser: User id under which the first process of each container runs. When unset, the image decides. A container
    may override it. Not on windows.
  runAsGroup: Primary group id of the first process of each container. When unset, the container runtime decides. A
    container may override it. Not on windows.
  runAsNonRoot: When true, the node agent refuses to start a container that would run as user 0. A container may
    override it.
  supplementalGroups: Further group ids for the first process of each container, on top of the primary group and
    fsGroup. Not on windows.
  supplementalGroupsPolicy: How groups from the image count. Merge (default) adds those the image lists for the user,
    Strict takes only the groups named in the pod. Needs support in the container runtime. Not on windows.
  fsGroup: Group id for all containers and for volumes that support it: files there get this group, are readable and
    writable for it, and new files inherit it. When unset, volumes stay untouched. Not on windows.
  sysctls: Kernel parameters to set for the pod; only those that a namespace can have for itself. If the container
    runtime lacks one, the pod may fail to start. Not on windows.
  fsGroupChangePolicy: When ownership by fsGroup is applied to a volume: Always (default) at every mount, OnRootMismatch
    only if the top directory does not fit yet. No effect on emptyDir, secrets and config maps. Not on windows.
  seccompProfile: Filter of system calls for all containers that do not name their own. Not on windows.
  appArmorProfile: AppArmor profile for all containers that do not name their own. Not on windows.
  seLinuxChangePolicy: How volumes get the SELinux label. MountOption (default) sets it at the mount where volume and
    driver allow it, Recursive relabels every file, which is slow but lets pods with unlike labels share a volume.
Sysctl: One kernel parameter with the value it gets in the pod.
  name: The parameter, such as net.core.somaxconn. Each may be named once.
  value: The value to write, as a string even when it is a number.
SELinuxOptions: The parts of an SELinux label for containers. Parts left out are chosen by the container runtime.
  user: The user part of the SELinux label, such as system_u.
  role: The role part of the SELinux label, such as system_r.
  type: The type part of the SELinux label; it governs what the processes may touch.
  level: The level part of the SELinux label, such as s0:c123,c456.
SeccompProfile: Which filter of system calls applies to a container or to all of a pod.
  type: RuntimeDefault takes the profile that comes with the container runtime, Localhost a file on the node, Unconfined
    no filter at all.
  localhostProfile: Path of the profile file on the node, relative to the seccomp directory of the node agent and not
    leaving it. Needed with the type Localhost, refused with any other.
AppArmorProfile: Which AppArmor profile confines a container or all of a pod.
  type: RuntimeDefault takes the profile that comes with the container runtime, Localhost one loaded on the node before,
    Unconfined none.
  localhostProfile: Name under which the profile is loaded on the node. Needed with the type Localhost, refused with any
    other.
WindowsSecurityContextOptions: Security settings that only windows containers know.
  gmsaCredentialSpecName: Name of the credential spec of a group managed service account, kept as a custom resource.
  gmsaCredentialSpec: The credential spec itself, at most 64 KiB. A webhook fills it in from gmsaCredentialSpecName.
  runAsUserName: Windows user that runs the first process, with its domain before a backslash if needed. When unset, the
    image decides. The value of a container beats that of the pod.
  hostProcess: Whether the container runs directly on the node, with access to it. All containers of a pod must agree,
    and hostNetwork must be true as well.
PodOS: The operating system a pod is made for.
  name: Either linux or windows. More names may come; a reader should treat one it does not know as if nothing were set.
PodReadinessGate: One more condition that a pod must meet to count as ready.
  conditionType: Type of the condition in status.conditions of the pod. Somebody outside, mostly a controller, sets it
    there to True.
PodSchedulingGate: A named hold on a pod. The scheduler waits until all are removed.
  name: Name of the gate, a qualified name; each may occur once in a pod. Whoever set it knows when to take it away.
PodSchedulingGroup: The group a pod belongs to for scheduling. Exactly one member must be set.
  podGroupName: Name of the PodGroup, a DNS subdomain.
PodResourceClaim: A claim for devices and the like that a pod uses, either one that exists or one made for it. Set
    exactly one of resourceClaimName and resourceClaimTemplateName.
  name: Name of the claim inside the pod, one DNS label. Containers refer to it in resources.claims.
  resourceClaimName: Name of a ResourceClaim that exists in the namespace of the pod. Several pods may share it.
  resourceClaimTemplateName: Name of a ResourceClaimTemplate in the namespace. A claim is made from it for this pod and
    goes away with it; status.resourceClaimStatuses tells its name. With the gate DRAWorkloadResourceClaims, a matching
    entry of the pod group may supply one shared claim instead.
EvictionResponder: A party that handles a requested eviction of the pod. It reports progress in the status of the
    Eviction; when it falls silent for too long, the next one is asked.
  name: Name of the responder, with a domain and a slash in front. Unique in the list. The domains of the project itself
    are reserved.
  priority: Responders with a higher number are asked first, from 0 to 100000; up to 999 is reserved for the system. The
    controller that manages the pod should use 10000.
PodDNSConfig: Settings for name resolution in the containers, added to those that dnsPolicy gives.
  nameservers: Addresses of DNS servers, at most 3, put after those from dnsPolicy. Doubles are dropped.
  searches: Domains tried for short host names, put after those from dnsPolicy; at most 32 with 2048 characters
    together. Doubles are dropped.
  options: Options of the resolver. One that dnsPolicy sets as well takes the value given here.
PodDNSConfigOption: One option of the resolver in the containers.
  name: Name of the option, such as ndots. It must not be empty.
  value: Value of the option. Leave it out for options that are plain switches.
HostAlias: One address and the names it shall have in the hosts file of the pod.
  ip: The IP address. Each address may occur in one entry only.
  hostnames: Host names that shall resolve to this address, each a DNS subdomain.
Affinity: Three kinds of rules for the place of a pod: by labels of nodes, near other pods, and away from other pods.
  nodeAffinity: Rules about the labels of the node.
  podAffinity: Rules that want the pod near certain other pods, on the same node or in the same zone, say.
  podAntiAffinity: Rules that want the pod apart from certain other pods, say for each replica on a different node.
NodeAffinity: Rules about nodes, hard and soft. They count when the pod is placed; what changes on the node afterwards
    does not move it.
  requiredDuringSchedulingIgnoredDuringExecution: What a node must fulfil to take the pod. Without such a node the pod
    waits. A pod that runs already stays when its node stops fitting.
  preferredDuringSchedulingIgnoredDuringExecution: Wishes with weights. Among the nodes that are possible, the scheduler
    favours those whose fulfilled wishes weigh most in sum; none of them is a must.
NodeSelector: A choice of nodes. A node is chosen when at least one of the terms fits it.
  nodeSelectorTerms: The alternatives, at least one. It is enough that one term fits.
NodeSelectorTerm: One alternative of a node selector. All its requirements must hold; a term without any fits no node.
  matchExpressions: Requirements on the labels of the node.
  matchFields: Requirements on members of the node. Only metadata.name is known, with In or NotIn and a single value.
NodeSelectorRequirement: One requirement on a label or member of a node.
  key: Key of the label, or path of the member, that is looked at.
  operator: In: the value is one of values. NotIn: it is none of them. Exists, DoesNotExist: only the key counts. Gt,
    Lt: the label, read as a whole number, is greater or less than the given value.
  values: What to compare with. Not empty for In and NotIn, empty for Exists and DoesNotExist, exactly one whole number,
    as a string, for Gt and Lt.
PreferredSchedulingTerm: A wish about nodes and how much it weighs.
  weight: How much this wish counts, from 1 to 100.
  preference: The requirements a node must meet to earn the weight.
PodAffinity: Rules that draw a pod towards other pods. They count when the pod is placed; later changes do not move it.
  requiredDuringSchedulingIgnoredDuringExecution: Terms a node must all meet to take the pod. Without such a node the
    pod waits. A running pod is not bound to be moved when they cease to hold.
  preferredDuringSchedulingIgnoredDuringExecution: Wishes with weights. A node gains the weight of each term that pods
    in its domain match; the scheduler favours the highest sum, but may choose otherwise.
PodAntiAffinity: Rules that keep a pod away from other pods. They count when the pod is placed; later changes do not
    move it.
  requiredDuringSchedulingIgnoredDuringExecution: Terms that rule nodes out: the pod is not put into a domain where pods
    matching any of the terms run. A running pod is not bound to be moved when they cease to hold.
  preferredDuringSchedulingIgnoredDuringExecution: Wishes with weights. A node loses the weight of each term that pods
    in its domain match; the scheduler favours nodes that lose least, but may choose otherwise.
PodAffinityTerm: Which pods are meant and what counts as near them: all nodes with an equal value of the label
    topologyKey.
  labelSelector: Selects the pods that count, by their labels. When unset, no pod counts.
  namespaces: Names of namespaces in which to look for the pods, together with those that namespaceSelector picks. When
    neither is set, only the namespace of the pod itself counts.
  topologyKey: Key of a node label, required. Nodes on which it has the same value make up one domain, such as a zone;
    near means in the same domain.
  namespaceSelector: Selects namespaces by their labels, in addition to those in namespaces. An empty selector picks
    all; when unset, it picks none.
  matchLabelKeys: Keys of labels of this pod. Only pods with the same values for them count. Keys the pod lacks are
    ignored. Needs labelSelector, which must not use the same keys.
  mismatchLabelKeys: Keys of labels of this pod. Only pods whose values for them differ count. Keys the pod lacks are
    ignored. Needs labelSelector, which must not use the same keys.
WeightedPodAffinityTerm: A wish about neighbouring pods and how much it weighs.
  weight: How much this wish counts, from 1 to 100.
  podAffinityTerm: Which pods are meant and how near counts as near.
Toleration: Lets a pod put up with taints of nodes that match key, value and effect.
  key: Key of the taint. When empty, operator must be Exists, and every taint matches.
  operator: Equal (default): the value must be the same. Exists: any value will do. Lt, Gt: the value of the taint is a
    whole number less or greater than value here; these two need the alpha gate TaintTolerationComparisonOperators.
  value: The value to compare with. Leave it empty with Exists; a whole number with Lt and Gt.
  effect: The effect to put up with: NoSchedule, PreferNoSchedule or NoExecute. When empty, all of them.
  tolerationSeconds: How long the pod stays on the node after the taint came; only with the effect NoExecute. 0 or less
    evicts at once. When unset, it stays for good.
TopologySpreadConstraint: Keeps the number of matching pods even over domains. Nodes with the same value of the label
    topologyKey make up a domain.
  maxSkew: How many more matching pods a domain may have than the domain with the fewest. At least 1. With
    ScheduleAnyway it is only a preference.
  topologyKey: Key of the node label whose values tell the domains apart, such as one for the zone or for the host name.
  whenUnsatisfiable: What to do when no node keeps the balance: DoNotSchedule lets the pod wait, ScheduleAnyway places
    it all the same and favours nodes that lessen the imbalance.
  labelSelector: Selects the pods that are counted in each domain, by their labels.
  minDomains: How many domains there should be. While fewer are eligible, the lowest count is taken as 0, so that no
    domain gets more than maxSkew pods. At least 1; only with DoNotSchedule. Unset counts as 1.
  nodeAffinityPolicy: Whether nodes that nodeSelector and nodeAffinity of the pod rule out are counted. Honor (default)
    leaves them out, Ignore counts every node.
  nodeTaintsPolicy: Whether taints matter for the count. Honor leaves out nodes with a taint that the pod does not
    tolerate, Ignore (default) counts every node.
  matchLabelKeys: Keys of labels of this pod; only pods with equal values for them are counted, say only those of one
    revision. Keys the pod lacks are ignored. Needs labelSelector, which must not use the same keys.
LocalObjectReference: Points to an object in the same namespace by its name alone; the place of use tells the kind.
  name: Name of the object. An empty name is accepted for old times' sake, but is nearly always a mistake.
TypedLocalObjectReference: Points to an object of any kind in the same namespace.
  apiGroup: API group of the kind. When unset, the core group is meant.
  kind: Kind of the object that is meant.
  name: Name of the object that is meant.
TypedObjectReference: Points to an object of any kind, if need be in another namespace.
  apiGroup: API group of the kind. When unset, the core group is meant.
  kind: Kind of the object that is meant.
  name: Name of the object that is meant.
  namespace: Namespace of the object. Another one than here needs a ReferenceGrant over there. Alpha, gate
    CrossNamespaceVolumeDataSource.
`;
