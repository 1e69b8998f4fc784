/** Messages and calls of device plugins, `v1beta1`. */
import { type Call, callOf } from "../../schema/grpc/call.ts";
import type { Table } from "../../schema/grpc/wire.ts";
import type { Strings } from "../runtime/types.ts";

/** The version of the protocol. */
export const VERSION = "v1beta1";
/** The state of a device that can be given. */
export const HEALTHY = "Healthy";

/** What a plugin wants to be asked. */
export interface PluginOptions {
  readonly preStartRequired: boolean;
  readonly preferredAllocationAvailable: boolean;
}

/** How a plugin makes itself known. */
export interface RegisterRequest {
  readonly version: string;
  /** The name of its socket. */
  readonly endpoint: string;
  readonly resourceName: string;
}

/** A device as its plugin tells of it. */
export interface ToldDevice {
  readonly id: string;
  readonly health: string;
  readonly topology?: { readonly nodes: readonly { readonly id: number }[] };
}

/** What a container gets with its devices of one resource. */
export interface Allocation {
  readonly envs: Strings;
  readonly mounts: readonly { readonly containerPath: string; readonly hostPath: string; readonly readOnly: boolean }[];
  readonly devices: readonly {
    readonly containerPath: string;
    readonly hostPath: string;
    readonly permissions: string;
  }[];
  readonly annotations: Strings;
  readonly cdiDevices: readonly { readonly name: string }[];
}

const OPTIONS: Table = [[1, "preStartRequired", "bool"], [2, "preferredAllocationAvailable", "bool"]];
const EMPTY: Table = [];

/** Of the registration. */
export const REGISTER: Table = [
  [1, "version", "string"],
  [2, "endpoint", "string"],
  [3, "resourceName", "string"],
];

const DEVICE: Table = [
  [1, "id", "string"],
  [2, "health", "string"],
  [3, "topology", [[1, "nodes", [[1, "id", "int"]], "repeated"]]],
];

/** As it is kept, too. */
export const ALLOCATION: Table = [
  [1, "envs", "strings"],
  [
    2,
    "mounts",
    [[1, "containerPath", "string"], [2, "hostPath", "string"], [3, "readOnly", "bool"]],
    "repeated",
  ],
  [
    3,
    "devices",
    [[1, "containerPath", "string"], [2, "hostPath", "string"], [3, "permissions", "string"]],
    "repeated",
  ],
  [4, "annotations", "strings"],
  [5, "cdiDevices", [[1, "name", "string"]], "repeated"],
];

const IDS: Table = [[1, "ids", "string", "repeated"]];
const PREFERENCE: Table = [
  [1, "available", "string", "repeated"],
  [2, "mustInclude", "string", "repeated"],
  [3, "size", "int"],
];
const of = (table: Table): Table => [[1, "containers", table, "repeated"]];

interface Ids {
  readonly ids: readonly string[];
}
/** Of a request or an answer: one for each container that is meant. */
interface Of<T> {
  readonly containers: readonly T[];
}
/** What a plugin may choose from, what is chosen already, and how many there are to be with that. */
export interface Preference {
  readonly available: readonly string[];
  readonly mustInclude: readonly string[];
  readonly size: number;
}

const call = <Q extends object, R>(name: string, request: Table, response: Table): Call<Q, R> =>
  callOf(`/v1beta1.DevicePlugin/${name}`, request, response, "zero");

/** Of a plugin. */
export const CALLS = {
  options: call<object, PluginOptions>("GetDevicePluginOptions", EMPTY, OPTIONS),
  listAndWatch: call<object, { readonly devices: readonly ToldDevice[] }>("ListAndWatch", EMPTY, [
    [1, "devices", DEVICE, "repeated"],
  ]),
  preferredAllocation: call<Of<Preference>, Of<Ids>>("GetPreferredAllocation", of(PREFERENCE), of(IDS)),
  allocate: call<Of<Ids>, Of<Allocation>>("Allocate", of(IDS), of(ALLOCATION)),
  preStartContainer: call<Ids, object>("PreStartContainer", IDS, EMPTY),
} as const;
