/** The shape of a kind's rules: defaults and validation. Tables of these stand in `schema/rules/<group>.ts`. */
import type { Obj } from "../model/types.ts";
import type { Product } from "../product.ts";
import type { Path } from "./path.ts";
import type { ErrorList } from "./errors.ts";

/** What rules may know of the server. Everything is fixed for the life of a server except `now`. */
export interface RuleContext {
  readonly product: Product;
  /** Whether a feature gate is on. */
  gate(name: string): boolean;
  /** Milliseconds since the epoch. */
  now(): number;
  /** `--allow-privileged`. */
  readonly allowPrivileged: boolean;
}

/** How one call of a validation came about. */
export interface ValidateContext extends RuleContext {
  readonly verb: "create" | "update";
  /** Empty for the object itself, else `status`, `scale`, `ephemeralcontainers`, … */
  readonly subresource: string;
}

/**
 * Rules of one resource, in the shape of its storage version. Members are optional: an absent one means that the kind has
 * nothing to say there. All are synchronous and pure but for their argument.
 *
 * The generic registry calls, on create: `prepareCreate`, `validate`; on update: `prepareUpdate`, then `validateUpdate`
 * when present, else `validate`. Object metadata (names, labels, annotations, owner references, finalizers, immutable
 * metadata) is validated by the registry, not here, except what the kind adds.
 */
export interface KindRules<T = Obj> {
  /** Which names the kind allows. Default `dns1123Subdomain`. */
  readonly name?: NameRule;
  /** Drops what a client may not set on create (status), sets what the server gives (generation is the registry's). */
  prepareCreate?(obj: T, ctx: RuleContext): void;
  /** The same on update: keeps `status` of the old object and so on. Subresources have their own row. */
  prepareUpdate?(obj: T, old: T, ctx: RuleContext): void;
  /** Whole-object validation on create. */
  validate?(obj: T, errors: ErrorList, ctx: ValidateContext): void;
  /** Validation of an update. When absent, `validate` serves. */
  validateUpdate?(obj: T, old: T, errors: ErrorList, ctx: ValidateContext): void;
  /** Rules of writes through a subresource (`status`, `resize`, `approval` …). */
  readonly subresources?: Readonly<Record<string, SubresourceRules<T>>>;
  /** Warnings to the client, each one a text without quotes around it. */
  warnings?(obj: T, old: T | undefined, ctx: RuleContext): string[];
  /** The kind allows a PUT to create. Default false. */
  readonly createOnUpdate?: boolean;
  /** The kind allows an update without `resourceVersion`. Default true, as most built-in kinds. */
  readonly unconditionalUpdate?: boolean;
}

/** Rules of writes through one subresource. */
export interface SubresourceRules<T = Obj> {
  prepareUpdate?(obj: T, old: T, ctx: RuleContext): void;
  validateUpdate?(obj: T, old: T, errors: ErrorList, ctx: ValidateContext): void;
}

/** Name syntaxes. `path`: a path segment (`/`, `%`, `.` and `..` excluded), as RBAC and others use. */
export type NameRule =
  | "dns1123Subdomain"
  | "dns1123Label"
  | "dns1035Label"
  | "path"
  | ((name: string, prefix: boolean) => string[]);

/** Defaults of one kind in one version, applied after decoding, in place, idempotent. */
export type Defaults<T = Obj> = (obj: T, ctx: RuleContext) => void;

/** A validator of a part, as rules files compose them. */
export type Check<T> = (value: T, path: Path, errors: ErrorList, ctx: ValidateContext) => void;
