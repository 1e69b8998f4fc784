/** Calls of drivers of dynamic resources. */
import { type Call, callOf } from "../../schema/grpc/call.ts";
import type { Table } from "../../schema/grpc/wire.ts";

/** A claim as drivers know it. */
export interface ClaimRef {
  readonly namespace: string;
  readonly uid: string;
  readonly name: string;
}

/** A device that is ready for containers. */
export interface PreparedDevice {
  /** Of the claim; empty: any. */
  readonly requestNames: readonly string[];
  readonly poolName: string;
  readonly deviceName: string;
  readonly cdiDeviceIds: readonly string[];
  /** Empty: it is not shared. */
  readonly shareId: string;
}

/** What became of claims, by uid; `error` is empty where all is well. */
export interface Results<T> {
  readonly claims: readonly { readonly key: string; readonly value?: T & { readonly error: string } }[];
}

interface Claims {
  readonly claims: readonly ClaimRef[];
}

/** Versions of the service, as drivers name them. */
export const SERVICES = ["v1.DRAPlugin", "v1beta1.DRAPlugin"] as const;
/** One of them. */
export type Service = (typeof SERVICES)[number];

const DEVICE: Table = [
  [1, "requestNames", "string", "repeated"],
  [2, "poolName", "string"],
  [3, "deviceName", "string"],
  [4, "cdiDeviceIds", "string", "repeated"],
  [5, "shareId", "string"],
];
const CLAIMS: Table = [[
  1,
  "claims",
  [[1, "namespace", "string"], [2, "uid", "string"], [3, "name", "string"]],
  "repeated",
]];
const resultsOf = (value: Table): Table => [[1, "claims", [[1, "key", "string"], [2, "value", value]], "repeated"]];

const call = <R>(service: Service, name: string, value: Table): Call<Claims, R> =>
  callOf(`/k8s.io.kubelet.pkg.apis.dra.${service}/${name}`, CLAIMS, resultsOf(value), "zero");

/** Makes devices of claims ready. */
export const prepareCall = (service: Service): Call<Claims, Results<{ readonly devices: readonly PreparedDevice[] }>> =>
  call(service, "NodePrepareResources", [[1, "devices", DEVICE, "repeated"], [2, "error", "string"]]);
/** Takes them back. */
export const unprepareCall = (service: Service): Call<Claims, Results<object>> =>
  call(service, "NodeUnprepareResources", [[1, "error", "string"]]);

/** How a device is, as its driver tells. */
export interface ToldHealth {
  readonly device?: Pick<PreparedDevice, "poolName" | "deviceName">;
  readonly health: (typeof HEALTH)[number];
  /** How long that holds; not positive: it does not say. */
  readonly timeoutSeconds: number;
  readonly message: string;
}

/** By number. */
const HEALTH = ["Unknown", "Healthy", "Unhealthy"] as const;
/** Versions of the service that tells of health, as drivers name them. */
export const HEALTH_SERVICES = ["v1.DRAResourceHealth", "v1alpha1.DRAResourceHealth"] as const;

const TOLD_HEALTH: Table = [
  [1, "device", [[1, "poolName", "string"], [2, "deviceName", "string"]]],
  [2, "health", { words: HEALTH }],
  [4, "timeoutSeconds", "int"],
  [5, "message", "string"],
];

/** Tells how devices are, and again whenever that changes. */
export const watchCall = (
  service: (typeof HEALTH_SERVICES)[number],
): Call<object, { readonly devices: readonly ToldHealth[] }> =>
  callOf(`/${service}/NodeWatchResources`, [], [[1, "devices", TOLD_HEALTH, "repeated"]], "zero");
