/** The images of a node for its status. */
import type { ContainerImage } from "../../schema/api/core_v1.ts";
import type { LogLine } from "../../schema/log/log.ts";
import type { Runtime, RuntimeImage } from "../runtime/types.ts";
import type { Clock } from "../types.ts";

/** Asked for again so often, ms. */
const EVERY = 30_000;
/** Names of an image at most. */
const MOST_NAMES = 5;

/** See the top of the file. */
export class ImageList {
  #images: readonly RuntimeImage[] = [];

  constructor(readonly runtime: Pick<Runtime, "listImages">, readonly clock: Clock, readonly log: LogLine) {}

  /** Keeps it up to date until the signal ends it. */
  async run(signal: AbortSignal): Promise<void> {
    for (; !signal.aborted; await this.clock.wait(EVERY, signal)) {
      await this.refresh().catch((e) => this.log("warn", "images could not be listed", e));
    }
  }

  /** Asks the runtime. @throws RuntimeError */
  async refresh(): Promise<void> {
    const images = [...await this.runtime.listImages()];
    this.#images = images.sort((a, b) => b.size - a.size || (a.id < b.id ? 1 : -1));
  }

  /** As of the last time, the largest first. @param max of `--node-status-max-images`; -1: all */
  images(max: number): ContainerImage[] {
    const shown = max < 0 ? this.#images : this.#images.slice(0, max);
    return shown.map(({ repoDigests, repoTags, size }) => ({
      names: [...repoDigests, ...repoTags].slice(0, MOST_NAMES),
      sizeBytes: size,
    }));
  }
}
