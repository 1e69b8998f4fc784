/** Waiting for something to happen to files. */
import { basename, dirname } from "node:path";

/** Tells that something happened at a path. One that cannot be watched, as it is not there, says nothing. */
export class PathWatch {
  #watcher: Deno.FsWatcher | undefined;
  #dirty = false;
  #wake = () => {};

  constructor(readonly path: string, readonly signal: AbortSignal) {
    signal.addEventListener("abort", () => this.#end(), { once: true });
  }

  /** What happens from now on counts. */
  begin(): void {
    this.#dirty = false;
    if (this.#watcher || this.signal.aborted) return;
    try {
      const directory = Deno.statSync(this.path).isDirectory;
      // Of a single file its directory: editors put another file in its place.
      this.#watcher = Deno.watchFs(directory ? this.path : dirname(this.path), { recursive: false });
      // One that fails is as good as none: files are looked at then, and watched anew.
      this.#listen(this.#watcher, directory ? undefined : basename(this.path)).catch(() => this.#end());
    } catch {
      this.#watcher = undefined;
    }
  }

  /** Waits until something happened, or the other wait is over. */
  async changed(or: (stop: AbortSignal) => Promise<void>): Promise<void> {
    const stop = new AbortController();
    this.#wake = () => stop.abort();
    if (this.#dirty || this.signal.aborted) stop.abort();
    await or(stop.signal);
    this.#wake = () => {};
  }

  async #listen(watcher: Deno.FsWatcher, only: string | undefined): Promise<void> {
    for await (const event of watcher) {
      if (event.kind === "access") continue;
      const names = event.paths.map((p) => basename(p));
      // The path itself may have gone: it is watched anew then.
      if (event.paths.includes(this.path) && event.kind === "remove") this.#end();
      if (names.some((name) => only ? name === only : !name.startsWith("."))) this.#tell();
    }
  }

  #tell(): void {
    this.#dirty = true;
    this.#wake();
  }

  #end(): void {
    try {
      this.#watcher?.close();
    } catch {
      // It ended by itself.
    }
    this.#watcher = undefined;
    this.#tell();
  }
}
