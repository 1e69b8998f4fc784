/** The pods that this node is to run: those of all sources, put together. */
import type { Pod } from "../../schema/api/core_v1.ts";
import type { LogLine } from "../../schema/log/log.ts";
import type { Product } from "../../schema/product.ts";
import type { Clock, Events, Source, SourceName } from "../types.ts";
import { isMirror, SEEN, SOURCE } from "./annotations.ts";

/** Pause before a source that failed runs again, ms. */
const RESTART_MS = 1_000;

/** Who gets what the sources came to. */
export interface PodSetParts {
  readonly sources: readonly Source[];
  readonly product: Product;
  readonly clock: Clock;
  readonly events: Events;
  readonly log: LogLine;
  /** Fulfilled once the API server has told of this node, by which its pods are judged, or with the signal. */
  nodeKnown(signal: AbortSignal): Promise<void>;
  /** All pods to run, each with its source and the time when it was first seen in its annotations. */
  set(pods: readonly Pod[]): void;
  /** Static pods, and all pods of the API server that stand for one. */
  mirrors(statics: readonly Pod[], mirrors: readonly Pod[]): void;
}

/** A pod as a source delivered it. */
interface Given {
  readonly source: SourceName;
  readonly given: Pod;
}

/** One that is taken. */
interface Seen extends Given {
  /** When it was first seen. */
  readonly at: string;
  readonly pod: Pod;
}

/** Puts the sources together. Pods that are there first keep their names. */
export class PodSet {
  readonly #sources = new Map<SourceName, readonly Pod[]>();
  /** By source and uid, those first seen first. */
  #pods = new Map<string, Seen>();
  #refused: ReadonlySet<string> = new Set();

  constructor(readonly parts: PodSetParts) {}

  /** Whether each source has said what it has. Until then what is missing may only be late. */
  allDelivered(): boolean {
    return this.parts.sources.every(({ name }) => this.#sources.has(name));
  }

  /** A pod that is taken, as its source has it now. */
  find(uid: string): Pod | undefined {
    for (const source of this.#sources.keys()) {
      const seen = this.#pods.get(`${source}/${uid}`);
      if (seen) return seen.pod;
    }
    return undefined;
  }

  /** Runs the sources until the signal ends them. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.parts.sources.map((source) => this.#follow(source, signal)));
  }

  async #follow(source: Source, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.parts;
    while (!signal.aborted) {
      try {
        if (source.name === "api") await this.parts.nodeKnown(signal);
        if (signal.aborted) return;
        await source.run((pods) => this.deliver(source.name, pods), signal);
      } catch (e) {
        log("error", "A source of pods failed", { source: source.name, err: (e as Error).message });
      }
      await clock.wait(RESTART_MS, signal);
    }
  }

  /** Takes the whole set of a source. */
  deliver(source: SourceName, pods: readonly Pod[]): void {
    this.#sources.set(source, pods);
    const { product } = this.parts;
    const given = new Map<string, Given>();
    for (const [source, pods] of this.#sources) {
      for (const pod of pods) {
        if (source !== "api" || !isMirror(pod, product)) {
          given.set(`${source}/${pod.metadata!.uid}`, { source, given: pod });
        }
      }
    }
    this.#pods = this.#merged(given);
    const all = [...this.#pods.values()];
    this.parts.set(all.map(({ pod }) => pod));
    const statics = all.filter((s) => s.source !== "api").map(({ pod }) => pod);
    this.parts.mirrors(statics, (this.#sources.get("api") ?? []).filter((pod) => isMirror(pod, product)));
  }

  #merged(given: ReadonlyMap<string, Given>): Map<string, Seen> {
    const merged = new Map<string, Seen>();
    const names = new Set<string>();
    const take = (key: string, seen: Seen) => {
      names.add(fullName(seen.given));
      merged.set(key, seen);
    };
    for (const [key, seen] of this.#pods) {
      const now = given.get(key);
      if (now) take(key, now.given === seen.given ? seen : this.#seen(now, seen.at));
    }
    for (const [key, now] of given) {
      if (merged.has(key)) continue;
      if (!names.has(fullName(now.given))) take(key, this.#seen(now, new Date(this.parts.clock.now()).toISOString()));
      else if (!this.#refused.has(key)) this.#refuse(now);
    }
    this.#refused = new Set([...given.keys()].filter((key) => !merged.has(key)));
    return merged;
  }

  #seen({ source, given }: Given, at: string): Seen {
    const { product } = this.parts;
    const own = { [product.local(SOURCE)]: source, [product.local(SEEN)]: at };
    const metadata = { ...given.metadata, annotations: { ...given.metadata!.annotations, ...own } };
    return { source, given, at, pod: { ...given, metadata } };
  }

  #refuse({ source, given }: Given): void {
    const { namespace, name, uid } = given.metadata!;
    const said = `${name}_${namespace}(${uid}) from ${source} due to duplicate pod name ${JSON.stringify(name)}`;
    this.parts.events.pod(given, "Warning", "FailedValidation", `Error validating pod ${said}, ignoring`);
  }
}

const fullName = ({ metadata }: Pod): string => `${metadata!.namespace}/${metadata!.name}`;
