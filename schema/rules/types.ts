/** The shape of a kind's rules: defaults and validation. Tables of these stand in `schema/rules/<group>.ts`. */
import type { Obj } from "../model/types.ts";
import type { Product } from "../product.ts";
import type { ErrorList } from "./errors.ts";
import type { CertificateTools } from "./certificates/tools.ts";

/** What rules may know of the server. Everything is fixed for the life of a server except `now`. */
export interface RuleContext {
  readonly product: Product;
  /** Whether a feature gate is on. */
  gate(name: string): boolean;
  /** Milliseconds since the epoch. */
  now(): number;
  /** `--allow-privileged`. */
  readonly allowPrivileged: boolean;
  /** Labels of a namespace as far as this server has seen it; undefined: there is none. Absent: not checked. */
  namespaceLabels?(name: string): Readonly<Record<string, string>> | undefined;
  /** Reads keys and certificates. Absent: what they hold is not checked. */
  readonly certificates?: CertificateTools;
  /** Version of the request; absent or empty for the server's own writes, and where no rule asks for it. */
  readonly version?: string;
  /** Times work on the expressions of custom kinds. Absent: nobody wants to know. */
  readonly expressionTimes?: ExpressionTimes;
}

/** Does work, tells somebody how long it took, and gives what comes of it. */
export interface ExpressionTimes {
  /** The rules of one schema are compiled. */
  compiled<T>(work: () => T): T;
  /** They are held against one object. */
  evaluated<T>(work: () => T): T;
}

/** How one call of a validation came about. */
export interface ValidateContext extends RuleContext {
  readonly verb: "create" | "update";
  /** Empty for the object itself, else `status`, `scale`, `ephemeralcontainers`, … */
  readonly subresource: string;
}

/**
 * What a kind says of its metadata. Every write is checked by the common rules, which take any name that can stand in a path;
 * a kind adds its own checks, stricter by its name rule. The counts tell how often: each check adds its own causes, and
 * clients see how many there are. Checks run once here and their causes are repeated.
 */
export interface MetaRules {
  /** Finalizers without a domain must be known ones. Default true. */
  readonly knownFinalizersOnly?: boolean;
  /** How often the kind checks metadata on create. Default 1. */
  readonly created?: number;
  /** How often the kind compares metadata with the old one on update. Default 1. */
  readonly compared?: number;
  /** How often the kind checks metadata on update. Default 1. */
  readonly whole?: number;
  /** How often `validate` of the kind runs on update. Default 1. */
  readonly runs?: number;
}

/**
 * Rules of one resource, in the shape of its storage version. Members are optional: an absent one means that the kind has
 * nothing to say there. All are synchronous and pure but for their argument.
 *
 * The generic registry does not call these itself but through `strategy.ts`, which adds the rules of metadata and the
 * declarative ones. On create: `prepareCreate`, `validate`; on update: `prepareUpdate`, `validate` (with `old`), `validateUpdate`.
 */
export interface KindRules<T = Obj> {
  /** Which names the kind allows. Default `dns1123Subdomain`. */
  readonly name?: NameRule;
  /**
   * Drops what a client may not set on create (status), sets what the server gives (generation is the registry's). May give
   * warnings, which the client gets even if the object turns out to be invalid.
   */
  prepareCreate?(obj: T, ctx: RuleContext): void | readonly string[];
  /** The same on update: keeps `status` of the old object and so on. Subresources have their own row. */
  prepareUpdate?(obj: T, old: T, ctx: RuleContext): void;
  /** Metadata rules where the kind differs from the default. */
  readonly meta?: MetaRules;
  /**
   * Members whose change raises `metadata.generation` (mostly `["spec"]`). Absent: the kind counts no generations, and
   * keeps what a client sends on create.
   */
  readonly generation?: readonly string[];
  /** Generations are counted only with this gate on. */
  readonly generationGate?: string;
  /** An empty list or map is another than none when generations are counted. Default false. */
  readonly generationOfEmpty?: boolean;
  /** Whole-object validation, on create and (with `old`) on update. */
  validate?(obj: T, errors: ErrorList, ctx: ValidateContext, old?: T): void;
  /** Completes a new object that has been found valid. */
  completeCreate?(obj: T, ctx: RuleContext): void;
  /**
   * Fills in what every read fills in, and what a new object is stored without: preparing it took away what the defaults had
   * given. Runs when its bytes are made; the next update stores what it fills in.
   */
  fillCreated?(obj: T, ctx: RuleContext): void;
  /** What an update may not change. Runs on update beside `validate`. */
  validateUpdate?(obj: T, old: T, errors: ErrorList, ctx: ValidateContext): void;
  /** What an update may not change is told before what `validate` finds. Default false. */
  readonly changesFirst?: boolean;
  /** Rules of writes through a subresource (`status`, `resize`, `approval` …). */
  readonly subresources?: Readonly<Record<string, SubresourceRules<T>>>;
  /** Warnings to the client, each one a text without quotes around it. */
  warnings?(obj: T, old: T | undefined, ctx: RuleContext): string[];
  /** The kind allows a PUT to create. Default false. */
  readonly createOnUpdate?: boolean;
  /** An apply of the status creates what is absent, as an apply of the object does. Default false. */
  readonly statusApplyCreates?: boolean;
  /** `generateName` is taken as the name itself, with nothing after it. Default false. */
  readonly plainGenerateName?: boolean;
  /** The kind allows an update without `resourceVersion`; a list: in these versions of the request. Default true, as most. */
  readonly unconditionalUpdate?: boolean | readonly string[];
}

/** Rules of writes through one subresource. */
export interface SubresourceRules<T = Obj> {
  prepareUpdate?(obj: T, old: T, ctx: RuleContext): void;
  validateUpdate?(obj: T, old: T, errors: ErrorList, ctx: ValidateContext): void;
  /** As of the kind; `whole` and `runs` are 0 unless given. */
  readonly meta?: MetaRules;
  /** Warnings to the client about a write through this door. Default: none. */
  warnings?(obj: T, old: T, ctx: RuleContext): string[];
}

/** Name syntaxes. `path`: a path segment (`/`, `%`, `.` and `..` excluded), as RBAC and others use. */
export type NameRule =
  | "dns1123Subdomain"
  | "dns1123Label"
  | "dns1035Label"
  | "path"
  | ((name: string, prefix: boolean) => readonly string[]);

/** Defaults of one kind in one version, applied after decoding, in place, idempotent. */
export type Defaults<T = Obj> = (obj: T, ctx: RuleContext) => void;
