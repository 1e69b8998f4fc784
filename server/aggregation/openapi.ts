/** OpenAPI documents of extension servers: of version 3 listed beside this server's own and passed on, of version 2 merged. */
import type { JsonMap } from "../../schema/model/types.ts";
import { WorkQueue } from "../controllers/queue.ts";
import type { RequestScope } from "../request.ts";
import type { OtherDocument } from "../openapi/merge2.ts";
import type { OtherDocuments } from "../openapi/mod.ts";
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

/** What a server said. */
interface Said {
  /** Its index of version 3: what stands under a path. */
  readonly index: JsonMap;
  /** Its document of version 2, with its tag. */
  readonly version2: { readonly other: OtherDocument; readonly etag: string } | undefined;
}

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
    const registration = registrations.named(name), last = this.#said.get(name);
    if (!registration) return;
    const index = await indexOf(reach, registration);
    const version2 = await documentOf(reach, registration, last?.version2);
    if (!registrations.named(name)) return;
    this.#said.set(name, { index, version2 });
    if (version2 !== last?.version2) this.#version2 = undefined;
    return REFRESH_MS;
  }
}

const JSON_ONLY = [["accept", "application/json"]] as const;

/** Nothing where the server has no documents of version 3. */
async function indexOf(reach: Reach, registration: Registration): Promise<JsonMap> {
  const { status, text } = await reach.ask(registration, "/openapi/v3", JSON_ONLY, LIMIT_MS);
  if (status === 404) return {};
  if (status !== 200) throw new Error(`/openapi/v3 was answered with ${status}`);
  return ((JSON.parse(text) as JsonMap)["paths"] ?? {}) as JsonMap;
}

async function documentOf(
  reach: Reach,
  registration: Registration,
  last: Said["version2"],
): Promise<Said["version2"]> {
  const tag = last?.etag ? [["if-none-match", last.etag] as const] : [];
  const { status, text, headers } = await reach.ask(registration, "/openapi/v2", [...JSON_ONLY, ...tag], LIMIT_MS);
  if (status === 304) return last;
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`/openapi/v2 was answered with ${status}`);
  const prefix = `/apis/${registration.group}/${registration.version}/`;
  const document = JSON.parse(text) as JsonMap | null;
  if (document === null) throw new Error("/openapi/v2 was answered with null");
  return { other: { prefix, document }, etag: headers.get("etag") ?? "" };
}
