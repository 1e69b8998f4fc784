/** Ingresses, network policies and service addresses, in words. */
export const NETWORKING = `
HTTPIngressPath: Sends requests with a certain path to a backend.
  path: The path to compare with that of the request. It begins with a slash. Required for Exact and Prefix; may be
    left out for ImplementationSpecific.
  pathType: How path is compared. Exact: as a whole, letter by letter. Prefix: by whole parts between slashes, so /foo
    fits /foo/bar but not /foobar. ImplementationSpecific: as the ingress class sees fit.
  backend: Where requests with this path go.
HTTPIngressRuleValue: The paths under one host, each with the backend it leads to.
  paths: The paths and their backends. Where several Prefix paths fit a request, the longest of them wins.
IPAddress: Records that one address is taken, and by what. Its own name is the address in canonical form, as
    10.96.0.10 or fd00:1::a. The API server makes them for services.
IPAddressSpec: Which object holds the address.
  parentRef: The object that holds the address, mostly a service. Cannot be changed later.
IPBlock: A range of addresses, less some ranges inside it.
  cidr: The range in CIDR notation, for IPv4 or IPv6, such as 10.0.0.0/8.
  except: Ranges that are taken out again. Each must lie inside cidr.
Ingress: Leads HTTP traffic from outside to services, by host and path, and can end TLS. It does nothing unless an
    ingress controller serves its class.
IngressBackend: Where requests are sent. Give exactly one of service and resource.
  service: A service and its port. Excludes resource.
  resource: Another object in the namespace of the ingress that stands for a backend, such as a storage bucket.
    Excludes service.
IngressClass: Names a kind of ingress and the controller that serves it. One class may be marked as the default by an
    annotation; new ingresses without a class then get it.
IngressClassParametersReference: Points to an object with settings for the controller of an ingress class.
  apiGroup: API group of the object. Left out for kinds of the core group.
  kind: Kind of the object with the settings.
  name: Name of the object with the settings.
  scope: Cluster for an object without namespace, Namespace for one inside a namespace. Default Cluster.
  namespace: Namespace of the object. Required with scope Namespace, forbidden with Cluster.
IngressClassSpec: Which controller serves the class, and with which settings.
  controller: Name of the controller: a domain, a slash and a path, such as example.com/ingress; 250 characters at
    most. Cannot be changed later.
  parameters: An object with further settings for the controller. Not needed when the controller has none.
IngressLoadBalancerIngress: One address under which an ingress can be reached.
  ip: The address, where the load balancer is reached by IP.
  hostname: The DNS name, where the load balancer is reached by name.
  ports: State of the ports that the load balancer opens at this address.
IngressLoadBalancerStatus: The addresses of the load balancer in front of an ingress.
  ingress: The addresses. Traffic for the ingress has to be sent to one of them.
IngressPortStatus: State of one port of a load balancer.
  port: Number of the port that the load balancer opens.
  protocol: Protocol of the port: TCP, UDP or SCTP.
  error: What is wrong with the port, as a single word in CamelCase; words of a provider carry its domain and a slash
    in front. Missing when all is well.
IngressRule: What happens to requests for one host, or for all hosts.
  host: Name of the host that requests must carry: a full DNS name such as shop.example.com, or one with a star for
    the first label, as *.example.com, which fits one label only. No IP, no port. Without it the rule holds for every
    host.
  http: The paths under this host. Without it, requests go to the default backend; whether only those
    for this host do is left to the controller.
IngressServiceBackend: A service as the goal of requests.
  name: Name of the service, in the namespace of the ingress.
  port: Port of the service, by name or by number. One of the two must be given.
IngressSpec: Which controller serves the ingress, and which requests go where. Give defaultBackend, rules, or both.
  ingressClassName: Name of the ingress class, which says which controller serves this ingress. New ingresses without
    it get the default class, if there is one. Use it instead of the old annotation for the class.
  defaultBackend: Where requests go that fit no rule. Required when there are no rules; otherwise, without it, the
    controller decides.
  tls: Certificates for encrypted traffic, which comes in at port 443. Several entries share the port and are told
    apart by the host name in the TLS handshake, if the controller can do that.
  rules: What to do with requests, host by host. Without rules, or when none fits, the default backend is used.
IngressStatus: Where an ingress can be reached, as its controller reports it.
  loadBalancer: The load balancer in front of the ingress. Empty until one has been set up.
IngressTLS: A certificate and the hosts it is used for.
  hosts: Hosts for which the certificate is used; they should be among its names. Without them, the controller's
    setting for all hosts counts.
  secretName: Name of the secret with certificate and key, in the namespace of the ingress. Without it, traffic can
    still be told apart by the host name in the handshake. When that name and the request header Host differ, the
    header decides where the request goes.
NetworkPolicy: Says which connections the selected pods may take and make. Once a policy restricts a direction for a
    pod, only what some policy allows gets through; before that, everything does. It takes a network that enforces
    policies.
NetworkPolicyEgressRule: Connections that the selected pods may make. Both ports and to have to fit.
  ports: Ports that may be reached at the other end; any entry may fit. Empty or missing: every port.
  to: Ends to which connections may be made; any entry may fit. Empty or missing: all of them.
NetworkPolicyIngressRule: Connections that the selected pods may take. Both ports and from have to fit.
  ports: Ports of the selected pods that may be reached; any entry may fit. Empty or missing: every port.
  from: Ends from which connections may come; any entry may fit. Empty or missing: all of them.
NetworkPolicyPeer: The other end of a connection: pods by their labels, or addresses. Not both.
  podSelector: Labels of the pods. Alone, it looks in the policy's namespace; with namespaceSelector, in the
    namespaces that this selects. Empty: all pods there.
  namespaceSelector: Labels of the namespaces. Alone, it means all pods in them; with podSelector, only those that fit
    both. Empty: all namespaces.
  ipBlock: A range of addresses, mostly outside the cluster. Excludes the two selectors.
NetworkPolicyPort: A port, or a range of ports, of one protocol.
  protocol: TCP, UDP or SCTP. Default TCP.
  port: Number of the port, or its name in the pod. Without it, all ports of the protocol.
  endPort: Last port of a range that begins with port; both ends belong to it. Needs a port given as a number, not
    above endPort.
NetworkPolicySpec: Which pods a policy concerns, in which directions, and what it allows them.
  podSelector: Labels of the pods that the policy concerns, in its own namespace. Empty or missing: all pods there.
    What several policies allow the same pod adds up.
  ingress: What may come in. A connection needs a fitting rule in at least one policy that selects the pod; traffic
    from the pod's own node always passes. With no rules, and Ingress among policyTypes, this policy lets nothing else
    in.
  egress: What may go out. A connection needs a fitting rule in at least one policy that selects the pod. With no
    rules, and Egress among policyTypes, this policy lets nothing out.
  policyTypes: Directions that the policy restricts: Ingress, Egress or both. Default: Ingress, and Egress too when
    there are egress rules. To close the way out altogether, or to leave the way in free, it must be written.
ParentReference: Points to the object that holds an address.
  group: API group of the object; empty for the core group.
  resource: Resource of the object in the plural, such as services.
  namespace: Namespace of the object. Left out for objects that have none.
  name: Name of the object that holds the address.
ServiceBackendPort: Picks a port of a service. Give exactly one of name and number.
  name: Name of the port, as the service calls it. Excludes number.
  number: Number of the port on the service, 1 to 65535. Excludes name.
ServiceCIDR: Ranges from which services get their cluster IPs. Several may exist, so that more addresses can be added
    to a running cluster.
ServiceCIDRSpec: The ranges that a service CIDR adds.
  cidrs: The ranges in CIDR notation: one, or two of which one is IPv4 and the other IPv6. Ranges that are set cannot
    be changed later.
ServiceCIDRStatus: Whether the ranges of a service CIDR can be used.
  conditions: Observations about the ranges. Ready is True while addresses may be taken from them, and False with the
    reason Terminating when they are being removed.
`;
