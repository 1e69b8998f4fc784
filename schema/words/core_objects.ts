/** The other kinds of the core group: services, namespaces, events, quotas, references and the rest, in words. */
export const CORE_OBJECTS = `
ClientIPConfig: How long a client stays with the same pod when sessionAffinity is ClientIP.
  timeoutSeconds: Seconds without traffic after which a client may be sent to another pod, 1 to 86400. Default 10800,
    that is three hours.
ComponentCondition: One statement about a part of the control plane. Healthy is the only type.
  type: What the statement is about. Healthy is the only value.
  status: True: the component is well. False: it is not. Unknown: nothing can be said.
  error: Error code of a failed health check, where there is one.
ComponentStatus: Health of one part of the control plane. Deprecated; use the health endpoints of the components
    themselves.
  conditions: What is known of the component's health.
ConfigMap: Plain settings, as keys with values, that pods read as environment variables, arguments or files. Not for
    secrets.
  immutable: While true, data and binaryData are fixed, and so is this member. Only metadata can be changed; to change
    the rest, delete the object and create it anew. Default false.
  data: Values as UTF-8 text. Keys consist of letters, digits, -, _ and dots, and must not occur in binaryData. Both
    maps together hold at most 1 MiB.
  binaryData: Values of any bytes, written in base64. Keys follow the rules of data and must not occur there. They
    reach pods as files, not as environment variables.
EndpointAddress: One address that serves a service. Deprecated along with Endpoints.
  ip: The address, of IPv4 or IPv6. Loopback, link-local and unspecified addresses are refused.
  hostname: Name of the endpoint, for DNS entries of its own under the service. One label of a DNS name.
  nodeName: Node on which the endpoint runs. It helps to find those on the same node.
  targetRef: The object behind the address, in most cases a pod.
EndpointPort: One port that the addresses of a subset serve. Deprecated along with Endpoints.
  name: Name of the port, equal to the name of the service's port. Required when the subset has more than one port.
  port: Port number at the address, 1 to 65535.
  protocol: Transport protocol: TCP, UDP or SCTP. Default TCP.
  appProtocol: Protocol spoken above the transport, as a hint for proxies. A plain name is a service name of IANA,
    such as http; other names need a prefix.
EndpointSubset: Addresses that all serve the same ports. Every address stands for an endpoint on every port.
    Deprecated along with Endpoints.
  addresses: Addresses that are ready for traffic. At least one here or in notReadyAddresses.
  notReadyAddresses: Addresses that are to get no traffic for now, since they still start up or have failed a probe.
  ports: Ports that every address of this subset serves. May be empty for a headless service.
Endpoints: Addresses and ports behind the service of the same name. Deprecated and incomplete for some services; use
    EndpointSlice instead.
  subsets: Groups of addresses with the same ports; together they are all endpoints of the service. An address with
    ports both ready and not ready occurs in several groups.
Event: A note that something happened to an object, for people and for tools that watch. Events are best effort, may
    be merged and are kept for a limited time only.
  involvedObject: The object that this happened to. Its namespace must agree with that of the event; events about
    objects without namespace live in default.
  reason: Why it happened or what did, in one word that programs can compare, such as FailedScheduling. Required when
    eventTime is set; at most 128 characters then.
  message: What happened, for people. At most 1024 characters when eventTime is set.
  source: The component that reports, in the older form. Newer writers use reportingComponent and reportingInstance.
  firstTimestamp: When this happened for the first time. Newer writers use eventTime.
  lastTimestamp: When this happened last, as far as repeats were merged into this event. Newer writers use series.
  count: How often this has happened, as far as repeats were merged into this event. Newer writers use series.
  type: Normal for what is expected, Warning for what may need attention. More types may come.
  eventTime: When this was first seen, to the microsecond. When it is set, reportingComponent, reportingInstance,
    action and reason are required.
  series: Number and time of the repeats, when this went on happening. Not set for a single event.
  action: What the reporter did, or failed to do, to the object. At most 128 characters. Required when eventTime is
    set.
  related: A second object that has to do with it, such as the one that was created.
  reportingComponent: The kind of component that reports, as a name that may have a domain as prefix. Required when
    eventTime is set.
  reportingInstance: Which instance of the component reports, such as the name of its pod or node. At most 128
    characters. Required when eventTime is set.
EventSeries: Repeats of an event that went on happening.
  count: How often it has happened, up to lastObservedTime.
  lastObservedTime: When it was last seen to happen.
EventSource: Where an event comes from, in the older form.
  component: The component that reports the event.
  host: Node on which the reporter runs.
LimitRange: Bounds and defaults for what single pods, containers and claims of a namespace may ask for. Checked when
    such objects are created or resized; what exists already is left alone.
LimitRangeItem: Bounds and defaults for one type of thing.
  type: What the bounds are for: Container, Pod (the sum over its containers) or PersistentVolumeClaim. Each type once
    in a list.
  max: The most that may be asked for, by resource. Pods and containers must then state a limit for each of these
    resources.
  min: The least that may be asked for, by resource. Pods and containers must then state a request for each of these
    resources.
  default: Limits for containers that state none, by resource. Where this has no entry, max is taken. Not allowed for
    the type Pod.
  defaultRequest: Requests for containers that state none, by resource. Where this has no entry, default is taken, and
    where that has none, min. Not allowed for the type Pod.
  maxLimitRequestRatio: How many times its request a limit may be at most, by resource; 1 or more. Request and limit
    must both be stated and not be 0.
LimitRangeSpec: The bounds and defaults that a limit range sets.
  limits: One entry for each type of thing that is bounded.
LoadBalancerIngress: One place at which a load balancer takes traffic for a service.
  ip: Address of the load balancer, when it is reached by address.
  hostname: DNS name of the load balancer, when it is reached by name.
  ipMode: How packets arrive at the node. VIP: still addressed to the load balancer, so that the nodes may short-cut
    to the service. Proxy: readdressed to a node or a pod. Needs ip; default VIP.
  ports: How each port of the service stands at this place. If used, it lists all of them.
LoadBalancerStatus: Where the load balancer of a service can be reached.
  ingress: The places at which traffic for the service is taken. Empty until the load balancer is there.
Namespace: A space of names. Objects of different namespaces may bear the same name, and rights, quotas and deletion
    can be settled for each namespace on its own.
NamespaceCondition: One statement about a namespace that is being deleted, such as what still holds it up.
  type: NamespaceDeletionDiscoveryFailure, NamespaceDeletionContentFailure,
    NamespaceDeletionGroupVersionParsingFailure, NamespaceContentRemaining or NamespaceFinalizersRemaining.
NamespaceSpec: What is settled about a namespace from outside: only what must happen before it may vanish.
  finalizers: Names of those who must clean up before the namespace may vanish. The API server adds its own at
    creation. Changed only by the subresource finalize.
NamespaceStatus: Whether a namespace is in use or being deleted, and what holds the deletion up.
  phase: Active: in use. Terminating: deleted, its objects are being removed and no new ones can be created in it.
  conditions: What still holds up the deletion, one statement for each type. Empty while the namespace is in use.
ObjectReference: Points at an object of any kind. Which members count depends on where the reference stands.
  kind: Kind of the object, such as Pod.
  namespace: Namespace of the object. Empty for kinds without namespace.
  name: Name of the object in its namespace.
  uid: The metadata.uid of the object. It tells the object from a later one of the same name.
  apiVersion: Group and version of the kind, such as apps/v1, or v1 for the core group.
  resourceVersion: The state of the object that is meant, by its metadata.resourceVersion. Seldom used.
  fieldPath: The part of the object that is meant, such as spec.containers{web} for one container. Empty means the
    whole object.
PodTemplate: A template for pods, kept as an object of its own. Nothing makes pods from it by itself.
  template: What pods made from the template look like.
PodTemplateSpec: Metadata and spec for the pods that a controller makes.
  metadata: Labels, annotations and finalizers for the pods. The labels must match the selector of the controller.
  spec: What each pod is to be, with its containers and volumes.
PortStatus: How one port of a service stands at the load balancer.
  port: The port of the service, by its number.
  protocol: Transport protocol of the port: TCP, UDP or SCTP.
  error: What is wrong with the port, in one word. A cloud writes words of its own with its domain as prefix. Not set
    when all is well.
ReplicationController: Keeps a number of equal pods running. An older kind; use a Deployment or a ReplicaSet for new
    work.
ReplicationControllerCondition: One statement about a replication controller. ReplicaFailure is the usual one: a pod
    could not be created or deleted.
ReplicationControllerSpec: How many pods a replication controller keeps, which ones count and how new ones are made.
  replicas: How many pods are wanted, 0 or more. Default 1.
  minReadySeconds: Seconds that a new pod must stay ready, with no container crashing, before it counts as available.
    Default 0.
  selector: Labels that a pod must bear to count, all of them. Default: the labels of the template, which must match
    in any case.
  template: What new pods look like. The restartPolicy must be Always. A change touches only pods made after it.
ReplicationControllerStatus: How many pods a replication controller has, and how far they are.
  replicas: Pods that exist now and count for this controller.
  fullyLabeledReplicas: Pods that bear all labels of the template.
  readyReplicas: Pods whose condition Ready is True.
  availableReplicas: Pods that have been ready for minReadySeconds at least.
  observedGeneration: The metadata.generation of the spec that these numbers were made from.
  conditions: Statements about the controller's work, one for each type.
ResourceQuota: Upper bounds for what all objects of a namespace use together. A request that would go over them is
    refused; what exists already stays.
ResourceQuotaSpec: The bounds of a quota, and which objects count towards them.
  hard: The bounds by name: amounts such as requests.cpu, limits.memory or requests.storage, and numbers of objects
    such as pods, services or count/deployments.apps. With a bound on cpu or memory every new pod must state it.
  scopes: Counts only objects that fit all of these. Terminating: pods with activeDeadlineSeconds; BestEffort: pods
    without requests and limits; the Not values are the opposites. PriorityClass: pods that name one;
    CrossNamespacePodAffinity: pods with affinity across namespaces; VolumeAttributesClass: volume claims that name
    one. Cannot be changed later.
  scopeSelector: Counts only objects that fit these expressions, and scopes too where both are set. Unlike scopes it
    can ask for certain values.
ResourceQuotaStatus: The bounds that are enforced now, and what is used of them.
  hard: The bounds that are enforced now, by name. They follow the spec shortly after a change.
  used: What the objects of the namespace use now, by the names in hard.
ScopeSelector: Chooses the objects that count towards a quota. All expressions must fit.
  matchExpressions: The expressions that an object must fit, all of them.
ScopedResourceSelectorRequirement: One expression: a scope, an operator and values.
  scopeName: Scope that is asked about. Terminating, NotTerminating, BestEffort, NotBestEffort and
    CrossNamespacePodAffinity allow only the operator Exists; PriorityClass and VolumeAttributesClass allow all four.
  operator: In: the object has one of the values. NotIn: it has none of them. Exists: it falls under the scope.
    DoesNotExist: it does not.
  values: Values for In and NotIn, at least one, such as names of priority classes. Must be empty for Exists and
    DoesNotExist.
Secret: Small confidential data, such as passwords, keys and certificates, that pods read as files or environment
    variables. At most 1 MiB.
  immutable: While true, data is fixed, and so is this member. Only metadata can be changed; to change the rest,
    delete the object and create it anew. Default false.
  data: The values, written in base64, which hides nothing. Keys consist of letters, digits, -, _ and dots. All values
    together have at most 1 MiB.
  stringData: Values as plain text, for writing only. They are put into data, over values of the same key, and never
    shown again.
  type: What kind of secret this is. Known types require certain keys in data, such as tls.crt and tls.key for a
    certificate. Default Opaque, which requires none. Cannot be changed later.
SecretReference: Points at a secret in any namespace.
  name: Name of the secret in its namespace.
  namespace: Namespace in which the secret lies.
Service: One stable address and name for a set of pods that may change, or an alias for a name outside the cluster.
ServiceAccount: An identity for programs in pods when they talk to the API server. Rights are given to it by role
    bindings.
  secrets: Secrets that pods under this account may use. Enforced only when a deprecated annotation says so. Do not
    look for tokens here; ask for one by the subresource token.
  imagePullSecrets: Secrets with which the node agent fetches images for pods under this account. Copied into pods
    that name none of their own.
  automountServiceAccountToken: Whether pods under this account get a token as a file. The member of the same name in
    a pod comes first. Default true.
ServicePort: One port of a service, and where its traffic goes.
  name: Name of the port, unique in the service. Required when there is more than one. The endpoints bear the same
    name.
  protocol: Transport protocol: TCP, UDP or SCTP. Each pair of protocol and port may occur once.
  appProtocol: Protocol spoken above the transport, as a hint for proxies. A plain name is a service name of IANA,
    such as http; other names need a prefix.
  port: Port at which clients reach the service, 1 to 65535.
  targetPort: Port of the pods, by number or by the name of a container port, which may differ from pod to pod.
    Default: the value of port. For a headless service leave it out or equal to port.
  nodePort: Port at every node that leads to the service, for the types NodePort and LoadBalancer. Left out, a free
    one is chosen; a given one must be free and in the cluster's range, mostly 30000-32767. Not allowed for ClusterIP.
ServiceSpec: Which pods a service stands for, at which addresses and ports, and how traffic is shared out.
  ports: Ports of the service. At least one, save for headless services and ExternalName.
  selector: Labels of the pods that traffic goes to; a pod must bear them all. Left out, the endpoints must be written
    by someone else. Ignored for ExternalName.
  clusterIP: Address of the service inside the cluster. Left out, a free one is chosen; None makes a headless service,
    whose name leads to the pods themselves. Fixed once given, unless type becomes or was ExternalName, which has
    none.
  clusterIPs: Addresses of the service inside the cluster: at most one each of IPv4 and IPv6, in the order of
    ipFamilies, the first equal to clusterIP. The second can be added and taken away later. Not for ExternalName.
  type: ClusterIP: an address inside the cluster. NodePort: also a port at every node. LoadBalancer: also a load
    balancer of the cloud in front. ExternalName: only a DNS alias for externalName. Default ClusterIP.
  externalIPs: Further addresses at which nodes take traffic for the service. Whoever sets them must see to it that
    such traffic arrives at a node.
  sessionAffinity: None: each connection may go to another pod. ClientIP: those from one client address go to the same
    pod. Default None.
  loadBalancerIP: Deprecated: what it does depends on the cloud, and many ignore it. Asks for a certain address of the
    load balancer.
  loadBalancerSourceRanges: Address ranges, such as 203.0.113.0/24, from which clients may come through the load
    balancer. Clouds that cannot do so ignore it. Only for LoadBalancer.
  externalName: DNS name that the service is an alias for, in lower case. Required for the type ExternalName; no
    traffic is proxied.
  externalTrafficPolicy: For traffic from outside. Cluster: to all endpoints. Local: only to endpoints on the node
    where it arrives, which keeps the client address; dropped if the node has none. Default Cluster. Not for plain
    ClusterIP services.
  healthCheckNodePort: Port at every node that tells load balancers whether the node has endpoints of the service.
    Only for LoadBalancer with externalTrafficPolicy Local; chosen if left out, fixed once set.
  publishNotReadyAddresses: While true, all pods count as ready endpoints, even before they are. Useful when the pods
    of a stateful set must find each other to start up. Default false.
  sessionAffinityConfig: Details of the session affinity. Only with sessionAffinity ClientIP.
  ipFamilies: IPv4, IPv6 or both, in the order wanted. Chosen after ipFamilyPolicy if left out. The second can be
    added or removed later, the first stays. Not for ExternalName.
  ipFamilyPolicy: SingleStack: one address family. PreferDualStack: two where the cluster has two. RequireDualStack:
    two, or the service is refused. Default SingleStack. Not for ExternalName.
  allocateLoadBalancerNodePorts: While false, no node ports are chosen for a LoadBalancer, for clouds that need none.
    Ports asked for by number are given all the same. Default true; only for LoadBalancer.
  loadBalancerClass: Which implementation builds the load balancer, such as example.com/internal. The cloud's own
    leaves such services alone. Only for LoadBalancer; fixed once set.
  internalTrafficPolicy: For traffic to the cluster address. Cluster: to all endpoints. Local: only to endpoints on
    the client's own node; dropped if the node has none. Default Cluster.
  trafficDistribution: A hint where to send traffic first. PreferSameZone: to endpoints in the client's zone.
    PreferSameNode: to those on its node. PreferClose: the older name of PreferSameZone.
ServiceStatus: What is known of a service beyond its spec: its load balancer and conditions.
  loadBalancer: Where the load balancer of the service can be reached. Empty for all other types.
  conditions: Statements about the service, one for each type. Mostly made by the one who builds the load balancer.
SessionAffinityConfig: Details of the session affinity of a service.
  clientIP: Details for the affinity by client address.
TopologySelectorLabelRequirement: One label that a node must bear, with one of some values.
  key: Label key that is looked at, such as that of a zone.
  values: Values of the label that fit. One of them is enough.
TopologySelectorTerm: Chooses nodes by their labels, so that volumes are made only where such nodes are. An empty term
    fits nothing.
  matchLabelExpressions: Labels that must fit, all of them.
`;
