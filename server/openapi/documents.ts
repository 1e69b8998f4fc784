/** OpenAPI documents of a server, made when they are first asked for and kept until what they tell of changes. */
import { createHash } from "node:crypto";
import type { JsonMap, Message } from "../../schema/model/types.ts";
import { apiVersionOf } from "../../schema/scheme.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { ServedResource } from "../catalog/types.ts";
import { groupWord, tagOf } from "./names.ts";
import { discoveryPath, type OperationSource, type PathItem, plainPath, resourcePaths } from "./operations.ts";
import type { Told } from "./kinds.ts";
import { type AuthoredSchema, Definitions } from "./schemas.ts";
import { SharedParameters } from "./shared_parameters.ts";
import { writePaths2 } from "./v2.ts";
import { VERSION_INFO } from "./version_info.ts";
import { writePaths3 } from "./v3.ts";

/** A document as sent. */
export interface Document {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** SHA-512 of the content, upper-case hexadecimal: the same on every server that serves the same. */
  readonly hash: string;
}

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

const UTF8 = new TextEncoder();

/** A document of a text, or of bytes. */
export function documentOf(content: string | Uint8Array<ArrayBuffer>): Document {
  const bytes = typeof content === "string" ? UTF8.encode(content) : content;
  return { bytes, hash: createHash("sha512").update(bytes).digest("hex").toUpperCase() };
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

/** All documents of one catalog. */
export class Documents {
  readonly #in: DocumentInputs;
  readonly #definitions: { 2: Definitions; 3: Definitions };
  readonly #kept = new Map<string, Kept>();
  #whole: { document: Document; generation: number } | undefined;
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
    const [, group, version] = /^apis?(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(path) ?? [];
    const [g, v] = path.startsWith("api/") ? ["", group] : [group ?? "", version];
    const rows = v === undefined ? [] : this.#in.catalog.servedIn(g, v);
    const kept = this.#kept.get(path);
    if (kept && sameRows(kept.rows, rows)) return kept.document;
    this.#kept.delete(path);
    const items = this.#itemsOf(path, g, v);
    if (!items) return undefined;
    const document = documentOf(this.#text3(items, g ?? "", v));
    this.#kept.set(path, { document, rows });
    return document;
  }

  /** Whether a document of version 3 was made; it may have to be made anew. */
  keeps(path: string): boolean {
    return this.#kept.has(path);
  }

  /** The one document of version 2. */
  version2(): Document {
    this.#catchUp();
    const { generation } = this.#in.catalog;
    if (this.#whole?.generation !== generation) this.#whole = { document: documentOf(this.#text2()), generation };
    return this.#whole.document;
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

  #itemsOf(path: string, group: string, version: string | undefined): PathItem[] | undefined {
    const { catalog } = this.#in;
    const { groupSuffix } = catalog.scheme.product;
    const plain = this.#plain()[path];
    if (plain) return [plain];
    if (path === "api") return [discoveryPath("/api/", "getCoreAPIVersions", "core", "APIVersions")];
    if (path === "apis") return [discoveryPath("/apis/", "getAPIVersions", "apis", "APIGroupList")];
    const known = catalog.groups().find((g) => g.name === group);
    if (!known) return undefined;
    if (version !== undefined) {
      return known.versions.includes(version) ? resourcePaths(this.#in, group, version) : undefined;
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

  #text2(): string {
    const items = this.paths().flatMap((path) => {
      const [a, b, c] = path.split("/");
      return this.#itemsOf(path, a === "api" ? "" : b ?? "", a === "api" ? b : c) ?? [];
    });
    const definitions = this.#definitions[2];
    const shared = new SharedParameters();
    const paths = writePaths2(items, definitions, shared, this.#in);
    const security = JSON.stringify({ BearerToken: BEARER });
    return `{"swagger":"2.0","info":${JSON.stringify(this.#info())},"paths":${paths},` +
      `"definitions":${definitions.textOf(messagesOf(items), "all")},"parameters":${JSON.stringify(shared.tree())},` +
      `"securityDefinitions":${security},"security":[{"BearerToken":[]}]}`;
  }
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
