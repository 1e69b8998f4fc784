/** Endpoint slices, in words. */
export const DISCOVERY = `
Endpoint: One backend of a service, most often a pod.
  addresses: Addresses of the backend, of the slice's addressType; 1 to 100. Only the first one is used. Loopback,
    link-local and unspecified addresses are refused.
  conditions: Whether the backend can take traffic.
  hostname: Host name under which the backend can be told apart in DNS; a lower-case DNS label. Backends of the same
    host name count as interchangeable.
  targetRef: The object behind the endpoint, such as a pod.
  deprecatedTopology: Location labels left over from an old API version. What is written here is ignored; use nodeName
    and zone.
  nodeName: Name of the node on which the backend runs. Serves to keep traffic on its own node.
  zone: Name of the zone in which the backend runs.
  hints: From which zones or nodes traffic should come to this endpoint.
EndpointConditions: Whether an endpoint takes traffic.
  ready: True when new traffic should go there; unset counts as true. Normally serving and not terminating, but always
    true when the service has publishNotReadyAddresses set.
  serving: True when it can answer, even while it is shutting down; unset counts as true. For a pod it is the condition
    Ready.
  terminating: True when the backend is shutting down. Unset counts as false.
EndpointHints: From where an endpoint should be used, so that traffic stays near.
  forZones: Zones whose clients should use this endpoint, at most 8. Ignored unless every ready endpoint of the service
    has such a hint.
  forNodes: Nodes whose clients should use this endpoint, at most 8. Ignored unless every ready endpoint of the service
    has such a hint.
EndpointPort: One port that all endpoints of a slice offer.
  name: Name of the port, the same as in the service; a lower-case DNS label of at most 63 characters, or empty. Each
    name stands once in a slice. Default empty.
  protocol: TCP, UDP or SCTP. Default TCP.
  port: Port number on the backend. The service proxy skips an entry without it.
  appProtocol: Protocol spoken on the port, as a hint: a registered service name such as https, or a name with a domain
    prefix.
EndpointSlice: Some of the backends of a service. A service may have several slices; together they are its endpoints.
    A label on the slice holds the name of the service, and a controller keeps the slices for services with a selector.
  addressType: Kind of address in this slice: IPv4, IPv6 or FQDN. Cannot be changed. FQDN is deprecated and the service
    proxy ignores it.
  endpoints: The backends in this slice, at most 1000.
  ports: Ports that each backend in this slice offers, all of different names.
ForNode: Names a node from which an endpoint should be used.
  name: Name of the node. It may stand only once in the list.
ForZone: Names a zone from which an endpoint should be used.
  name: Name of the zone, as in the zone label of its nodes. It may stand only once in the list.
`;
