/** How long the node took to start, from the machine's own start until it was ready. */
import { uptime } from "node:os";
import type { Registry } from "prom-client";
import { Metrics } from "../metrics.ts";

/** See the top of the file: told once, of a node that was not there before. Times in ms since 1970. */
export class NodeStartup {
  readonly #set;
  #attemptedAt: number | undefined;
  #registeredAt: number | undefined;
  #isReady = false;

  /** @param startedAt the agent @param bootedAt the machine */
  constructor(
    registry: Registry,
    readonly now: () => number,
    readonly startedAt = now(),
    readonly bootedAt = now() - uptime() * 1000,
  ) {
    const m = new Metrics(registry);
    const gauge = (of: string, what: string) => {
      const gauge = m.gauge(
        `kubelet_node_startup_${of}duration_seconds`,
        `How long the node's start takes ${what}, s.`,
      );
      // What is not known yet is not told.
      gauge.remove();
      return (from: number, to: number) => gauge.set((to - from) / 1000);
    };
    this.#set = {
      all: gauge("", "in total"),
      before: gauge("pre_kubelet_", "before kubelet starts"),
      preRegistration: gauge("pre_registration_", "before registration"),
      registration: gauge("registration_", "during registration"),
      postRegistration: gauge("post_registration_", "after registration"),
    };
  }

  /** Its registration is tried. */
  attempted(): void {
    this.#attemptedAt ??= this.now();
  }

  /** It is there for the first time. */
  registered(): void {
    if (this.#attemptedAt === undefined || this.#registeredAt !== undefined) return;
    this.#registeredAt = this.now();
    this.#set.before(this.bootedAt, this.startedAt);
    this.#set.preRegistration(this.startedAt, this.#attemptedAt);
    this.#set.registration(this.#attemptedAt, this.#registeredAt);
  }

  /** It was told that it is ready. */
  ready(): void {
    if (this.#registeredAt === undefined || this.#isReady) return;
    this.#isReady = true;
    this.#set.postRegistration(this.#registeredAt, this.now());
    this.#set.all(this.bootedAt, this.now());
  }
}
