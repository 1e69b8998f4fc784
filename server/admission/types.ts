/** The contract of admission plugins (specification, "Request processing options"). */
import type { JsonMap, Obj } from "../../schema/model/types.ts";
import type { Product } from "../../schema/product.ts";
import type { User } from "../request.ts";
import type { Resource } from "../catalog/types.ts";
import type { Authorizer } from "../authorization/types.ts";
import type { KindTools } from "./kinds.ts";
import type { Reinvocation } from "./reinvocation.ts";
import type { TraceHeaders } from "../../schema/tracing/context.ts";
import type { Span } from "../../schema/tracing/span.ts";
import type { AdmissionCounts } from "./counts.ts";
import type { HookDeps } from "./webhooks/deps.ts";
import type { Reloading } from "../reloaded.ts";

/** What admission is about. */
export type Operation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** One request before admission. Plugins of the mutating phase change `object` in place. */
export interface Attributes {
  readonly operation: Operation;
  readonly resource: Resource;
  /** Version in which the request came. */
  readonly version: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  readonly namespace: string;
  /** Empty on create by `generateName` and on deletecollection. */
  readonly name: string;
  /**
   * The new object in the storage version's shape (of subresources with their own kind: that kind). Undefined on DELETE.
   */
  readonly object: Obj | undefined;
  /** The object as it stands. Undefined on CREATE. */
  readonly oldObject: Obj | undefined;
  /** Options of the request; those of a deletion may have a type. */
  readonly options: JsonMap;
  readonly user: User;
  readonly dryRun: boolean;
  /** A `Warning` header for the client. */
  warn(text: string): void;
  /** An audit annotation, such as `pod-security.kubernetes.io/enforce-policy`. */
  annotate(key: string, value: string): void;
  readonly signal: AbortSignal;
  /** When the request's time is over, ms since the epoch. Absent: it has as much as it likes. */
  readonly endsAt?: number | undefined;
  /** What the request's work is told to, where requests are traced. */
  readonly span?: Span | undefined;
  /** Others worked on the request for so many ms. */
  waited?(ms: number): void;
  /** Headers of calls for a request that is not traced. */
  traceHeaders?(): TraceHeaders;
  /** Notes what each plugin does (`explain=admission`). Absent on almost every request. */
  readonly recorder?: AdmissionRecorder | undefined;
  /** Rounds of the mutating phase; begun by the first plugin that may call for a second one. */
  reinvocation?: Reinvocation;
}

/** Hears of every step of the chain. */
export interface AdmissionRecorder {
  /** Before a plugin runs; the function that it returns is called after, with what the plugin threw. */
  step(plugin: string, phase: "admit" | "validate", a: Attributes): (refusal: unknown) => void;
}

/** Read access to other objects, from the watch cache. Objects are shared: never change them. */
export interface Lister {
  get(resourceId: string, namespace: string, name: string): Obj | undefined;
  /**
   * Those that can be read. @throws StatusError 500 for one that cannot, where it is to be whole, or where others go by it and
   * nobody knows what it says
   */
  list(resourceId: string, namespace?: string, how?: { readonly whole: true }): readonly Obj[];
  /** A number that moves with every change of the resource's objects: what was derived from them is stale then. */
  changes?(resourceId: string): number;
}

/** A write of the server's own: through which door, and whose the fields are that it sets. */
export interface OwnWrite {
  readonly subresource?: string;
  /** Public name of the manager. Default: the server's. */
  readonly manager?: string;
  /** Where it is an apply: what is applied, which is all that differs in the object that is to be. */
  readonly applied?: (next: Obj) => JsonMap;
}

/** Consistent access to the store, for what must be exact (quota charges, live namespace look-ups). */
export interface LiveStore {
  /** The object as it is now, the caller's own. */
  get(resourceId: string, namespace: string, name: string): Promise<Obj | undefined>;
  /** Creates an object as the server itself, without admission. @throws StatusError */
  create(resourceId: string, obj: Obj, write?: OwnWrite): Promise<Obj>;
  /** Read, change, write back, again on conflict. `change` returns undefined to leave it. @throws StatusError */
  update(
    resourceId: string,
    namespace: string,
    name: string,
    change: (obj: Obj) => Obj | undefined,
    write?: OwnWrite,
  ): Promise<Obj>;
}

/** What plugins are made of. */
export interface PluginContext {
  readonly product: Product;
  readonly lister: Lister;
  readonly live: LiveStore;
  readonly authorizer: Authorizer;
  gate(name: string): boolean;
  now(): number;
  /** Resolves after so many milliseconds. */
  sleep(ms: number): Promise<void>;
  /** Random bytes. */
  random(bytes: number): Uint8Array;
  /** Resources that serve a kind, by `apiVersion` and kind. */
  resourcesOf(apiVersion: string, kind: string): readonly Resource[];
  /** Objects in other versions of their kinds. */
  readonly kinds: KindTools;
  /** What calls webhooks. */
  readonly hooks: HookDeps;
  readonly counts: AdmissionCounts;
  /** The plugin's part of the admission configuration file, decoded, or undefined. */
  readonly config: JsonMap | undefined;
  /** The plugin's folder of manifests ({@linkcode folderText}), where its configuration names one. */
  readonly manifests: Reloading | undefined;
  readonly options: PluginOptions;
}

/** Options that plugins read. */
export interface PluginOptions {
  readonly defaultNotReadyTolerationSeconds: number;
  readonly defaultUnreachableTolerationSeconds: number;
  readonly enableAggregatorRouting: boolean;
  readonly versions: { readonly emulated: number };
}

/** A plugin at work. Both phases throw StatusError to refuse. */
export interface Plugin {
  readonly name: string;
  /** Cheap test that the chain compiles into a table by operation and resource. */
  handles(operation: Operation, resource: Resource, subresource: string): boolean;
  /** Mutating phase. */
  admit?(a: Attributes): void | Promise<void>;
  /** Validating phase. */
  validate?(a: Attributes): void | Promise<void>;
  /** Right before what both phases let through is stored: whether what was true as it was asked still is, however long others took. */
  last?(a: Attributes): void | Promise<void>;
}

/** A row of the plugin table. */
export interface PluginRow {
  readonly name: string;
  readonly enabledByDefault: boolean;
  /** One sentence for docs/admission.md. */
  readonly summary: string;
  readonly make: (ctx: PluginContext) => Plugin;
}
