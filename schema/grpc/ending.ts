/** What ends a call from this side: its time, its signal, or the client's end. */
import { GrpcError } from "./status.ts";

/** How long a call may take, connecting included, ms; and what ends it before. */
export interface CallLimits {
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Of a call that was cancelled here. */
export const cancelled = (): GrpcError => new GrpcError("Canceled", "Cancelled on client");

const tooLate = (timeout: number): GrpcError =>
  new GrpcError("DeadlineExceeded", `Deadline exceeded after ${timeout / 1000}s`);

/** Timers take no more, ms: what is longer has none. */
const LONGEST = 2 ** 31 - 1;

/** See the top of the file. */
export class Ending {
  readonly #until: number | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #stopped: (ending: Ending) => void;
  #error: GrpcError | undefined;
  #tell: (e: GrpcError) => void = () => {};

  /** @param stopped told when nothing is to be ended any more @throws GrpcError when the signal is aborted */
  constructor({ timeout, signal }: CallLimits, stopped: (ending: Ending) => void) {
    if (signal?.aborted) throw cancelled();
    this.#stopped = stopped;
    this.#signal = signal;
    if (timeout !== undefined && timeout < Infinity) this.#until = performance.now() + timeout;
    signal?.addEventListener("abort", this.#cancel, { once: true });
    if (timeout !== undefined && timeout <= LONGEST) {
      this.#timer = setTimeout(() => this.end(tooLate(timeout)), timeout);
    }
  }

  /** Time that is left, ms, above 0; undefined: no end of it. */
  get left(): number | undefined {
    return this.#until === undefined ? undefined : Math.max(this.#until - performance.now(), 1);
  }

  get late(): boolean {
    return this.#until !== undefined && performance.now() >= this.#until;
  }

  /** Who is told; at once when it has ended. The last one that was given. */
  tell(told: (e: GrpcError) => void): void {
    this.#tell = told;
    if (this.#error) told(this.#error);
  }

  /** The promise; rejects when the end comes first. */
  during<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.tell(reject);
      promise.then(resolve, reject);
    });
  }

  /** Resolves after so many ms; rejects when the end comes first. */
  pause(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const passed = new Promise<void>((resolve) => timer = setTimeout(resolve, ms));
    return this.during(passed).finally(() => clearTimeout(timer));
  }

  get ended(): boolean {
    return this.#error !== undefined;
  }

  end(error: GrpcError): void {
    if (this.#error) return;
    this.#error = error;
    this.stop();
    this.#tell(error);
  }

  /** The call is over. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.#cancel);
    this.#stopped(this);
  }

  readonly #cancel = (): void => this.end(cancelled());
}
