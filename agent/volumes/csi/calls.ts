/** Calls of the node's service of CSI drivers (`csi.v1`), as tables of the wire. */
import { type Call, callOf } from "../../../schema/grpc/call.ts";
import type { Table, Words } from "../../../schema/grpc/wire.ts";

/** What a driver may say that its service can do, by number. */
const ABILITIES = [
  "UNKNOWN",
  "STAGE_UNSTAGE_VOLUME",
  "GET_VOLUME_STATS",
  "EXPAND_VOLUME",
  "",
  "SINGLE_NODE_MULTI_WRITER",
  "VOLUME_MOUNT_GROUP",
] as const;
/** See {@linkcode ABILITIES}. */
export type Ability = Exclude<(typeof ABILITIES)[number], "">;

const ACCESS = [
  "UNKNOWN",
  "SINGLE_NODE_WRITER",
  "SINGLE_NODE_READER_ONLY",
  "MULTI_NODE_READER_ONLY",
  "MULTI_NODE_SINGLE_WRITER",
  "MULTI_NODE_MULTI_WRITER",
  "SINGLE_NODE_SINGLE_WRITER",
  "SINGLE_NODE_MULTI_WRITER",
] as const;
/** How a volume is used. */
export type Access = (typeof ACCESS)[number];

const UNITS = ["UNKNOWN", "BYTES", "INODES"] as const;
const words = (words: readonly string[]): Words => ({ words });
const NOTHING: Table = [];

const CAPABILITY: Table = [
  [1, "block", NOTHING],
  [2, "mount", [[1, "fsType", "string"], [2, "mountFlags", "string", "repeated"], [3, "volumeMountGroup", "string"]]],
  [3, "accessMode", [[1, "mode", words(ACCESS)]]],
];
const STAGE: Table = [
  [1, "volumeId", "string"],
  [2, "publishContext", "strings"],
  [3, "stagingTargetPath", "string"],
  [4, "volumeCapability", CAPABILITY],
  [5, "secrets", "strings"],
  [6, "volumeContext", "strings"],
];
const PUBLISH: Table = [
  [1, "volumeId", "string"],
  [2, "publishContext", "strings"],
  [3, "stagingTargetPath", "string"],
  [4, "targetPath", "string"],
  [5, "volumeCapability", CAPABILITY],
  [6, "readonly", "bool"],
  [7, "secrets", "strings"],
  [8, "volumeContext", "strings"],
];
const EXPAND: Table = [
  [1, "volumeId", "string"],
  [2, "volumePath", "string"],
  [3, "capacityRange", [[1, "requiredBytes", "int"]]],
  [4, "stagingTargetPath", "string"],
  [5, "volumeCapability", CAPABILITY],
  [6, "secrets", "strings"],
];
const INFO: Table = [
  [1, "nodeId", "string"],
  [2, "maxVolumesPerNode", "int"],
  [3, "accessibleTopology", [[1, "segments", "strings"]]],
];
const ABLE: Table = [[1, "capabilities", [[1, "rpc", [[1, "type", words(ABILITIES)]]]], "repeated"]];
const USAGE: Table = [[
  1,
  "usage",
  [[1, "available", "int"], [2, "total", "int"], [3, "used", "int"], [4, "unit", words(UNITS)]],
  "repeated",
]];

type Strings = Readonly<Record<string, string>>;
type Nothing = Readonly<Record<string, never>>;

/** How a volume is wanted: as a disk, or with its files. */
export interface Capability {
  readonly block?: Nothing;
  readonly mount?: {
    readonly fsType: string;
    readonly mountFlags: readonly string[];
    readonly volumeMountGroup?: string | undefined;
  };
  readonly accessMode: { readonly mode: Access };
}

/** What staging is told. */
interface StageRequest {
  readonly volumeId: string;
  readonly publishContext: Strings;
  readonly stagingTargetPath: string;
  readonly volumeCapability: Capability;
  readonly secrets: Strings;
  readonly volumeContext: Strings;
}

/** What publishing is told. */
interface PublishRequest extends Omit<StageRequest, "stagingTargetPath"> {
  readonly stagingTargetPath: string | undefined;
  readonly targetPath: string;
  readonly readonly: boolean;
}

/** What growing is told. */
interface ExpandRequest {
  readonly volumeId: string;
  readonly volumePath: string;
  readonly capacityRange: { readonly requiredBytes: number };
  readonly stagingTargetPath: string | undefined;
  readonly volumeCapability: Capability;
  readonly secrets: Strings;
}

/** What a driver says of the node. */
export interface NodeInfo {
  readonly nodeId: string;
  /** 0: it does not say. */
  readonly maxVolumesPerNode: number;
  readonly accessibleTopology?: { readonly segments: Strings };
}

/** How full a volume is, in one unit. */
export interface Usage {
  readonly available: number;
  readonly total: number;
  readonly used: number;
  readonly unit: (typeof UNITS)[number];
}

function call<Q extends object, R>(name: string, request: Table, response: Table = NOTHING): Call<Q, R> {
  return callOf(`/csi.v1.Node/${name}`, request, response, "zero");
}

const one = (name: string): Table => [[1, "volumeId", "string"], [2, name, "string"]];

/** By what they do. */
export const CALLS = {
  info: call<Nothing, NodeInfo>("NodeGetInfo", NOTHING, INFO),
  abilities: call<Nothing, { readonly capabilities: readonly { readonly rpc?: { readonly type: Ability } }[] }>(
    "NodeGetCapabilities",
    NOTHING,
    ABLE,
  ),
  stage: call<StageRequest, Nothing>("NodeStageVolume", STAGE),
  unstage: call<{ readonly volumeId: string; readonly stagingTargetPath: string }, Nothing>(
    "NodeUnstageVolume",
    one("stagingTargetPath"),
  ),
  publish: call<PublishRequest, Nothing>("NodePublishVolume", PUBLISH),
  unpublish: call<{ readonly volumeId: string; readonly targetPath: string }, Nothing>(
    "NodeUnpublishVolume",
    one("targetPath"),
  ),
  stats: call<
    { readonly volumeId: string; readonly volumePath: string },
    { readonly usage: readonly Usage[] }
  >("NodeGetVolumeStats", one("volumePath"), USAGE),
  expand: call<ExpandRequest, { readonly capacityBytes: number }>("NodeExpandVolume", EXPAND, [
    [1, "capacityBytes", "int"],
  ]),
};
