/** The messages and calls of etcd's v3 API that the store uses, and their shapes. */
import { callOf } from "../../../schema/grpc/call.ts";
import type { Table } from "../../../schema/grpc/wire.ts";

const HEADER: Table = [[3, "revision", "int"]];
const KEY_VALUE: Table = [
  [1, "key", "bytes"],
  [3, "modRevision", "int"],
  [5, "value", "bytes"],
  [6, "lease", "id"],
];
const RANGE: Table = [
  [1, "key", "bytes"],
  [2, "rangeEnd", "bytes"],
  [3, "limit", "int"],
  [4, "revision", "int"],
  [9, "countOnly", "bool"],
];
const RANGE_RESPONSE: Table = [
  [1, "header", HEADER],
  [2, "kvs", KEY_VALUE, "repeated"],
  [3, "more", "bool"],
  [4, "count", "int"],
];
const PUT: Table = [[1, "key", "bytes"], [2, "value", "bytes"], [3, "lease", "id"]];
const DELETE: Table = [[1, "key", "bytes"]];
const DELETE_RESPONSE: Table = [[1, "header", HEADER], [2, "deleted", "int"]];
const COMPARE: Table = [[1, "result", "enum"], [2, "target", "enum"], [3, "key", "bytes"], [6, "modRevision", "int"]];
const REQUEST_OP: Table = [[1, "range", RANGE], [2, "put", PUT], [3, "delete", DELETE]];
const RESPONSE_OP: Table = [[1, "range", RANGE_RESPONSE], [2, "put", [[1, "header", HEADER]]], [
  3,
  "delete",
  DELETE_RESPONSE,
]];
const EVENT: Table = [[1, "type", "enum"], [2, "kv", KEY_VALUE]];

/** `revision` of a response. */
export interface Header {
  readonly revision: number;
}

/** A key as etcd has it. Absent fields are their zero values. */
export interface KeyValue {
  readonly key: Uint8Array;
  readonly value?: Uint8Array;
  readonly modRevision: number;
  readonly lease?: bigint;
}

/** See etcd's RangeRequest. */
export interface RangeRequest {
  readonly key: Uint8Array;
  readonly rangeEnd?: Uint8Array;
  readonly limit?: number;
  readonly revision?: number;
  readonly countOnly?: boolean;
}

/** See etcd's RangeResponse. */
export interface RangeResponse {
  readonly header: Header;
  readonly kvs: readonly KeyValue[];
  readonly more?: boolean;
  readonly count?: number;
}

/** One operation of a transaction. */
export type RequestOp =
  | { readonly range: RangeRequest }
  | { readonly put: { readonly key: Uint8Array; readonly value: Uint8Array; readonly lease?: bigint } }
  | { readonly delete: { readonly key: Uint8Array } };

/** `target` 2: the key's mod revision; `result` 0: equal. */
export interface Compare {
  readonly result: 0;
  readonly target: 2;
  readonly key: Uint8Array;
  readonly modRevision: number;
}

/** See etcd's TxnRequest. */
export interface TxnRequest {
  readonly compare: readonly Compare[];
  readonly success: readonly RequestOp[];
  readonly failure: readonly RequestOp[];
}

/** See etcd's TxnResponse. */
export interface TxnResponse {
  readonly header: Header;
  readonly succeeded?: boolean;
  readonly responses: readonly {
    readonly range?: RangeResponse;
    readonly delete?: { readonly deleted?: number };
  }[];
}

/** One of the two. */
export interface WatchRequest {
  readonly create?: {
    readonly key: Uint8Array;
    readonly rangeEnd: Uint8Array;
    readonly startRevision: number;
    readonly progressNotify: boolean;
    readonly fragment: boolean;
  };
  readonly progress?: Record<string, never>;
}

/** See etcd's WatchResponse; `type` 1 of an event: a deletion. */
export interface WatchResponse {
  readonly header: Header;
  readonly created?: boolean;
  readonly canceled?: boolean;
  readonly compactRevision?: number;
  readonly cancelReason?: string;
  readonly fragment?: boolean;
  readonly events: readonly { readonly type?: number; readonly kv: KeyValue }[];
}

/** See etcd's LeaseGrantResponse. */
export interface LeaseGrantResponse {
  readonly id: bigint;
}

/** See etcd's LeaseTimeToLiveResponse; `ttl` is what is left in seconds, -1 when the lease is gone. */
export interface LeaseTimeToLiveResponse {
  readonly ttl?: number;
}

/** See etcd's StatusResponse. */
export interface StatusResponse {
  readonly version: string;
  readonly dbSize?: number;
}

/** All calls. */
export const RPC = {
  range: callOf<RangeRequest, RangeResponse>("/etcdserverpb.KV/Range", RANGE, RANGE_RESPONSE),
  txn: callOf<TxnRequest, TxnResponse>(
    "/etcdserverpb.KV/Txn",
    [[1, "compare", COMPARE, "repeated"], [2, "success", REQUEST_OP, "repeated"], [
      3,
      "failure",
      REQUEST_OP,
      "repeated",
    ]],
    [[1, "header", HEADER], [2, "succeeded", "bool"], [3, "responses", RESPONSE_OP, "repeated"]],
  ),
  compact: callOf<{ revision: number }, unknown>("/etcdserverpb.KV/Compact", [[1, "revision", "int"]], []),
  watch: callOf<WatchRequest, WatchResponse>(
    "/etcdserverpb.Watch/Watch",
    [
      [1, "create", [
        [1, "key", "bytes"],
        [2, "rangeEnd", "bytes"],
        [3, "startRevision", "int"],
        [4, "progressNotify", "bool"],
        [8, "fragment", "bool"],
      ]],
      [3, "progress", []],
    ],
    [
      [1, "header", HEADER],
      [3, "created", "bool"],
      [4, "canceled", "bool"],
      [5, "compactRevision", "int"],
      [6, "cancelReason", "string"],
      [7, "fragment", "bool"],
      [11, "events", EVENT, "repeated"],
    ],
  ),
  leaseGrant: callOf<{ ttl: number }, LeaseGrantResponse>(
    "/etcdserverpb.Lease/LeaseGrant",
    [[1, "ttl", "int"]],
    [[2, "id", "id"]],
  ),
  leaseTimeToLive: callOf<{ id: bigint }, LeaseTimeToLiveResponse>(
    "/etcdserverpb.Lease/LeaseTimeToLive",
    [[1, "id", "id"]],
    [[3, "ttl", "int"]],
  ),
  status: callOf<Record<string, never>, StatusResponse>(
    "/etcdserverpb.Maintenance/Status",
    [],
    [[2, "version", "string"], [3, "dbSize", "int"]],
  ),
} as const;
