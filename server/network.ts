/** Networks that the server's connections go to, and by which their ways are selected (`--egress-selector-config-file`). */

/** `controlplane`: beside the server. `etcd`: the store. `cluster`: nodes, pods and services. */
export type Network = "controlplane" | "etcd" | "cluster";

/** All of them. */
export const NETWORKS: readonly Network[] = ["cluster", "controlplane", "etcd"];
