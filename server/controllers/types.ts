/** The contract of embedded controllers: what they are given, and a row of their table. */
import type { Product } from "../../schema/product.ts";
import type { Admission } from "../registry/context.ts";
import type { ExtensionDiscovery } from "../aggregation/discovery.ts";
import type { Reach } from "../aggregation/reach.ts";
import type { Registrations } from "../aggregation/registrations.ts";
import type { BootstrapObject } from "../bootstrap/rows.ts";
import type { Trust } from "../bootstrap/trust.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Registries } from "../registry/registries.ts";
import type { QueueMetrics } from "../metrics/queues.ts";
import type { Verbose } from "../../schema/log/log.ts";
import type { Backend } from "../storage/backend.ts";

/** A controller at work. It reacts to changes by itself until the signal that it was started with aborts. */
export interface Controller {
  start(signal: AbortSignal): void;
}

/** What of the first content comes again when it is deleted. */
export interface KeptContent {
  /** Its objects as they would be made now, in an order in which they can be. */
  kept(): readonly BootstrapObject[];
  /** Makes one of them, or what is wrong with it right. @throws StatusError */
  ensure(row: BootstrapObject): Promise<void>;
}

/** Options that controllers read. */
export interface ControllerOptions {
  readonly enableGarbageCollector: boolean;
  readonly enablePriorityAndFairness: boolean;
  /** `--coordinated-leadership-…`, ms. */
  readonly coordinatedLeadershipLeaseDuration: number;
  readonly coordinatedLeadershipRenewDeadline: number;
  readonly coordinatedLeadershipRetryPeriod: number;
}

/** What controllers are made of. */
export interface ControllerContext {
  readonly product: Product;
  readonly catalog: Catalog;
  readonly registries: Registries;
  readonly backend: Backend;
  readonly admission: Admission;
  readonly options: ControllerOptions;
  readonly hostname: string;
  /** The secure port. */
  readonly port: number;
  /** Where peers reach this server; undefined: nothing is passed on to it. */
  readonly peerAddress: string | undefined;
  /** By which members of the cluster reach the API's own service on this server; undefined: its endpoints are not kept. */
  readonly serviceAddress: string | undefined;
  /** This server is about to end: what tells others that it is there is not renewed. */
  leaving(): boolean;
  /** A random id of this process. */
  readonly processId: string;
  /** PEM of the authorities that verify this server's certificate; undefined where nobody told. */
  readonly servingCa: (() => string) | undefined;
  /** Extension servers; absent: none are reached. */
  readonly extensions?: {
    readonly registrations: Registrations;
    readonly reach: Reach;
    readonly discovery: ExtensionDiscovery;
  };
  readonly content?: KeptContent;
  /** What the ConfigMap of extension servers is to say. */
  readonly trust?: () => Trust;
  now(): number;
  /** ms since whenever, never going back. */
  elapsed(): number;
  /** In [0, 1). */
  random(): number;
  /** Counts of the controllers' queues. */
  readonly queues: QueueMetrics;
  gate(name: string): boolean;
  /** Tells the metrics whether this server holds a lease that several servers want. */
  leading(lease: string, is: boolean): void;
  /** Has something done before the server stops, while it can still write. */
  atEnd(work: () => Promise<void>): void;
  /** Has something done as soon as the server is about to stop. */
  atLeave(work: () => Promise<void>): void;
  log(level: "info" | "warn" | "error", text: string, detail?: unknown): void;
  readonly verbose: Verbose;
}

/** A row of the table of controllers. */
export interface ControllerRow {
  readonly name: string;
  /** One sentence for the documentation. */
  readonly summary: string;
  /** Runs with `*`. */
  readonly onByDefault: boolean;
  /** Undefined: an option or a missing resource keeps it off. */
  make(ctx: ControllerContext): Controller | undefined;
}
