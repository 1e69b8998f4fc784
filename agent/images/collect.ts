/** Takes images away that nobody uses: when the disk is full, or when they are old. */
import type { LogLine } from "../../schema/log/log.ts";
import { aggregateText } from "../../schema/values/aggregate_text.ts";
import { nanosToDuration } from "../../schema/values/duration.ts";
import { faultText } from "../runtime/fault_text.ts";
import { type Runtime, RuntimeError } from "../runtime/types.ts";
import { NO_TRACES, type Traces } from "../tracing/traces.ts";
import type { Clock, Events } from "../types.ts";
import type { ImageMetrics } from "./metrics.ts";
import type { CollectOptions } from "./options.ts";
import type { PulledImages } from "./pulled.ts";

/** Bytes of a file system. */
export interface Disk {
  readonly capacity: number;
  readonly available: number;
}

/** What it needs of the agent. */
export interface CollectParts {
  readonly runtime: Pick<
    Runtime,
    "listImages" | "listContainers" | "containerStatus" | "removeImage" | "imageFilesystems"
  >;
  readonly pulled: PulledImages;
  readonly metrics: ImageMetrics;
  readonly events: Events;
  readonly clock: Clock;
  readonly log: LogLine;
  /** Of the file system that holds the path. */
  readonly disk: (path: string) => Promise<Disk>;
  /** Absent: nothing is traced. */
  readonly traces?: Traces;
}

interface Record {
  readonly id: string;
  /** ms; used 0: never seen in use. */
  readonly seen: number;
  used: number;
  size: number;
  pinned: boolean;
}

const EVERY = 5 * 60_000;

/** See the top of the file. */
export class ImageCollector {
  readonly #records = new Map<string, Record>();
  readonly #began: number;

  constructor(readonly options: CollectOptions, readonly parts: CollectParts) {
    this.#began = parts.clock.ticks();
  }

  /** Looks every five minutes, until the signal ends it. Failures are told in the log, repeated ones by an event. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, events, log, traces = NO_TRACES } = this.parts;
    const collect = () => traces.work("Images/GarbageCollect", () => ({}), () => this.collect());
    const collects = this.options.imageGcHighThreshold < 100 || this.options.imageMaximumGCAge > 0;
    for (let failed = false; !signal.aborted; await clock.wait(EVERY, signal)) {
      try {
        await (collects ? collect() : this.#look(clock.ticks()));
        failed = false;
      } catch (e) {
        log("error", "images could not be collected", e);
        if (failed) events.node("Warning", "ImageGCFailed", faultText(e));
        failed = true;
      }
    }
  }

  /** Once. @throws Error when space is needed and cannot be made */
  async collect(): Promise<void> {
    const { clock, events } = this.parts;
    const now = clock.ticks();
    const unused = await this.#freeOld(await this.#unused(now), now);
    const { capacity, available: told } = await this.#disk();
    const available = Math.min(told, capacity);
    if (capacity === 0) {
      const message = "invalid capacity 0 on image filesystem";
      events.node("Warning", "InvalidDiskCapacity", message);
      throw new Error(message);
    }
    const percent = 100 - Math.trunc(available * 100 / capacity);
    const { imageGcHighThreshold: high, imageGcLowThreshold: low } = this.options;
    if (percent < high) return;
    const wanted = Math.trunc(capacity * (100 - low) / 100) - available;
    const freed = await this.#free(unused, wanted, now);
    if (freed >= wanted) return;
    const message =
      `Insufficient free disk space on the node's image filesystem (${percent}% of ${
        sizeText(capacity)
      } used). Failed to free sufficient space by deleting unused images (freed ${freed} bytes). ` +
      "Investigate disk usage, as it could be used by active images, logs, volumes, or other data.";
    events.node("Warning", "FreeDiskSpaceFailed", message);
    throw new Error(message);
  }

  /** All that nobody uses, however much space there is. @throws Error when some could not be taken away */
  async deleteUnused(): Promise<void> {
    const now = this.parts.clock.ticks();
    await this.#free(await this.#unused(now), Infinity, now);
  }

  /** Where images lie. */
  async #disk(): Promise<Disk> {
    const [usage] = await this.parts.runtime.imageFilesystems();
    if (!usage?.fsId) throw new Error("the runtime does not say where images lie");
    return await this.parts.disk(usage.fsId.mountpoint);
  }

  /** What may go, the longest unused first. */
  async #unused(now: number): Promise<Record[]> {
    const used = await this.#look(now);
    return [...this.#records.values()].filter(({ id, pinned }) => !pinned && !used.has(id))
      .sort((a, b) => a.used - b.used || a.seen - b.seen);
  }

  /** Brings the records up to date. Returns the ids of images in use. @param now when those that are new count as seen */
  async #look(now: number): Promise<ReadonlySet<string>> {
    const { clock, runtime, pulled } = this.parts;
    const known = pulled.refs;
    const images = await runtime.listImages();
    const containers = await runtime.listContainers();
    const used = new Set(containers.map((c) => c.imageId || c.imageRef));
    for (const { id } of containers) for (const image of await mountedImages(runtime, id)) used.add(image);
    for (const { id, size, pinned } of images) {
      const record = this.#records.get(id) ?? { id, seen: now, used: 0, size, pinned };
      this.#records.set(id, Object.assign(record, { size, pinned }, used.has(id) ? { used: clock.ticks() } : {}));
    }
    const there = new Set(images.map(({ id }) => id));
    for (const id of this.#records.keys()) if (!there.has(id)) this.#records.delete(id);
    await pulled.forget(known.filter((ref) => !there.has(ref)));
    return used;
  }

  /** Takes away what is too old. Returns the others. */
  async #freeOld(unused: readonly Record[], now: number): Promise<readonly Record[]> {
    const age = this.options.imageMaximumGCAge;
    // Before that nobody knows how long an image was not used.
    if (age === 0 || now - this.#began <= age) return unused;
    const old = unused.filter(({ used }) => now - used > age);
    const faults = await this.#removeAll(old, "age");
    if (faults.length > 0) {
      const limit = nanosToDuration(BigInt(age) * 1_000_000n);
      throw new Error(
        `wanted to free images older than ${limit}, encountered errors in image deletion: ${aggregateText(faults)}`,
      );
    }
    return unused.filter((record) => !old.includes(record));
  }

  /** Takes images away until so many bytes are free. Returns how many. */
  async #free(unused: readonly Record[], wanted: number, now: number): Promise<number> {
    const faults: string[] = [];
    let freed = 0;
    for (const record of unused) {
      if (freed >= wanted) break;
      if (record.used >= now || now - record.seen < this.options.minimumImageTtlDuration) continue;
      const failed = await this.#removeAll([record], "space");
      if (failed.length === 0) freed += record.size;
      faults.push(...failed);
    }
    if (faults.length === 0) return freed;
    throw new Error(
      `wanted to free ${wanted} bytes, but freed ${freed} bytes space with errors in image deletion: ${
        aggregateText(faults)
      }`,
    );
  }

  /** Returns what went wrong. */
  async #removeAll(records: readonly Record[], why: "age" | "space"): Promise<string[]> {
    const faults: string[] = [];
    for (const { id, size } of records) {
      this.parts.log("info", `removing image ${id} of ${size} bytes that nobody uses`);
      try {
        await this.parts.runtime.removeImage({ image: id });
        this.#records.delete(id);
        this.parts.metrics.collected(why);
      } catch (e) {
        faults.push(faultText(e));
      }
    }
    return faults;
  }
}

/** Images that a container has as volumes. One that is gone has none. @throws RuntimeError */
async function mountedImages(runtime: Pick<Runtime, "containerStatus">, id: string): Promise<readonly string[]> {
  try {
    const { mounts } = await runtime.containerStatus(id);
    return mounts.flatMap(({ image }) => image ? [image.image] : []);
  } catch (e) {
    if (e instanceof RuntimeError && e.code === "NotFound") return [];
    throw e;
  }
}

const UNITS = ["KiB", "MiB", "GiB", "TiB"];

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const power = Math.min(UNITS.length, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(1)} ${UNITS[power - 1]}`;
}
