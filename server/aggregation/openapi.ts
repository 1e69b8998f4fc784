/** OpenAPI documents of extension servers: of version 3 listed beside this server's own and passed on, of version 2 merged. */
import { createHash } from "node:crypto";
import { isMap } from "../../schema/model/members.ts";
import type { Json, JsonMap } from "../../schema/model/types.ts";
import { WorkQueue } from "../controllers/queue.ts";
import type { RequestScope } from "../request.ts";
import type { OtherDocument } from "../openapi/merge2.ts";
import type { OtherDocuments } from "../openapi/mod.ts";
import { encodeDocument2 } from "../openapi/protobuf.ts";
import type { Reach } from "./reach.ts";
import type { Registration, Registrations } from "./registrations.ts";

/** Within this time a server gives its index, ms. */
const LIMIT_MS = 60_000;
/** An index that came is asked for again after so long; one that did not, from the first to the last of growing waits, ms. */
const REFRESH_MS = 60_000;
const RETRY_MS = 1000;
const RETRY_MAX_MS = 3_600_000;

/** What the documents need. */
export interface ExtensionOpenApiParts {
  readonly registrations: Registrations;
  readonly reach: Reach;
  pass(scope: RequestScope, registration: Registration): Promise<Response>;
  random(): number;
  /** Hears of each object whose server does not say. */
  log(name: string, error: unknown): void;
}

/** What a server said last, of either version. */
interface Said {
  /** Its index of version 3: what stands under a path. */
  readonly index: JsonMap;
  readonly version2: Version2 | undefined;
}

/** A document of version 2. */
interface Version2 {
  readonly other: OtherDocument;
  /** The server's tag; empty without. */
  readonly etag: string;
  /** Hash of the text. */
  readonly hash: string;
}

const NOTHING: Said = { index: {}, version2: undefined };

/** See the top of the file. */
export class ExtensionOpenApi implements OtherDocuments {
  readonly #parts: ExtensionOpenApiParts;
  /** By registration. */
  readonly #said = new Map<string, Said>();
  readonly #queue: WorkQueue;
  #version2: readonly OtherDocument[] | undefined;

  constructor(parts: ExtensionOpenApiParts) {
    this.#parts = parts;
    this.#queue = new WorkQueue({
      workers: 2,
      random: parts.random,
      retryMs: RETRY_MS,
      retryMaxMs: RETRY_MAX_MS,
      onError: (name, e) => parts.log(name, e),
      work: (name) => this.#sync(name),
    });
    parts.registrations.onChange((name) => {
      if (parts.registrations.named(name)) this.#queue.add(name);
      else if (this.#said.delete(name)) this.#version2 = undefined;
    });
  }

  /** Asks until the signal aborts. */
  start(signal: AbortSignal): void {
    this.#queue.start(signal);
  }

  paths(): JsonMap {
    return Object.assign({}, ...[...this.#said.values()].map((s) => s.index));
  }

  version2(): readonly OtherDocument[] {
    return this.#version2 ??= [...this.#said].sort(([a], [b]) => a < b ? -1 : 1)
      .map(([, said]) => said.version2?.other).filter((d) => d !== undefined);
  }

  answer(scope: RequestScope, path: string): Promise<Response> | undefined {
    for (const [name, { index }] of this.#said) {
      const registration = Object.hasOwn(index, path) ? this.#parts.registrations.named(name) : undefined;
      if (registration) return this.#parts.pass(scope, registration);
    }
    return undefined;
  }

  async #sync(name: string): Promise<number | void> {
    const { registrations, reach } = this.#parts;
    const registration = registrations.named(name);
    if (!registration) return;
    const last = this.#said.get(name) ?? NOTHING;
    const [index, version2] = await Promise.allSettled([
      indexOf(reach, registration),
      documentOf(reach, registration, last.version2),
    ]);
    if (!registrations.named(name)) return;
    const said = { index: valueOf(index, last.index), version2: valueOf(version2, last.version2) };
    this.#said.set(name, said);
    if (said.version2?.other !== last.version2?.other) this.#version2 = undefined;
    for (const one of [index, version2]) if (one.status === "rejected") throw one.reason;
    return REFRESH_MS;
  }
}

const valueOf = <T>(settled: PromiseSettledResult<T>, otherwise: T): T =>
  settled.status === "fulfilled" ? settled.value : otherwise;

const JSON_ONLY = [["accept", "application/json"]] as const;

/** Nothing where the server has no documents of version 3. */
async function indexOf(reach: Reach, registration: Registration): Promise<JsonMap> {
  const { status, text } = await reach.ask(registration, "/openapi/v3", JSON_ONLY, LIMIT_MS);
  if (status === 404) return {};
  if (status !== 200) throw new Error(`/openapi/v3 was answered with ${status}`);
  const { paths } = mapOf(JSON.parse(text));
  return Object.fromEntries(
    Object.entries(mapOf(paths ?? {})).map(([path, item]) => [path, { serverRelativeURL: urlOf(item) }]),
  );
}

/** @throws Error for what is no map */
function mapOf(tree: Json | undefined): JsonMap {
  if (isMap(tree)) return tree;
  throw new Error("an OpenAPI document is of another type");
}

/** Where the index says that a document is. @throws Error where it says none */
function urlOf(item: Json | undefined): string {
  const { serverRelativeURL = "" } = mapOf(item);
  if (typeof serverRelativeURL === "string") return serverRelativeURL;
  throw new Error("an index of OpenAPI documents is of another type");
}

async function documentOf(
  reach: Reach,
  registration: Registration,
  last: Version2 | undefined,
): Promise<Version2 | undefined> {
  const tag = last?.etag ? [["if-none-match", last.etag] as const] : [];
  const { status, text, headers } = await reach.ask(registration, "/openapi/v2", [...JSON_ONLY, ...tag], LIMIT_MS);
  if (status === 304) return last;
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`/openapi/v2 was answered with ${status}`);
  const etag = headers.get("etag") ?? "", hash = createHash("sha512").update(text).digest("hex");
  if (hash === last?.hash) return { ...last, etag };
  const prefix = `/apis/${registration.group}/${registration.version}/`;
  const document = mapOf(JSON.parse(text));
  // What has no form of old is no such document: it would spoil that of all.
  encodeDocument2(document);
  return { other: { prefix, document }, etag, hash };
}
