/** A tiny kind for cache tests: JSON stored without its version, and a cacher over a memory store. */
import { memoryBackend } from "../../server/storage/memory.ts";
import type { Backend } from "../../server/storage/backend.ts";
import {
  type CachedResource,
  Cacher,
  type CacherOptions,
  type Entry,
  type EntryCodec,
  type Form,
  type Obj,
  type WatchBatch,
  type Watcher,
  type WatchEvent,
} from "../../server/cache/mod.ts";
import { jsonLines } from "../fixture/json_lines.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

export const json: Form = { key: "v1/json", version: "v1", media: "json", as: "object" };
export const meta: Form = { key: "v1/json;meta", version: "v1", media: "json", as: "metadata" };
export const lines = jsonLines("test", (event) => encode({ metadata: { resourceVersion: String(event.revision) } }));

export function encode(object: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(object));
}

export function text(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** A codec that counts what it does. */
export class CountingCodec implements EntryCodec {
  decoded = 0;
  encoded = 0;

  decode(stored: Uint8Array, revision: number): Obj {
    this.decoded++;
    const object = JSON.parse(decoder.decode(stored)) as { metadata: Obj } & Obj;
    object.metadata["resourceVersion"] = String(revision);
    return object;
  }

  encode(object: Obj, form: Form): Uint8Array {
    this.encoded++;
    return encode(form.as === "metadata" ? { metadata: object["metadata"] } : object);
  }

  facts(object: Obj) {
    const { metadata, spec } = object as {
      metadata: { uid?: string; labels?: Record<string, string> };
      spec?: { nodeName?: string };
    };
    const fields = spec?.nodeName === undefined ? undefined : { "spec.nodeName": spec.nodeName };
    return {
      uid: metadata.uid ?? "",
      ...(metadata.labels === undefined ? {} : { labels: metadata.labels }),
      ...(fields === undefined ? {} : { fields }),
    };
  }
}

export interface Shape {
  readonly namespace?: string;
  readonly name: string;
  readonly labels?: Record<string, string>;
  readonly nodeName?: string;
  readonly value?: number | string;
}

/** An object of the kind. */
export function object({ namespace, name, labels, nodeName, value }: Shape): Obj {
  return {
    apiVersion: "v1",
    kind: "Thing",
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), uid: `u-${name}`, ...(labels && { labels }) },
    spec: { ...(nodeName === undefined ? {} : { nodeName }), ...(value === undefined ? {} : { value }) },
  };
}

/** A running cacher of `pods` (namespaced) and `nodes`. */
export class Fixture implements AsyncDisposable {
  readonly codec = new CountingCodec();
  readonly errors: Error[] = [];
  readonly cacher: Cacher;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;
  now = 1_000_000;

  constructor(readonly backend: Backend = memoryBackend(), options: Partial<CacherOptions> = {}) {
    this.cacher = new Cacher(backend, [this.resource("pods", true), this.resource("nodes", false)], {
      now: () => this.now,
      random: () => 0,
      onError: (error) => this.errors.push(error),
      ...options,
    });
  }

  resource(id: string, namespaced: boolean): CachedResource {
    return { id, prefix: `/registry/${id}/`, namespaced, codec: this.codec, indexFields: ["spec.nodeName"] };
  }

  async start(): Promise<this> {
    this.#running = this.cacher.start(this.#stop.signal);
    await this.cacher.whenReady();
    return this;
  }

  get pods() {
    return this.cacher.mustHave("pods");
  }

  get nodes() {
    return this.cacher.mustHave("nodes");
  }

  /** Writes an object and returns its revision. */
  async put(shape: Shape, note?: unknown): Promise<number> {
    const value = encode(object(shape));
    return await this.#commit(keyOf(shape), value, note);
  }

  async remove(shape: Shape): Promise<number> {
    return await this.#commit(keyOf(shape), null, undefined);
  }

  async #commit(key: string, value: Uint8Array | null, note: unknown): Promise<number> {
    const result = await this.backend.commit([{ key, value, note }]);
    if (!result.ok) throw new Error("conflict");
    return result.revisions[0]!;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.backend.close();
  }
}

function keyOf({ namespace, name }: Shape): string {
  return namespace === undefined ? `/registry/nodes/${name}` : `/registry/pods/${namespace}/${name}`;
}

/** What an entry says of itself, read through its JSON bytes. */
export function seen(entry: Entry): string {
  const { metadata, spec } = JSON.parse(text(entry.bytes(json)));
  return `${metadata.namespace === undefined ? "" : `${metadata.namespace}/`}${metadata.name}=${
    spec.value ?? ""
  }@${metadata.resourceVersion}`;
}

/** An event in a line. */
export function told(event: WatchEvent): string {
  if (event.type === "BOOKMARK") return `BOOKMARK${event.initialEnd === true ? "!" : ""} ${event.revision}`;
  return `${event.type} ${seen(event.entry)}`;
}

/** Takes events until so many came. */
export async function take(watcher: Watcher, count: number): Promise<string[]> {
  const events: string[] = [];
  while (events.length < count) {
    const batch: WatchBatch | undefined = await watcher.next();
    if (batch === undefined) break;
    events.push(...batch.events.map(told));
    if (batch.error !== undefined) events.push(batch.error.reason);
  }
  return events;
}
