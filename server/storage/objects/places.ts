/** Where an object lies in a store, and how its bytes are there: for built-in kinds, and for those that definitions define. */
import { decodeBody, type MediaKind } from "../../../schema/codec/mod.ts";
import { encodeJson, parseJson } from "../../../schema/codec/json.ts";
import { parseCbor } from "../../../schema/codec/cbor.ts";
import { parseYaml } from "../../../schema/codec/yaml.ts";
import { isMap } from "../../../schema/model/members.ts";
import type { JsonMap } from "../../../schema/model/types.ts";
import type { Product } from "../../../schema/product.ts";
import { Scheme, splitApiVersion } from "../../../schema/scheme.ts";
import { builtinCatalog, type Catalog } from "../../catalog/catalog.ts";
import type { Resource } from "../../catalog/types.ts";
import { isStored } from "../../registry/registries.ts";
import { encodeAtRest } from "../../registry/at_rest.ts";
import { storedMedia } from "../../registry/entry_codec.ts";

/** Public id of what defines kinds. */
export const DEFINITIONS = "customresourcedefinitions.apiextensions.k8s.io";

/** A resource that a definition defines. */
export interface Defined {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly prefix: string;
  /** The stored one first, if it is served; then the others that are served. */
  readonly versions: readonly string[];
}

/** Where an object lies. */
export interface Place {
  readonly key: string;
  /** The built-in resource; undefined for what a definition defines. */
  readonly resource: Resource | undefined;
}

/** See the top of the file. All resources are known, whether a server would serve them or not. */
export class Places {
  readonly catalog: Catalog;
  readonly #defined = new Map<string, Defined>();
  readonly #builtIn = new Map<string, Resource | undefined>();
  readonly #scheme: Scheme;
  #prefixes: readonly string[] | undefined;

  /** @param root `--store-prefix`, without a slash at its end */
  constructor(readonly product: Product, readonly root: string) {
    this.#scheme = new Scheme(product);
    this.catalog = builtinCatalog(this.#scheme, { enabled: () => true }, root);
  }

  /** Resources that keep objects, one for each place: those that share their objects are one. */
  stored(): Resource[] {
    const byPrefix = new Map<string, Resource>();
    for (const r of this.catalog.resources()) if (isStored(r) && !byPrefix.has(r.prefix)) byPrefix.set(r.prefix, r);
    return [...byPrefix.values()];
  }

  /** What definitions define, of those learned. */
  defined(): Iterable<Defined> {
    return this.#defined.values();
  }

  /** Whether the object is a definition. */
  isDefinition(object: JsonMap): boolean {
    const { resource } = this.#rowOf(object) ?? {};
    return resource?.id === DEFINITIONS;
  }

  /** Learns what a definition defines. One that is not whole defines nothing. */
  learn(definition: JsonMap): void {
    const { spec } = definition;
    if (!isMap(spec) || !isMap(spec.names)) return;
    const { group, names: { kind, plural } } = spec;
    const versions = (Array.isArray(spec.versions) ? spec.versions : []).filter(isMap);
    if (typeof group !== "string" || typeof kind !== "string" || typeof plural !== "string") return;
    this.#prefixes = undefined;
    const served = versions.filter((v) => v.served === true).sort((a, b) => Number(b.storage) - Number(a.storage));
    this.#defined.set(`${group}/${kind}`, {
      group,
      plural,
      kind,
      namespaced: spec.scope === "Namespaced",
      prefix: `${this.root}/${group}/${plural}/`,
      versions: served.map((v) => String(v.name)),
    });
  }

  /** {@linkcode learn} of bytes at rest, which may be anything. */
  tryToLearn(bytes: Uint8Array): void {
    try {
      this.learn(this.decode(bytes));
    } catch { /* it defines nothing */ }
  }

  /** @throws Error that says why it lies nowhere */
  placeOf(object: JsonMap): Place {
    const row = this.#rowOf(object);
    const { apiVersion, kind, metadata } = object;
    if (!row) throw new Error(`${String(apiVersion)} ${String(kind)} is no kind whose objects are stored`);
    const { name, namespace = "" } = isMap(metadata) ? metadata : {};
    if (typeof name !== "string" || !isSegment(name)) {
      throw new Error(`${String(kind)}: metadata.name is missing or wrong`);
    }
    if (!row.namespaced) {
      if (namespace !== "") throw new Error(`${String(kind)} ${name}: has a namespace, and should have none`);
      return { key: row.prefix + name, resource: row.resource };
    }
    if (typeof namespace !== "string" || !isSegment(namespace)) {
      throw new Error(`${String(kind)} ${name}: metadata.namespace is missing or wrong`);
    }
    return { key: `${row.prefix}${namespace}/${name}`, resource: row.resource };
  }

  /** Why what lies under a key is not the object that the key names; undefined for a key that no known kind has. */
  faultOf(key: string, bytes: Uint8Array): string | undefined {
    if (!this.#allPrefixes().some((prefix) => key.startsWith(prefix))) return undefined;
    try {
      const { key: own } = this.placeOf(this.decode(bytes));
      return own === key ? undefined : `the object belongs under ${own}`;
    } catch (e) {
      return `the object cannot be read: ${e instanceof Error ? e.message : String(e)}`;
    }
  }

  #allPrefixes(): readonly string[] {
    return this.#prefixes ??= [...this.stored(), ...this.defined()].map(({ prefix }) => prefix);
  }

  #rowOf({ apiVersion, kind }: JsonMap) {
    if (typeof apiVersion !== "string" || typeof kind !== "string") return undefined;
    const { group, version } = splitApiVersion(apiVersion);
    const resource = this.#resourceOf(apiVersion, group, version, kind);
    if (resource) return { prefix: resource.prefix, namespaced: resource.namespaced, resource };
    const defined = this.#defined.get(`${group}/${kind}`);
    return defined && { prefix: defined.prefix, namespaced: defined.namespaced, resource };
  }

  #resourceOf(apiVersion: string, group: string, version: string, kind: string): Resource | undefined {
    const id = `${apiVersion} ${kind}`;
    if (!this.#builtIn.has(id)) {
      const known = this.#scheme.kind(apiVersion, kind);
      const found = (this.catalog.byKind(group, kind, version) ?? (known && this.catalog.byKind(group, kind)))
        ?.resource;
      this.#builtIn.set(id, found && isStored(found) ? found : undefined);
    }
    return this.#builtIn.get(id);
  }

  /** Bytes at rest of an object that has a place. @throws Error when it is not what its kind says */
  encode(object: JsonMap, { resource }: Place, atRest: MediaKind): Uint8Array {
    const json = encodeJson(object);
    if (!resource) return json;
    const kind = resource.storageKind;
    const { object: read } = decodeBody(this.#scheme, json, "json", { strict: false });
    return encodeAtRest(this.#scheme, this.#scheme.convert(read, kind), kind, atRest);
  }

  /** The object of bytes at rest, in a version that is served if it is of a built-in kind. @throws Error when they are none */
  decode(bytes: Uint8Array): JsonMap {
    const media = storedMedia(bytes);
    const tree = media === "protobuf"
      ? decodeBody(this.#scheme, bytes, media, { strict: false }).object
      : PARSERS[media](bytes).tree;
    if (!isMap(tree)) throw new Error("it is no object");
    const { resource } = this.#rowOf(tree) ?? {};
    if (!resource || resource.served.some(({ kind }) => kind.apiVersion === tree.apiVersion)) return tree;
    const { object } = decodeBody(this.#scheme, bytes, media, { strict: false });
    return this.#scheme.convert(object, resource.storageKind);
  }
}

const PARSERS = { json: parseJson, yaml: parseYaml, cbor: parseCbor } as const;

const isSegment = (text: string): boolean => text !== "" && text !== "." && text !== ".." && !/[/\0]/.test(text);
