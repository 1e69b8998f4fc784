/** What every registry of a server shares. */
import type { Scheme } from "../../schema/scheme.ts";
import type { RuleContext } from "../../schema/rules/types.ts";
import type { Backend } from "../storage/backend.ts";
import type { StoreTiming } from "../storage/timing.ts";
import type { AdmissionRecorder, Attributes } from "../admission/types.ts";
import type { User } from "../request.ts";
import type { TraceHeaders } from "../../schema/tracing/context.ts";
import type { Span } from "../../schema/tracing/span.ts";
import type { FieldManager } from "./field_manager.ts";

/** The two phases of admission, as a registry calls them. */
export interface Admission {
  admit(a: Attributes): void | Promise<void>;
  validate(a: Attributes): void | Promise<void>;
  /** Right before a new object is stored. */
  last?(a: Attributes): void | Promise<void>;
}

/** Dependencies shared by all registries. */
export interface RegistryContext {
  readonly scheme: Scheme;
  readonly rules: RuleContext;
  readonly backend: Backend;
  /** Stores of single resources, by public id (`--store-servers-overrides`). */
  readonly stores?: ReadonlyMap<string, Backend>;
  readonly admission: Admission;
  /** Keeps owners of fields for the server's own writes. */
  readonly fields?: FieldManager;
  /** `--enable-garbage-collector`: finalizers of propagation are only set when something will remove them. */
  readonly garbageCollection: boolean;
  /** Whether reads of a resource go to the store always (`--watch-cache=false`, `--watch-cache-sizes=…#0`). */
  direct?(resource: { readonly id: string; readonly group: string; readonly name: string }): boolean;
  /** `--storage-media-type`; Protobuf without. Kinds that have no Protobuf form are JSON then. */
  readonly atRest?: "json" | "yaml" | "protobuf";
  /** How objects of custom kinds are stored: CBOR with its gate; JSON without. Both are read. */
  readonly customAtRest?: "json" | "cbor";
  /** Told of writes. */
  readonly timing?: StoreTiming;
  /** Random bytes, for names and uids. */
  random(bytes: number): Uint8Array;
}

/** The side of a request that a registry needs. */
export interface Caller {
  readonly user: User;
  readonly dryRun: boolean;
  /** `CreateOptions` and so on, for admission. */
  readonly options: Attributes["options"];
  /** Version in which the request came. */
  readonly version: string;
  /** Verb of the request; undefined for what the server does by itself. */
  readonly verb?: string;
  /** It applies: who owns which fields is part of what it writes. */
  readonly applies?: boolean | undefined;
  readonly signal: AbortSignal;
  /** When the request's time is over, ms since the epoch. Absent: it has as much as it likes. */
  readonly endsAt?: number | undefined;
  warn(text: string): void;
  annotate(key: string, value: string): void;
  /** What the request's work is told to, where requests are traced. */
  readonly span?: Span | undefined;
  /** Others worked on the request for so many ms. */
  waited?(ms: number): void;
  /** Headers of calls that are made for the request. */
  traceHeaders?(): TraceHeaders;
  /** Hears what admission does. */
  readonly recorder?: AdmissionRecorder;
}
