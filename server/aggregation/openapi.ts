/** OpenAPI documents of version 3 that extension servers have: listed beside this server's own, and passed on. */
import type { JsonMap } from "../../schema/model/types.ts";
import { WorkQueue } from "../controllers/queue.ts";
import type { RequestScope } from "../request.ts";
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

/** See the top of the file. */
export class ExtensionOpenApi implements OtherDocuments {
  readonly #parts: ExtensionOpenApiParts;
  /** Indexes by registration: what stands under a path. */
  readonly #indexes = new Map<string, JsonMap>();
  readonly #queue: WorkQueue;

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
      if (!parts.registrations.named(name)) this.#indexes.delete(name);
      else this.#queue.add(name);
    });
  }

  /** Asks until the signal aborts. */
  start(signal: AbortSignal): void {
    this.#queue.start(signal);
  }

  paths(): JsonMap {
    return Object.assign({}, ...this.#indexes.values());
  }

  answer(scope: RequestScope, path: string): Promise<Response> | undefined {
    for (const [name, index] of this.#indexes) {
      const registration = Object.hasOwn(index, path) ? this.#parts.registrations.named(name) : undefined;
      if (registration) return this.#parts.pass(scope, registration);
    }
    return undefined;
  }

  async #sync(name: string): Promise<number | void> {
    const { registrations, reach } = this.#parts;
    const registration = registrations.named(name);
    if (!registration) return;
    const { status, text } = await reach.ask(registration, "/openapi/v3", [["accept", "application/json"]], LIMIT_MS);
    if (status !== 200 && status !== 404) throw new Error(`/openapi/v3 was answered with ${status}`);
    const paths = status === 404 ? undefined : (JSON.parse(text) as JsonMap)["paths"];
    if (registrations.named(name)) this.#indexes.set(name, (paths ?? {}) as JsonMap);
    return REFRESH_MS;
  }
}
