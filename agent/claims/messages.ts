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
