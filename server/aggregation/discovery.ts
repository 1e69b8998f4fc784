/** Discovery of all groups, where some are other servers': what those say is fetched, kept and asked for again. */
import type { JsonMap } from "../../schema/model/types.ts";
import type { OtherGroups, OtherVersion } from "../catalog/discovery.ts";
import { WorkQueue } from "../controllers/queue.ts";
import { fetchDocument, type Fetched, type VersionDocument } from "./documents.ts";
import { ordered, type OrderedGroup } from "./order.ts";
import type { Reach } from "./reach.ts";
import type { Registrations } from "./registrations.ts";

/** A document that came is asked for again after so long, ms. */
const REFRESH_MS = 60_000;
/** One that did not come: from the first to the last of growing waits, ms. */
const RETRY_MS = 500;

/** What the documents need. */
export interface ExtensionDiscoveryParts {
  readonly registrations: Registrations;
  readonly reach: Reach;
  /** Group of aggregated discovery, in the dialect. */
  readonly group: string;
  random(): number;
  /** Hears of each object whose server does not say. */
  log(name: string, error: unknown): void;
}

/** A group version of another server. */
interface Known {
  readonly fetched: Fetched | undefined;
  readonly tree: JsonMap;
}

/** See the top of the file. */
export class ExtensionDiscovery implements OtherGroups {
  readonly #parts: ExtensionDiscoveryParts;
  readonly #known = new Map<string, Known>();
  readonly #listeners = new Set<() => void>();
  readonly #queue: WorkQueue;

  constructor(parts: ExtensionDiscoveryParts) {
    this.#parts = parts;
    this.#queue = new WorkQueue({
      workers: 4,
      random: parts.random,
      retryMs: RETRY_MS,
      retryMaxMs: REFRESH_MS,
      onError: (name, e) => parts.log(name, e),
      work: (name) => this.#sync(name),
    });
    parts.registrations.onChange((name) => {
      this.#changed();
      if (parts.registrations.named(name) || this.#known.has(name)) this.#queue.add(name);
    });
  }

  /** Asks until the signal aborts. */
  start(signal: AbortSignal): void {
    this.#queue.start(signal);
  }

  get any(): boolean {
    return this.#parts.registrations.any;
  }

  groups(aggregated: boolean): readonly OrderedGroup[] {
    return ordered(this.#parts.registrations.standings(), aggregated ? "groups" : "objects");
  }

  versions(): Iterable<{ readonly group: string; readonly version: string }> {
    return this.#parts.registrations.others();
  }

  version(group: string, version: string): OtherVersion | undefined {
    const found = this.#parts.registrations.find(group, version);
    return found && { tree: this.#known.get(found.name)?.tree };
  }

  /** What a server serves by its last word; undefined while it does not say. */
  document(name: string): VersionDocument | undefined {
    return this.#known.get(name)?.fetched?.document;
  }

  claimed(group: string, version: string): boolean {
    return this.#parts.registrations.standings().get(`${version}.${group}`)?.managed === false;
  }

  /** Calls back when what a server says may be another; gives what ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }

  async #sync(name: string): Promise<number | void> {
    const { registrations, reach, group } = this.#parts;
    const registration = registrations.named(name);
    if (!registration) return this.#put(name, undefined);
    try {
      const fetched = await fetchDocument(reach, registration, group, this.#known.get(name)?.fetched);
      this.#put(name, { fetched, tree: { ...fetched.document, freshness: "Current" } as unknown as JsonMap });
      return REFRESH_MS;
    } catch (e) {
      this.#put(name, { fetched: undefined, tree: { version: registration.version, freshness: "Stale" } });
      throw e;
    }
  }

  #put(name: string, known: Known | undefined): void {
    if (known) this.#known.set(name, known);
    else this.#known.delete(name);
    this.#changed();
  }
}
