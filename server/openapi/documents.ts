/** OpenAPI documents of a server, made when they are first asked for and kept until what they tell of changes. */
import type { JsonMap, Message } from "../../schema/model/types.ts";
import { apiVersionOf } from "../../schema/scheme.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { ServedResource } from "../catalog/types.ts";
import { groupWord, tagOf } from "./names.ts";
import { type Document, documentOf } from "./document.ts";
import type { Told } from "./kinds.ts";
import {
  discoveryPath,
  type OperationSource,
  type PathItem,
  plainPath,
  resourcePaths,
  versionPaths,
} from "./operations.ts";
import { Pace } from "./pace.ts";
import { type Parts2, sortedTexts } from "./parts2.ts";
import { type AuthoredSchema, Definitions } from "./schemas.ts";
import { SharedParameters } from "./shared_parameters.ts";
import { pathText2 } from "./v2.ts";
import { VERSION_INFO } from "./version_info.ts";
import { writePaths3 } from "./v3.ts";

/** What documents are made of. */
export interface DocumentInputs extends OperationSource {
  readonly catalog: Catalog;
  readonly title: string;
  readonly version: string;
  /** Media types of objects, the preferred one first. */
  readonly media: readonly string[];
  /** Types of patches. */
  readonly patches: readonly string[];
  readonly authored: AuthoredSchema;
  /** Whether the server publishes the keys of its tokens. */
  readonly openId: boolean;
  /** Whether built-in members name their values. */
  readonly enums: boolean;
}

/** Messages that operations take and answer. */
function messagesOf(items: readonly PathItem[]): Set<Message> {
  const out = new Set<Message>();
  const add = (m: Message | "text" | undefined) => {
    if (typeof m === "object") out.add(m);
  };
  for (const { operations } of items) {
    for (const o of operations) {
      add(o.body);
      add(o.returns);
    }
  }
  return out;
}

/** A document, and the rows that it was made from. */
interface Kept {
  readonly document: Document;
  readonly rows: readonly ServedResource[];
}

/** Paths of a document of version 2, as texts, with what they refer to. */
interface Paths2 {
  readonly texts: readonly (readonly [path: string, text: string])[];
  readonly size: number;
  readonly shared: SharedParameters;
  readonly messages: ReadonlySet<Message>;
}

/** So often a document that changed while it was made is begun anew; then it is made without a rest. */
const MOST_BEGINNINGS = 3;

/** All documents of one catalog. */
export class Documents {
  readonly #in: DocumentInputs;
  readonly #definitions: { 2: Definitions; 3: Definitions };
  readonly #kept = new Map<string, Kept>();
  readonly #paths2 = new WeakMap<ServedResource, Paths2>();
  #whole: { readonly parts: Promise<Parts2>; readonly generation: number } | undefined;
  #paths: { all: readonly string[]; generation: number } | undefined;
  #generation: number;

  constructor(inputs: DocumentInputs) {
    this.#in = inputs;
    const { scheme } = inputs.catalog;
    this.#definitions = {
      2: new Definitions(2, scheme, inputs.authored, inputs.enums),
      3: new Definitions(3, scheme, inputs.authored, inputs.enums),
    };
    this.#generation = inputs.catalog.generation;
  }

  /** Paths of the documents of version 3, as the index names them: `api/v1`, `apis/apps`, `version`. */
  paths(): readonly string[] {
    const { generation } = this.#in.catalog;
    if (this.#paths?.generation !== generation) this.#paths = { all: this.#listPaths(), generation };
    return this.#paths.all;
  }

  #listPaths(): string[] {
    const { catalog } = this.#in;
    const groups = catalog.groups().flatMap(({ name, versions }) => {
      if (name === "") return versions.map((v) => `api/${v}`);
      const own = versions.map((v) => `apis/${name}/${v}`);
      return versions.every((v) => catalog.isCustom(name, v)) ? own : [`apis/${name}`, ...own];
    });
    return ["api", "apis", ...Object.keys(this.#plain()), ...groups].sort();
  }

  /** The document of version 3 for a path of {@linkcode paths}; undefined when there is none. */
  version3(path: string): Document | undefined {
    this.#catchUp();
    const [group, version] = placeOf(path);
    const rows = version === undefined ? [] : this.#in.catalog.servedIn(group, version);
    const kept = this.#kept.get(path);
    if (kept && sameRows(kept.rows, rows)) return kept.document;
    this.#kept.delete(path);
    const own = this.#ownItems(path, group, version);
    if (!own) return undefined;
    const items = [...own, ...rows.flatMap((row) => resourcePaths(this.#in, row))];
    const document = documentOf(this.#text3(items, group, version));
    this.#kept.set(path, { document, rows });
    return document;
  }

  /** Whether a document of version 3 was made; it may have to be made anew. */
  keeps(path: string): boolean {
    return this.#kept.has(path);
  }

  /** The one document of version 2, as of now or later. The same parts until kinds come or go. */
  async version2(): Promise<Parts2> {
    const { catalog } = this.#in, asked = catalog.generation;
    while (this.#whole && this.#whole.generation < asked) {
      // One at a time, however fast kinds come.
      const { parts } = this.#whole;
      await parts.catch(() => {});
      if (this.#whole?.parts === parts) this.#whole = undefined;
    }
    const whole = this.#whole ??= { parts: this.#make2(), generation: catalog.generation };
    return await whole.parts;
  }

  /** When kinds came or went, definitions that name kinds are made anew; documents of what is gone are not kept. */
  #catchUp(): void {
    const { generation } = this.#in.catalog;
    if (generation === this.#generation) return;
    this.#generation = generation;
    this.#definitions[2].forget();
    this.#definitions[3].forget();
    const served = new Set(this.paths());
    for (const path of this.#kept.keys()) if (!served.has(path)) this.#kept.delete(path);
  }

  /** What a document tells of beside resources; undefined when there is no such document. */
  #ownItems(path: string, group: string, version: string | undefined): PathItem[] | undefined {
    const { catalog } = this.#in;
    const { groupSuffix } = catalog.scheme.product;
    const plain = this.#plain()[path];
    if (plain) return [plain];
    if (path === "api") return [discoveryPath("/api/", "getCoreAPIVersions", "core", "APIVersions")];
    if (path === "apis") return [discoveryPath("/apis/", "getAPIVersions", "apis", "APIGroupList")];
    const known = catalog.groups().find((g) => g.name === group);
    if (!known) return undefined;
    if (version !== undefined) {
      return known.versions.includes(version) ? versionPaths(this.#in, group, version) : undefined;
    }
    const id = `get${groupWord(group, groupSuffix)}APIGroup`;
    return [discoveryPath(`/apis/${group}/`, id, tagOf(group, "", groupSuffix), "APIGroup")];
  }

  /** Paths of the server itself. */
  #plain(): Readonly<Record<string, PathItem>> {
    return this.#in.openId ? { ...PLAIN, ...OPEN_ID } : PLAIN;
  }

  #info(): JsonMap {
    return { title: this.#in.title, version: this.#in.version };
  }

  #text3(items: readonly PathItem[], group: string, version: string | undefined): string {
    const definitions = this.#definitions[3];
    const custom = version !== undefined && this.#in.catalog.isCustom(group, version);
    const told: Told = custom
      ? "clients"
      : version === undefined
      ? "all"
      : { apiVersion: apiVersionOf(group, version) };
    const schemas = definitions.textOf(messagesOf(items), told);
    const components = [
      ...(schemas === "{}" ? [] : [`"schemas":${schemas}`]),
      ...(custom ? [] : [`"securitySchemes":${JSON.stringify({ BearerToken: BEARER })}`]),
    ];
    const info = custom ? { title: `${this.#in.title} CRD Swagger`, version: CUSTOM_VERSION } : this.#info();
    return `{"openapi":"3.0.0","info":${JSON.stringify(info)},"paths":${writePaths3(items, definitions, this.#in)},` +
      `"components":{${components.join(",")}}}`;
  }

  async #make2(): Promise<Parts2> {
    for (let n = 1;; n++) {
      const parts = await this.#parts2(new Pace(n < MOST_BEGINNINGS));
      if (parts) return parts;
    }
  }

  /** Undefined where kinds came or went at a rest: by what was known of kinds before it, texts that are kept would come out wrong. */
  async #parts2(pace: Pace): Promise<Parts2 | undefined> {
    const { catalog } = this.#in, { generation } = catalog;
    this.#catchUp();
    const texts: (readonly [string, string])[] = [], messages = new Set<Message>(), shared = new SharedParameters();
    for (const part of this.#allPaths2()) {
      for (const text of part.texts) texts.push(text);
      for (const message of part.messages) messages.add(message);
      shared.add(part.shared);
      const rest = pace.made(part.size);
      if (rest) await rest;
      if (generation !== catalog.generation) return undefined;
    }
    const definitions: [string, string][] = [];
    for (const definition of this.#definitions[2].texts(messages, "all")) {
      definitions.push(definition);
      const rest = pace.made(definition[1].length);
      if (rest) await rest;
      if (generation !== catalog.generation) return undefined;
    }
    return {
      head: { swagger: "2.0", info: this.#info() },
      paths: sortedTexts(texts),
      definitions: sortedTexts(definitions),
      tail: {
        parameters: shared.tree(),
        securityDefinitions: { BearerToken: BEARER },
        security: [{ BearerToken: [] }],
      },
    };
  }

  *#allPaths2(): Generator<Paths2> {
    for (const path of this.paths()) {
      const [group, version] = placeOf(path);
      yield this.#write2(this.#ownItems(path, group, version) ?? []);
      if (version !== undefined) {
        yield* this.#in.catalog.servedIn(group, version).values().map((r) => this.#rowPaths2(r));
      }
    }
  }

  /** Those of a resource are kept with it. */
  #rowPaths2(row: ServedResource): Paths2 {
    let paths = this.#paths2.get(row);
    if (!paths) this.#paths2.set(row, paths = this.#write2(resourcePaths(this.#in, row)));
    return paths;
  }

  #write2(items: readonly PathItem[]): Paths2 {
    const shared = new SharedParameters(), definitions = this.#definitions[2];
    const texts = items.map((i) => [i.path, pathText2(i, definitions, shared, this.#in)] as const);
    return { texts, size: texts.reduce((n, [, text]) => n + text.length, 0), shared, messages: messagesOf(items) };
  }
}

/** The group and the version that the path of a document names. */
function placeOf(path: string): [group: string, version: string | undefined] {
  const [root, first, second] = path.split("/");
  return root === "api" ? ["", first] : root === "apis" ? [first ?? "", second] : ["", undefined];
}

const PLAIN: Readonly<Record<string, PathItem>> = {
  "version": plainPath("/version/", {
    id: "getCodeVersion",
    tag: "version",
    description: "version of the server",
    returns: VERSION_INFO,
    produces: ["application/json"],
    consumes: ["application/json"],
  }),
};
const OPEN_ID: Readonly<Record<string, PathItem>> = {
  ".well-known/openid-configuration": plainPath("/.well-known/openid-configuration/", {
    id: "getServiceAccountIssuerOpenIDConfiguration",
    tag: "WellKnown",
    description: "how tokens of service accounts are verified",
    returns: "text",
    produces: ["application/json"],
    consumes: [],
  }),
  "openid/v1/jwks": plainPath("/openid/v1/jwks/", {
    id: "getServiceAccountIssuerOpenIDKeyset",
    tag: "openid",
    description: "keys that tokens of service accounts are signed by",
    returns: "text",
    produces: ["application/jwk-set+json"],
    consumes: [],
  }),
};

/** Version that documents of custom kinds say they are of. */
const CUSTOM_VERSION = "v0.1.0";
const BEARER: JsonMap = {
  description: "Bearer token",
  type: "apiKey",
  name: "authorization",
  in: "header",
};

const sameRows = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((x, i) => x === b[i]);
