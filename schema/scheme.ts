/**
 * Which kinds there are: look-ups by group, version and kind, in the names of one dialect (architecture, "One schema
 * model"). Built-in kinds are there from the start; custom kinds are added and removed as their definitions come and go.
 */
import { MODULES } from "./modules.ts";
import { GROUPS } from "./api/resources.ts";
import { convertObject } from "./conversion/mod.ts";
import { builtInMessage } from "./messages.ts";
import type { ApiModule, KindRow } from "./model/table.ts";
import type { Kind, Message, Obj } from "./model/types.ts";
import { compareVersions } from "./model/versions.ts";
import { DIALECTS, type Product, productOf } from "./product.ts";

export { restVersion, storageVersion } from "./conversion/storage.ts";

/** Kinds of requests and streams that are known in every group version. */
const EVERYWHERE: ReadonlySet<string> = new Set([
  "CreateOptions",
  "DeleteOptions",
  "GetOptions",
  "ListOptions",
  "PatchOptions",
  "UpdateOptions",
  "WatchEvent",
]);
/** Kinds that stand in core `v1` whatever asks for them. */
const UNVERSIONED: readonly string[] = ["Status", "APIVersions", "APIGroup", "APIGroupList", "APIResourceList"];
const META = "meta.k8s.io";

/** `group/version`, or the version alone for core. */
export function apiVersionOf(group: string, version: string): string {
  return group ? `${group}/${version}` : version;
}

/** Splits an `apiVersion`. One without a slash is a version of the core group. */
export function splitApiVersion(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf("/");
  return slash < 0
    ? { group: "", version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** The kinds of one server. Built-in messages are shared by all schemes. */
export class Scheme {
  readonly product: Product;
  readonly #kinds = new Map<string, Map<string, Kind>>();
  /** Kinds {@linkcode EVERYWHERE}, and virtual ones under the other dialect's name, made on demand. */
  readonly #derived = new Map<string, Kind>();
  readonly #custom = new Set<Kind>();
  readonly #versions = new Map<string, string[]>();

  constructor(product: Product) {
    this.product = product;
    for (const row of GROUPS) this.#versions.set(product.local(row.group), [...row.versions]);
    for (const module of MODULES) if (module.version) this.#addModule(module);
    const meta = this.kindsOf(apiVersionOf(product.local(META), "v1"));
    for (const name of UNVERSIONED) {
      const message = meta.get(name)?.message ?? builtInMessage(`meta.v1.${name}`);
      if (message) {
        this.#put({ group: "", publicGroup: "", version: "v1", kind: name, apiVersion: "v1", message, protobuf: true });
      }
    }
    for (const versions of this.#versions.values()) sortRest(versions);
  }

  /** The kind of an `apiVersion` and `kind`, when it is known. Virtual kinds answer to either dialect's group name. */
  kind(apiVersion: string, kind: string): Kind | undefined {
    return this.#kinds.get(apiVersion)?.get(kind) ?? this.#derive(apiVersion, kind);
  }
  /** {@linkcode kind} by group and version. */
  kindOf(group: string, version: string, kind: string): Kind | undefined {
    return this.kind(apiVersionOf(group, version), kind);
  }
  /** Kinds of one group version by name; empty when it is not known. */
  kindsOf(apiVersion: string): ReadonlyMap<string, Kind> {
    return this.#kinds.get(apiVersion) ?? new Map();
  }
  /** A built-in message by its id (`core.v1.PodSpec`). @throws Error when there is none: a mistake of the caller. */
  message(id: string): Message {
    const message = builtInMessage(id);
    if (!message) throw new Error(`no message ${JSON.stringify(id)}`);
    return message;
  }
  /** Every kind, list kinds included; without the options kinds that each group version shares. */
  *kinds(): Iterable<Kind> {
    for (const kinds of this.#kinds.values()) yield* kinds.values();
  }
  /** Versions of a group, preferred first. */
  versionsOf(group: string): readonly string[] {
    return this.#versions.get(group) ?? [];
  }
  /** Groups in the order of the group list; those that are not served follow by name. */
  groups(): readonly string[] {
    return [...this.#versions.keys()];
  }
  /**
   * The object as a kind of the same group and another version, or of a group that shares the stored objects. A new value;
   * parts that both versions hold alike may be shared with the argument.
   * @throws Error when no conversion is known
   */
  convert(obj: Obj, to: Kind): Obj {
    if (obj.apiVersion === to.apiVersion && obj.kind === to.kind) return obj;
    if (to.custom) return to.custom.convert(obj);
    const from = this.kind(obj.apiVersion, obj.kind);
    if (!from) {
      throw new Error(
        `no kind ${JSON.stringify(obj.kind)} is registered for version ${JSON.stringify(obj.apiVersion)}`,
      );
    }
    return convertObject(obj, from, to, this.product);
  }
  /** A stored object as readers of a version see it. @throws Error when no conversion is known */
  shown(obj: Obj, to: Kind): Obj {
    return to.custom && obj.apiVersion !== to.apiVersion ? to.custom.shown(obj) : this.convert(obj, to);
  }
  /** Adds a custom kind, or puts it in another's place. @throws Error when a built-in kind has the name */
  add(kind: Kind): void {
    const old = this.#kinds.get(kind.apiVersion)?.get(kind.kind);
    if (old && !this.#custom.has(old)) throw new Error(`kind ${kind.apiVersion} ${kind.kind} is built in`);
    if (old) this.#custom.delete(old);
    this.#put(kind);
    this.#custom.add(kind);
    sortRest(this.#versions.get(kind.group)!);
  }
  /** Takes a custom kind away. Built-in kinds stay. */
  remove(kind: Kind): void {
    if (!this.#custom.delete(kind)) return;
    const kinds = this.#kinds.get(kind.apiVersion);
    kinds?.delete(kind.kind);
    if (kinds?.size) return;
    this.#kinds.delete(kind.apiVersion);
    for (const [key, derived] of this.#derived) if (derived.apiVersion === kind.apiVersion) this.#derived.delete(key);
    const left = this.versionsOf(kind.group).filter((v) => v !== kind.version);
    if (left.length) this.#versions.set(kind.group, left);
    else this.#versions.delete(kind.group);
  }

  #put(kind: Kind): void {
    let kinds = this.#kinds.get(kind.apiVersion);
    if (!kinds) this.#kinds.set(kind.apiVersion, kinds = new Map());
    kinds.set(kind.kind, kind);
    const versions = this.#versions.get(kind.group);
    if (!versions) this.#versions.set(kind.group, [kind.version]);
    else if (!versions.includes(kind.version)) versions.push(kind.version);
  }

  #addModule(module: ApiModule): void {
    const group = this.product.local(module.group);
    for (const [name, row] of Object.entries(JSON.parse(module.kinds) as Record<string, KindRow>)) {
      const kind = new BuiltInKind(group, module, name, row);
      this.#put(kind);
      if (row.list) this.#put(new BuiltInKind(group, module, row.list, listRow(row), name));
    }
  }

  #derive(apiVersion: string, kind: string): Kind | undefined {
    const key = `${apiVersion} ${kind}`;
    const known = this.#derived.get(key);
    if (known) return known;
    const { group, version } = splitApiVersion(apiVersion);
    const other = ownName(group, this.product);
    const twin = other === undefined ? undefined : this.kind(apiVersionOf(other, version), kind);
    const publicGroup = this.#kinds.get(apiVersion)?.values().next().value?.publicGroup;
    const made = twin
      ? withGroup(twin, group, apiVersion)
      : EVERYWHERE.has(kind) && publicGroup !== undefined
      ? { group, publicGroup, version, kind, apiVersion, message: this.message(`meta.v1.${kind}`), protobuf: true }
      : undefined;
    if (made) this.#derived.set(key, made);
    return made;
  }
}

/** Groups of kinds that are never stored: requests, reviews, discovery. */
const VIRTUAL: readonly string[] = [
  META,
  "apidiscovery.k8s.io",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "admission.k8s.io",
  "audit.k8s.io",
];

/** This product's name of a virtual group that is named in the other dialect; undefined for any other group. */
function ownName(group: string, product: Product): string | undefined {
  if (group === "") return undefined;
  for (const name of VIRTUAL) {
    const own = product.local(name);
    if (group !== own && DIALECTS.some((d) => productOf(d).local(name) === group)) return own;
  }
  return undefined;
}

const SCHEMES = new Map<Product, Scheme>();

/** The scheme of a product's built-in kinds, one a product. A server that adds custom kinds makes its own. */
export function schemeOf(product: Product): Scheme {
  let scheme = SCHEMES.get(product);
  if (!scheme) SCHEMES.set(product, scheme = new Scheme(product));
  return scheme;
}

/** What of a kind's row holds of its list kind. */
const listRow = ({ list: _, listProtobuf, ...row }: KindRow): KindRow =>
  listProtobuf === undefined ? row : { ...row, protobuf: listProtobuf };
const withGroup = (k: Kind, group: string, apiVersion: string): Kind => ({
  group,
  publicGroup: k.publicGroup,
  version: k.version,
  kind: k.kind,
  apiVersion,
  message: k.message,
  protobuf: k.protobuf,
  ...(k.list ? { list: k.list } : {}),
  ...(k.itemKind ? { itemKind: k.itemKind } : {}),
});

function sortRest(versions: string[]): void {
  versions.sort(compareVersions);
}

/** A kind of the tables; its message is looked up on first use. */
class BuiltInKind implements Kind {
  readonly group: string;
  readonly publicGroup: string;
  readonly version: string;
  readonly kind: string;
  readonly apiVersion: string;
  readonly protobuf: boolean;
  readonly list?: string;
  readonly itemKind?: string;
  readonly introduced?: string;
  readonly deprecated?: string;
  readonly removed?: string;
  readonly replacement?: { readonly group: string; readonly version: string; readonly kind: string };
  readonly #id: string;

  constructor(group: string, module: ApiModule, kind: string, row: KindRow, itemKind?: string) {
    this.group = group;
    this.publicGroup = module.group;
    this.version = module.version;
    this.kind = kind;
    this.apiVersion = apiVersionOf(group, module.version);
    this.protobuf = module.protobuf && row.protobuf !== false;
    if (row.list) this.list = row.list;
    if (itemKind) this.itemKind = itemKind;
    if (row.introduced) this.introduced = row.introduced;
    if (row.deprecated) this.deprecated = row.deprecated;
    if (row.removed) this.removed = row.removed;
    if (row.replacement) this.replacement = row.replacement;
    this.#id = `${module.short}.${kind}`;
  }
  get message(): Message {
    return builtInMessage(this.#id)!;
  }
}
