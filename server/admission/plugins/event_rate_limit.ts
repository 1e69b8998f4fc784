/** EventRateLimit: how many events the server takes, in all, by namespace, by user, by source and object. */
import { createHash } from "node:crypto";
import { StatusError } from "../../../schema/status.ts";
import type { Tree } from "../../../schema/rules/tree.ts";
import { aggregateText } from "../../../schema/values/aggregate_text.ts";
import { on } from "../handles.ts";
import type { Attributes, Plugin, PluginContext } from "../types.ts";

const DEFAULT_CACHE = 4096;
/** Longer keys, which clients write, are kept as their digests. */
const LONG_KEY = 512;

/** One limit of the configuration. */
interface Limit {
  readonly type: string;
  /** Events a second, and how many at once. */
  readonly qps: number;
  readonly burst: number;
  /** Keys kept at once. */
  readonly cacheSize?: number;
}

/** What a limit counts by. */
const KEYS: Readonly<Record<string, (a: Attributes) => string>> = {
  Server: () => "",
  Namespace: (a) => a.namespace,
  User: (a) => a.user.name,
  SourceAndObject: (a) => {
    const e = a.object as Tree;
    const source = e["source"] ?? {}, of = e["involvedObject"] ?? {};
    return [source.component, source.host, of.kind, of.namespace, of.name, of.uid, of.apiVersion].join("");
  },
};

const kept = (key: string): string => key.length > LONG_KEY ? createHash("sha256").update(key).digest("base64") : key;

/** Tokens that come back with time. */
interface Bucket {
  tokens: number;
  at: number;
}

/** Buckets of one limit by key; the key that was used longest ago goes first. */
class Enforcer {
  readonly #buckets = new Map<string, Bucket>();

  constructor(readonly limit: Limit, readonly now: () => number) {}

  /** Takes a token. Undefined: there was one; else the text of the refusal. */
  take(a: Attributes): string | undefined {
    const { type, qps, burst, cacheSize } = this.limit;
    const key = KEYS[type]!(a), id = kept(key), now = this.now();
    const bucket = this.#buckets.get(id) ?? { tokens: burst, at: now };
    this.#buckets.delete(id);
    this.#buckets.set(id, bucket);
    if (this.#buckets.size > (cacheSize || DEFAULT_CACHE)) {
      this.#buckets.delete(this.#buckets.keys().next().value!);
    }
    bucket.tokens = Math.min(burst, bucket.tokens + Math.max(0, now - bucket.at) / 1000 * qps);
    bucket.at = now;
    if (bucket.tokens < 1) return `limit reached on type ${type} for key ${key}`;
    bucket.tokens--;
    return undefined;
  }
}

/** See the top of the file. */
export function eventRateLimit(ctx: PluginContext): Plugin {
  const limits = (ctx.config?.["limits"] ?? []) as unknown as readonly Limit[];
  if (limits.length === 0) {
    throw new Error("EventRateLimit: needs limits in the file of --admission-control-config-file");
  }
  const enforcers = limits.map((l) => new Enforcer(l, ctx.now));
  return {
    name: "EventRateLimit",
    // Those of events.k8s.io are not bounded, as on the public server.
    handles: on(["CREATE", "UPDATE"], ["events"]),
    validate(a) {
      if (a.dryRun) return;
      const full = enforcers.map((e) => e.take(a)).filter((text) => text !== undefined);
      if (full.length === 0) return;
      throw new StatusError(429, "TooManyRequests", `Too many requests: ${aggregateText(full)}`);
    },
  };
}
