/** Time that tests tell, and parts of an agent around probes. */
import type { Pod } from "../../../schema/api/core_v1.ts";
import type { HandlerParts } from "../../../agent/probes/mod.ts";
import type { AnyContainer, Clock, ContainerTarget } from "../../../agent/types.ts";

/** Waits end when the test says that time goes by. */
export class TestClock implements Clock {
  #ticks = 0;
  /** What the host's clock is ahead. */
  #ahead = 1_700_000_000_000;
  readonly #waits = new Set<{ at: number; done: () => void }>();

  now = (): number => this.#ticks + this.#ahead;

  ticks = (): number => this.#ticks;

  /** Whether somebody waits. */
  get waiting(): boolean {
    return this.#waits.size > 0;
  }

  wait(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms <= 0 || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wait = {
        at: this.#ticks + ms,
        done: () => {
          this.#waits.delete(wait);
          resolve();
        },
      };
      this.#waits.add(wait);
      signal?.addEventListener("abort", wait.done, { once: true });
    });
  }

  /** Sets the host's clock by so much; what waits does not wait longer or shorter for it. */
  set(ms: number): void {
    this.#ahead += ms;
  }

  /** Lets so much time go by, step by step, and what waits run. */
  async pass(ms: number): Promise<void> {
    const end = this.#ticks + ms;
    for (;;) {
      await settled();
      const next = Math.min(end, ...[...this.#waits].map((w) => w.at));
      this.#ticks = next;
      for (const wait of [...this.#waits]) if (wait.at <= next) wait.done();
      if (next === end) return await settled();
    }
  }
}

/** What was begun without a wait has run. */
async function settled(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve, 0));
}

/** Real time. */
export const realClock: Clock = {
  now: Date.now,
  ticks: Date.now,
  wait: (ms, signal) =>
    new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      if (signal?.aborted) end();
      else signal?.addEventListener("abort", end, { once: true });
    }),
};

/** Events as lines. */
export function told(): { lines: string[]; events: HandlerParts["events"] } {
  const lines: string[] = [];
  return {
    lines,
    events: {
      pod: (_pod, type, reason, message, path) => void lines.push([type, reason, message, path].join("|")),
      node: () => {},
    },
  };
}

/** A container of a pod of its own. */
export function target(container: Partial<AnyContainer>, pod: Partial<Pod> = {}): ContainerTarget {
  const whole = { name: "c", image: "i", ...container } as AnyContainer;
  return {
    pod: {
      metadata: { name: "p", namespace: "ns", uid: "u1" },
      spec: { containers: [whole] as never },
      ...pod,
    } as Pod,
    container: whole,
    id: "id1",
    podIP: "127.0.0.1",
    ends: false,
  };
}
