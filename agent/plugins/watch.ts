/** Plugins of the node: whoever puts a socket below the directory is registered until the socket goes. */
import { mkdir } from "node:fs/promises";
import type { LogLine } from "../../schema/log/log.ts";
import type { RandomBytes } from "../../schema/values/random.ts";
import { growing } from "../client/mod.ts";
import type { Clock } from "../types.ts";
import { register, type Registered } from "./register.ts";
import { socketsBelow } from "./sockets.ts";
import type { PluginKinds } from "./types.ts";

/** How often it is looked, and pauses between attempts to register one, ms. */
const LOOK_MS = 1_000;
const RETRY_MS = 500, MAX_RETRY_MS = 122_000;

/** What it works with. */
interface PluginParts {
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: LogLine;
}

interface Lead {
  readonly id: string;
  readonly end: AbortController;
  readonly over: Promise<void>;
}

/** See the top of the file. */
export class PluginWatch {
  /** By path. */
  readonly #leads = new Map<string, Lead>();
  #isOver = false;

  constructor(readonly directory: string, readonly kinds: PluginKinds, readonly parts: PluginParts) {}

  /** Until the signal ends; what is registered then stays so. Never throws. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.parts;
    for (let fault: unknown; !signal.aborted; await clock.wait(LOOK_MS, signal)) {
      try {
        await mkdir(this.directory, { recursive: true, mode: 0o755 });
        this.#take(await socketsBelow(this.directory));
        fault = undefined;
      } catch (e) {
        if (!fault) log("error", `plugins cannot be looked for in ${this.directory}`, e);
        fault = e;
      }
    }
    this.#isOver = true;
    const leads = [...this.#leads.values()];
    for (const { end } of leads) end.abort();
    await Promise.all(leads.map(({ over }) => over));
  }

  #take(sockets: ReadonlyMap<string, string>): void {
    for (const [path, { id, end }] of this.#leads) if (sockets.get(path) !== id) end.abort();
    for (const [path, id] of sockets) {
      const before = this.#leads.get(path);
      if (before?.id === id) continue;
      const end = new AbortController();
      const over = this.#lead(path, end.signal, before?.over);
      const lead = { id, end, over };
      this.#leads.set(path, lead);
      over.then(() => {
        if (this.#leads.get(path) === lead) this.#leads.delete(path);
      });
    }
  }

  async #lead(path: string, signal: AbortSignal, before: Promise<void> | undefined): Promise<void> {
    await before;
    const registered = await this.#register(path, signal);
    if (!registered) return;
    const { handler, plugin } = registered;
    this.parts.log("info", `plugin ${plugin.name} is registered`, path);
    if (!signal.aborted) await new Promise((ended) => signal.addEventListener("abort", ended, { once: true }));
    if (this.#isOver) return;
    this.parts.log("info", `plugin ${plugin.name} is gone`, path);
    await handler.deregister(plugin).catch((e) =>
      this.parts.log("warn", `of plugin ${plugin.name} something stays`, e)
    );
  }

  async #register(path: string, signal: AbortSignal): Promise<Registered | undefined> {
    const { clock, random, log } = this.parts;
    const pauses = growing(RETRY_MS, MAX_RETRY_MS, random);
    while (!signal.aborted) {
      try {
        return await register(path, this.kinds, signal);
      } catch (e) {
        if (signal.aborted) return undefined;
        log("warn", `the plugin at ${path} is not registered`, e instanceof Error ? e.message : e);
        await clock.wait(pauses.next(), signal);
      }
    }
    return undefined;
  }
}
