/** How the container runtime is. */
import type { LogLine } from "../../schema/log/log.ts";
import {
  type HandlerFeatures,
  NO_FEATURES,
  type Runtime,
  type RuntimeCondition,
  type RuntimeFeatures,
  type RuntimeHandler,
} from "../runtime/types.ts";
import type { Clock } from "../types.ts";

/** A runtime that was last ready so long ago is down, ms. */
const DOWN_MS = 30_000;

/** See the top of the file. */
export class RuntimeState {
  #readyAt: number | undefined;
  #runtime: string | undefined;
  #network: string | undefined = "network state unknown";
  #name = "";
  #handlers: readonly RuntimeHandler[] = [];
  #features: RuntimeFeatures | undefined;
  /** Why it did not answer the last time; said once. */
  #silence: unknown;

  constructor(
    private readonly runtime: Pick<Runtime, "status" | "version">,
    private readonly clock: Pick<Clock, "ticks">,
    private readonly log: LogLine,
  ) {}

  /** Asks it. Never throws. */
  async refresh(): Promise<void> {
    try {
      const { conditions, handlers, features } = await this.runtime.status();
      this.#silence = undefined;
      this.#handlers = handlers;
      this.#features = features;
      this.#network = fault("container runtime network not ready", conditions.find((c) => c.type === "NetworkReady"));
      this.#runtime = fault("container runtime not ready", conditions.find((c) => c.type === "RuntimeReady"));
      if (this.#runtime === undefined) this.#readyAt = this.clock.ticks();
    } catch (e) {
      const why = e instanceof Error ? e.message : e;
      if (why !== this.#silence) this.log("warn", "the container runtime does not tell its status", why);
      this.#silence = why;
    }
  }

  /** Why no pod can run; empty when they can. */
  runtimeFaults(): readonly string[] {
    const down = this.#readyAt === undefined
      ? "container runtime status check may not have completed yet"
      : this.clock.ticks() - this.#readyAt >= DOWN_MS
      ? "container runtime is down"
      : undefined;
    return [down, this.#runtime].filter((f) => f !== undefined);
  }

  /** Why pods with a network of their own cannot run; undefined when they can. */
  networkFault(): string | undefined {
    return this.#network;
  }

  /** All of these. */
  faults(): readonly string[] {
    return [...this.runtimeFaults(), ...(this.#network === undefined ? [] : [this.#network])];
  }

  /** The runtime's handlers, as the node tells them; empty: it does not name them. */
  handlers(): readonly RuntimeHandler[] {
    return this.#handlers;
  }

  /** What one of them can do; undefined: there are others, but not this one. */
  handler(name: string): HandlerFeatures | undefined {
    return this.#handlers.length === 0 ? NO_FEATURES : this.#handlers.find((h) => h.name === name)?.features;
  }

  /** What the runtime can do, where it tells. */
  features(): RuntimeFeatures | undefined {
    return this.#features;
  }

  /** Name and version, as `nodeInfo` has them. Never throws. */
  async version(): Promise<string> {
    try {
      const { runtimeName, runtimeVersion } = await this.runtime.version();
      this.#name = runtimeName;
      return `${runtimeName}://${versionText(runtimeVersion) ?? UNKNOWN}`;
    } catch {
      return `${this.#name}://${UNKNOWN}`;
    }
  }
}

const UNKNOWN = "Unknown";
const NAMES = String.raw`[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*`;
const SEMANTIC = new RegExp(String.raw`^\s*v?((?:(?:0|[1-9]\d*)\.){2}(?:0|[1-9]\d*)(?:-${NAMES})?(?:\+${NAMES})?)\s*$`);
const GENERIC = /^\s*v?((?:0|[1-9]\d*)(?:\.\d+)+)/;

/** A semantic version as it is, the numbers at the begin of others; undefined: it is none. */
export function versionText(version: string): string | undefined {
  const numbers = () => GENERIC.exec(version)?.[1]?.split(".").map((n) => String(BigInt(n))).join(".");
  return SEMANTIC.exec(version)?.[1] ?? numbers();
}

function fault(what: string, condition: RuntimeCondition | undefined): string | undefined {
  if (condition?.status) return undefined;
  if (!condition) return `${what}: <nil>`;
  const { type, status, reason, message } = condition;
  return `${what}: ${type}=${status} reason:${reason} message:${message}`;
}
