/** A watch as a stream of bytes. */
import { StatusError } from "../../schema/status.ts";
import type { WatchBatch, WatchEnded, Watcher } from "../cache/mod.ts";
import { closesList, errorObject, lastWord, type WatchRun } from "./watch_run.ts";

/** The stream of a watch: a batch is taken when the client has read the one before, and nothing waits here. */
export const watchStream = (run: WatchRun): ReadableStream<Uint8Array> =>
  new ReadableStream(new Sender(run), { highWaterMark: 0 });

/** Hands batches on as they come: one promise each, since an event to a thousand watchers makes a thousand of every one. */
class Sender implements UnderlyingDefaultSource<Uint8Array> {
  readonly #run: WatchRun;
  readonly #end = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout>;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #watcher: Watcher | undefined;
  /** A batch is waited for. */
  #asking = false;
  #over = false;
  /** Nobody reads any more. */
  #left = false;

  constructor(run: WatchRun) {
    this.#run = run;
    const { source } = run;
    if (typeof source === "object" && !(source instanceof StatusError)) this.#watcher = source;
    this.#timer = setTimeout(this.#stop, Math.max(0, run.lifeMs));
    run.gone.addEventListener("abort", this.#stop, { once: true });
    run.ending.heard = this.#overtaken;
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller;
    // Who goes while the request waits to be let in is not told of any more.
    if (this.#run.gone.aborted) this.#stop();
  }

  pull(): void {
    if (this.#watcher) this.#ask(this.#watcher);
    else this.#open();
  }

  cancel(): void {
    this.#left = true;
    this.#end.abort();
    this.#finish();
  }

  #open(): void {
    const { source } = this.#run;
    if (typeof source === "function") source(this.#end.signal).then(this.#opened, this.#fail);
    else this.#fail(source);
  }

  readonly #opened = (watcher: Watcher): void => {
    this.#watcher = watcher;
    if (this.#over) watcher.close();
    else if (this.#end.signal.aborted) this.#close();
    else this.#ask(watcher);
  };

  #ask(watcher: Watcher): void {
    this.#asking = true;
    watcher.next().then(this.#send, this.#fail);
  }

  /** The watch has ended by itself. Who waits for a batch is told by that; a client that reads nothing would never ask. */
  readonly #overtaken = (error: WatchEnded): void => {
    if (!this.#asking && !this.#over) this.#last(error);
  };

  #last(error: WatchEnded): void {
    const told = lastWord(error);
    if (told) this.#fail(told);
    else this.#close();
  }

  readonly #send = (batch: WatchBatch | undefined): void => {
    this.#asking = false;
    if (this.#over) return;
    if (!batch) return this.#close();
    const { store: { cache }, frames, tally, listed } = this.#run;
    try {
      if (batch.events.length > 0) {
        const bytes = cache.batchBytes(batch, frames.form, frames);
        this.#write(bytes);
        tally?.sent(bytes, cache.lengthsIn(bytes));
        if (listed && closesList(batch)) listed();
      }
      if (batch.error) this.#last(batch.error);
    } catch (e) {
      this.#fail(e);
    }
  };

  /** Tells the client, unless the watch is at its end. That a version has not come until then is told too: nothing was sent yet. */
  readonly #fail = (e: unknown): void => {
    if (this.#over) return;
    const { frames, gone } = this.#run;
    const late = !this.#watcher && e instanceof StatusError && !gone.aborted;
    if (late || !this.#end.signal.aborted) this.#write(frames.error(errorObject(e)));
    this.#close();
  };

  /** Time is over, the client has gone, or the server stops. Who is still opening is told by the signal, and fails. */
  readonly #stop = (): void => {
    this.#end.abort();
    if (this.#watcher && !this.#over) this.#close();
  };

  #write(bytes: Uint8Array): void {
    this.#controller!.enqueue(this.#run.gzip?.part(bytes) ?? bytes);
  }

  #close(): void {
    this.#finish();
    if (this.#run.gzip && !this.#left) this.#controller!.enqueue(this.#run.gzip.end());
    // Who is handed bytes may leave at that: the runtime does where the client has gone.
    if (!this.#left) this.#controller!.close();
  }

  #finish(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#run.gone.removeEventListener("abort", this.#stop);
    this.#watcher?.close();
    this.#run.ended();
  }
}
