/** When the host last began and ended to shut down gracefully: metrics that outlast it. */
import { Gauge, type Registry } from "prom-client";

/** Of a time that is not there. */
const NEVER = "0001-01-01T00:00:00Z";

/** See the top of the file. */
export class ShutdownTimes {
  readonly #start: Gauge;
  readonly #end: Gauge;

  /** @param path of the file that keeps them */
  constructor(readonly path: string, metrics: Registry) {
    const of = (which: string) => ({
      name: `kubelet_graceful_shutdown_${which}_time_seconds`,
      help: `Last graceful shutdown ${which} time since unix epoch in seconds`,
      registers: [metrics],
    });
    this.#start = new Gauge(of("start"));
    this.#end = new Gauge(of("end"));
  }

  /** Tells those that are kept. @throws Error: they cannot be read */
  async restore(): Promise<void> {
    const text = await Deno.readTextFile(this.path).catch((e) => {
      if (e instanceof Deno.errors.NotFound) return undefined;
      throw e;
    });
    if (text === undefined) return;
    const { startTime, endTime } = JSON.parse(text) as { startTime?: string; endTime?: string };
    this.#start.set(seconds(startTime));
    this.#end.set(seconds(endTime));
  }

  /** Tells and keeps them, ms. @throws Error: they are not kept */
  async set(start: number, end?: number): Promise<void> {
    const startTime = new Date(start).toISOString(), endTime = end === undefined ? NEVER : new Date(end).toISOString();
    this.#start.set(seconds(startTime));
    this.#end.set(seconds(endTime));
    await Deno.writeTextFile(`${this.path}.new`, JSON.stringify({ startTime, endTime }), { mode: 0o644 });
    await Deno.rename(`${this.path}.new`, this.path);
  }
}

const seconds = (time = NEVER): number => Math.max(0, Math.floor(Date.parse(time) / 1000)) || 0;
