/** etcd's errors as the store's. */
import { StorageError } from "../backend.ts";
import { GrpcError, type StatusName } from "../../../schema/grpc/status.ts";

/** What to do about a failed call. */
export interface Verdict {
  readonly kind: StorageError["kind"] | "compacted" | "future" | "no lease" | "cancelled";
  /** Nothing was done, or could have been. */
  readonly undone: boolean;
  /** Another endpoint may do better. */
  readonly again: boolean;
}

const FINAL = { undone: true, again: false };
const LATER = { undone: true, again: true };

/** By the words of etcd, which are part of its API. */
const BY_TEXT: readonly (readonly [RegExp, Verdict])[] = [
  [/required revision has been compacted/, { kind: "compacted", ...FINAL }],
  [/required revision is a future revision/, { kind: "future", ...FINAL }],
  [/requested lease not found/, { kind: "no lease", ...FINAL }],
  [/request is too large|too many operations|message larger than max/, { kind: "too-large", ...FINAL }],
  [/database space exceeded/, { kind: "full", ...FINAL }],
  [/data inconsistency|corrupt/, { kind: "corrupt", ...FINAL }],
  // Somebody changed users or roles between a member's two looks at them.
  [/too many requests|no leader|not capable|No connection established|revision of auth store is old/, {
    kind: "unavailable",
    ...LATER,
  }],
  [/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|Name resolution failed/, {
    kind: "unavailable",
    ...LATER,
  }],
];

const BY_STATUS: ReadonlyMap<StatusName, Verdict> = new Map<StatusName, Verdict>([
  ["PermissionDenied", { kind: "unavailable", ...FINAL }],
  ["Unauthenticated", { kind: "unavailable", ...FINAL }],
  ["InvalidArgument", { kind: "unavailable", ...FINAL }],
  ["Canceled", { kind: "cancelled", undone: false, again: false }],
]);

/** Reads an error of a call. Those not known may have been carried out. */
export function judge(error: unknown): Verdict {
  if (!(error instanceof GrpcError)) return { kind: "unavailable", ...FINAL };
  const row = BY_TEXT.find(([pattern]) => pattern.test(error.message));
  return row?.[1] ?? BY_STATUS.get(error.status) ?? { kind: "unavailable", undone: false, again: true };
}

/** etcd says so of who has no right to a key. */
export const DENIED = /permission denied/;

/** An error for the caller. @param span the keys of the store in words: told to who has no right to them */
export function storageError(error: unknown, doing: string, span?: string): StorageError {
  if (error instanceof StorageError) return error;
  const { kind } = judge(error);
  const known = kind === "compacted" || kind === "future" || kind === "no lease" || kind === "cancelled";
  const text = error instanceof Error ? error.message : String(error);
  const lacks = span !== undefined && DENIED.test(text)
    ? `: its user has to have the right to read and write all keys from ${span}, as one range`
    : "";
  return new StorageError(known ? "unavailable" : kind, `${doing}: etcd: ${text}${lacks}`, { cause: error });
}
