/** Contracts of the watch cache: what the registry gives per resource, and what endpoints get. */
import type { Obj } from "../../schema/model/types.ts";
import type { StatusError } from "../../schema/status.ts";

export type { Obj } from "../../schema/model/types.ts";

/** A wire form of an object: which version, which encoding, whole or metadata only. */
export interface Form {
  /** Names the form: `v1/json`, `v1/protobuf`, `v1/json;meta`. Forms with equal keys are the same form. */
  readonly key: string;
  readonly version: string;
  readonly media: "json" | "protobuf" | "cbor" | "yaml";
  readonly as: "object" | "metadata";
}

/** What selectors look at. Maps may be shared between entries: never mutate them. */
export interface Facts {
  readonly uid: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Selectable fields beyond `metadata.name` and `metadata.namespace`, by path: `spec.nodeName`. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** How stored bytes of a resource become objects and forms. Pure; called again whenever bytes were dropped. */
export interface EntryCodec {
  /** Canonical object of the storage version, `metadata.resourceVersion` set. A fresh one each call. @throws on damage */
  decode(stored: Uint8Array, revision: number): Obj;
  /**
   * A decoded object in a form: JSON without a newline at its end, Protobuf as the bare message. The object is not kept
   * and must not be mutated.
   */
  encode(obj: Obj, form: Form): Uint8Array;
  /** Facts of an object. */
  facts(obj: Obj): Facts;
}

/** `note` of a change made by this process: spares the cache the decoding of what was just encoded. */
export interface WriteNote {
  /** The object as written. Only read during the commit's delivery; `metadata.resourceVersion` may be missing. */
  readonly object?: Obj;
  /** Bytes in a form that the writer can make cheaply once the revision is known. */
  readonly json?: { readonly form: Form; make(revision: number): Uint8Array };
}

/** One version of one object. Immutable to its users. */
export interface Entry {
  /** Below the resource's prefix: `namespace/name`, or `name`. */
  readonly key: string;
  /** Empty for what has no namespace. */
  readonly namespace: string;
  readonly name: string;
  /** The `resourceVersion` that the entry shows. */
  readonly revision: number;
  /** Empty for an object that cannot be decoded. */
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
  /** Bytes as stored, and their number. */
  readonly stored: Uint8Array;
  readonly size: number;
  /** Why the stored bytes could not be decoded, once that was tried. */
  readonly error: StatusError | undefined;
  /**
   * The object in a form: made on first demand, kept beside within a byte budget. Never mutate.
   * @param passing asked for by its writer or by watchers as it came: the form need not be kept for that
   * @throws {@linkcode error}
   */
  bytes(form: Form, passing?: boolean): Uint8Array;
  /** The same, but what has to be made for it is not kept. @throws {@linkcode error} */
  made(form: Form): Uint8Array;
  /** A fresh object, the caller's own. @throws {@linkcode error} */
  object(): Obj;
  /** The object, shared by all who ask while somebody holds it. Never mutate. @throws {@linkcode error} */
  peek(): Obj;
  /** The same; undefined for one that cannot be decoded. */
  readable(): Obj | undefined;
}

/** Which entries of a snapshot to visit. All given parts must hold. */
export interface RangeQuery {
  readonly namespace?: string;
  /** Only keys after this one (exclusive; an entry's `key`). */
  readonly after?: string;
  /** Only keys that start so. */
  readonly prefix?: string;
  /** Only entries with this value in a field; fast for the resource's `indexFields`. */
  readonly field?: FieldMatch;
  /** Leaves out entries without this label where an index tells them: who asks tests the others all the same. */
  readonly label?: FieldMatch;
}

/** A field or label that must have a value. */
export interface FieldMatch {
  readonly name: string;
  readonly value: string;
}

/** All entries of a resource as of a revision. Immutable, O(1) to take. */
export interface Snapshot {
  readonly revision: number;
  readonly size: number;
  /** Entries of a namespace, or all: O(log n). */
  count(namespace?: string): number;
  /** Entries after a key, of a namespace or all: O(log n). */
  countAfter(after: string, namespace?: string): number;
  get(namespace: string, name: string): Entry | undefined;
  /** Entries in key order (UTF-8 bytes). Costs O(log n) and what is visited. */
  range(query?: RangeQuery): Iterable<Entry>;
}

/** What a watcher sees. A DELETED entry is the last state, with the deletion's revision as its own. */
export type WatchEvent =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly revision: number; readonly entry: Entry }
  | {
    readonly type: "BOOKMARK";
    readonly revision: number;
    readonly entry?: undefined;
    /** Closes the initial events. */
    readonly initialEnd?: boolean;
  };

/** Why a watch ended before its client wanted. */
export class WatchEnded extends Error {
  override readonly name = "WatchEnded";
  /**
   * `too-slow`: its position fell out of the history (the client resumes or lists again). `not-ready`: the cache lost its
   * log. `closed`: the resource was removed, or the cacher stopped. `failed`: the watch's own selection threw.
   */
  constructor(readonly reason: "too-slow" | "not-ready" | "closed" | "failed", message: string) {
    super(message);
  }
}

/** Events in order. `events` may be shared by many watchers: never mutate. After a batch with an error comes nothing. */
export interface WatchBatch {
  readonly events: readonly WatchEvent[];
  readonly error?: WatchEnded;
}

/** What to watch, from where. */
export interface WatchOptions {
  /**
   * A revision: events after it. A snapshot of the same cache: ADDED for each selected entry of it, then events after its
   * revision. A revision beyond the cache's: events after that, once it is reached.
   */
  readonly since: number | { readonly initial: Snapshot };
  readonly namespace?: string;
  readonly name?: string;
  /** Narrows by a field, by index. Part of the selection like {@linkcode matches}. */
  readonly field?: FieldMatch;
  /** Which entries are selected. Pure; depends on labels, fields, uid, namespace and name only. */
  readonly matches?: (entry: Entry) => boolean;
  /** Names {@linkcode matches}: watchers with the same name share filtered events and their bytes. */
  readonly group?: string;
  /** With `initial`: a bookmark with `initialEnd` after the initial events. */
  readonly initialEnd?: boolean;
  /** A bookmark about every so often (ms), and about two seconds before the watch has lasted so long (ms). */
  readonly bookmarks?: { readonly everyMs: number; readonly lifeMs?: number };
  /** Estimated bytes of one batch, at most (but always one event). */
  readonly maxBufferedBytes?: number;
  /** Ends the watch. */
  readonly signal?: AbortSignal;
  /**
   * Told at once when the watch ends by itself, with what the last batch tells too: for streams whose client reads too
   * slowly to ever ask for that batch.
   */
  readonly onEnded?: (error: WatchEnded) => void;
}

/** One watch. */
export interface Watcher {
  /** The next events; undefined when the watch is over. One call at a time. */
  next(): Promise<WatchBatch | undefined>;
  /** Frees what the watch holds. */
  close(): void;
}

/** How an event is framed on the wire. Framings with equal keys frame equally. */
export interface Framing {
  readonly key: string;
  /** The event's wire parts, to be joined. Take the object's bytes by `event.entry.bytes(form, true)`. */
  parts(event: WatchEvent, form: Form): readonly Uint8Array[];
}

/** The cache cannot answer now: it is being loaded, or its log broke. The client tries again later. */
export class CacheNotReady extends Error {
  override readonly name = "CacheNotReady";
  constructor(readonly id: string) {
    super(`the watch cache of ${id} is not ready`);
  }
}
