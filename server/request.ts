/** What travels with one request, built once and passed explicitly. */
import type { Duplex } from "node:stream";
import type { Json, Kind, Obj } from "../schema/model/types.ts";
import type { Status, StatusError } from "../schema/status.ts";
import type { ServedResource } from "./catalog/types.ts";
import type { RequestHeaders } from "./request_headers.ts";
import type { Span } from "../schema/tracing/span.ts";

/** Who asks. Extra keys are lower-case. */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The connection that a request came by; made by the listener, the same object for all requests of a connection. */
export interface Connection {
  readonly remoteAddress: string;
  /** Client certificates as DER, leaf first; empty without. Not verified against any authority yet. */
  readonly peerCertificates: readonly Uint8Array[];
  readonly tls: boolean;
  /**
   * Makes a WebSocket of a request of this connection; the answer must be returned as it is, no header of it can be changed.
   * Absent where the listener cannot. @throws TypeError when the request asks for no WebSocket
   */
  upgrade?(request: Request, protocol: string | undefined): Upgraded;
  /**
   * Gives the connection away, from inside its only request: the client is sent `head` and `first`, then what comes by `other`, and
   * `other` what the client sends. No answer of the request is sent. False: it cannot be, nothing was done. Absent where the
   * listener cannot.
   */
  tunnel?(other: Duplex, head: Uint8Array, first: Uint8Array): boolean;
}

/** A request that became a WebSocket. */
export interface Upgraded {
  readonly response: Response;
  readonly socket: WebSocket;
}

/** What a request asks for, from its method, path and query alone. */
export interface RequestInfo {
  readonly path: string;
  readonly verb: string;
  readonly isResource: boolean;
  /** Group as in the path, empty for core. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  /** What follows the subresource (`proxy` paths). */
  readonly rest: string;
  readonly namespace: string;
  /** The resource stands below a namespace. A namespace itself does not, though `namespace` is its name. */
  readonly within: boolean;
  readonly name: string;
  /** The name is not of the path: it is the one that a field selector pins down. */
  readonly selected: boolean;
  /** `/watch/` path of old. */
  readonly deprecatedWatch: boolean;
}

/** What a wait can be ended by; for signals that are made on first use. */
export interface Cancellable {
  readonly signal: AbortSignal;
}

/** The signal itself: asked for where a wait begins. */
export const signalOf = (source: AbortSignal | Cancellable | undefined): AbortSignal | undefined =>
  source === undefined || "aborted" in source ? source : source.signal;

/** Bounds what a connection's long-running answers send. */
export interface Pacer {
  /** Resolves when so many bytes may be sent, or the signal aborts. */
  take(bytes: number, signal?: AbortSignal): Promise<void>;
}

/** What those who work on a request tell its audit event. */
export interface AuditNotes {
  /** The event has the answered object: {@linkcode AuditNotes.answered} is to be called. */
  readonly wantsAnswer: boolean;
  /** What the client sent, before anything but defaults was done to it. */
  sent(kind: Kind, obj: Obj): void;
  /** A patch, parsed when that is asked for; one that cannot be parsed is left out. */
  patched(parse: () => Json): void;
  /** The answer is a Status. */
  status(status: Status): void;
  /** The answer in JSON. */
  answered(json: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>): void;
  /** The request is done as somebody else. `constraint`: the verb of constrained impersonation. */
  became(user: User, constraint?: string): void;
  /** A note that stands as it was first made. */
  note(key: string, value: string): void;
  /** Authorization decided; `allowed` undefined: an authorizer failed. */
  decided(allowed: boolean | undefined, reason: string): void;
}

/** What is counted of requests, as those tell it who work on them. */
export interface Tally {
  /** So many bytes were sent of an answer whose length was not known when its head was there. */
  sent(scope: RequestScope, bytes: number): void;
  /** It was ended in self-defence: not let in, or over its time. */
  terminated(scope: RequestScope, code: number): void;
  /** It waits in a queue from now on, or does no more. */
  waiting(scope: RequestScope, waits: boolean): void;
  /** It asks for what is on its way out. `removedRelease`: `1.40`, or empty. */
  deprecated(scope: RequestScope, served: ServedResource, removedRelease: string): void;
  /** A watch was sent all objects of before, so many ms after it came. */
  listed(scope: RequestScope, ms: number): void;
  /** A list has read what it gives. */
  read(served: ServedResource, read: ListRead): void;
  /** What hears of a resource's events. */
  events(served: ServedResource): EventTally;
}

/** What one list, or one part of it, has read. */
export interface ListRead {
  /** Where: a store goes by the name of etcd, whichever it is. */
  readonly storage: "watchcache" | "etcd";
  /** What it was found by in the cache: `f:` and a field, or empty. */
  readonly index: string;
  /** Objects gone through. */
  readonly fetched: number;
  readonly returned: number;
  /** How long it took. */
  readonly ms: number;
}

/** Hears of what the watches of a resource are sent. */
export interface EventTally {
  /** The bytes of events, and how long each is where they are more than one. */
  sent(bytes: Uint8Array, lengths?: readonly number[]): void;
}

/** The scope of one request. */
export interface RequestScope {
  readonly request: Request;
  /** Made on first use. */
  readonly url: URL;
  /** Of the address. Not to be changed. */
  readonly query: URLSearchParams;
  readonly headers: RequestHeaders;
  readonly info: RequestInfo;
  readonly connection: Connection;
  readonly auditId: string;
  /** Set by authentication. */
  user: User;
  /** Set by routing, for resource requests. */
  served?: ServedResource;
  /** Aborts when the client goes, or the request's time is over. Made on first use: that costs as much as a small answer. */
  readonly signal: AbortSignal;
  /** Aborts {@linkcode signal} from this side. */
  cancel?(): void;
  /** Its time is over: what the client was told, whatever comes of the work on it. */
  timedOut?: StatusError;
  /** When the request came, ms since the epoch. */
  readonly startedAt: number;
  /** What time it has, ms; absent: as much as it likes. */
  limitMs?: number;
  /** The request has become a WebSocket: {@linkcode signal} no longer ends with its answer, {@linkcode cancel} ends it. */
  upgraded?: boolean;
  /** Whether the answer goes on when its head is there, until {@link signal} tells of its end. Absent: as its verb says. */
  streams?: boolean;
  /** What the connection may send; set for long-running requests where the server bounds that. */
  pace?: Pacer;
  /** Headers of the answer, whatever it says, by lower-case names. */
  readonly head: Record<string, string>;
  /** The response that was made with {@linkcode head} on it. */
  answered?: Response;
  /** Texts for `Warning` headers, each once. */
  readonly warnings: Set<string>;
  /** There are some. */
  readonly warned: boolean;
  /** Hears what is counted of the request; absent where nothing is. */
  readonly tally?: Tally | undefined;
  /** Bytes of the answer's body, where they are known with its head. */
  size?: number;
  /** Bytes of the request's body, once it is read. */
  bodySize?: number;
  /** Time that went by while others worked: in a queue, or at admission webhooks, ms. */
  waitedMs?: number;
  /** Set when the request is recorded. */
  audit?: AuditNotes;
  /** Set when requests are traced: what is being done. */
  span?: Span;
  /** Notes for the audit event. */
  readonly auditAnnotations: Map<string, string>;
}

export type { ServedResource };
