/** Addresses by which servers of a cluster reach each other, and the name that each goes by. */
import { type HostPort, hostPort } from "../../schema/values/host_port.ts";

/** Annotation of an identity lease: where peers reach that server. A public name. */
export const ADVERTISED = "kubernetes.io/peer-advertise-address";

/** Label of identity leases, and its value. Public names. */
export const IDENTITY = ["apiserver.kubernetes.io/identity", "kube-apiserver"] as const;

/** Where peers reach this server: what the options say where they say both, else the address that clients reach it by. */
export const advertisedTo = (
  { peerAdvertiseIp, peerAdvertisePort }: { readonly peerAdvertiseIp: string; readonly peerAdvertisePort: string },
  { host, port }: HostPort,
): string =>
  peerAdvertiseIp !== "" && peerAdvertisePort !== ""
    ? hostPort(peerAdvertiseIp, peerAdvertisePort)
    : hostPort(host, port);
