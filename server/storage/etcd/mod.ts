/** The store on etcd. */
export { EtcdBackend, type EtcdOptions, openEtcd } from "./open.ts";
export type { LeaseOptions } from "./leases.ts";
export type { TlsSource } from "./cluster.ts";
export type { Tls } from "./transport.ts";
