/** A lease that one of several servers holds: whoever has it does some work, the others wait for it. */
import type { JsonMap, Obj } from "../../../schema/model/types.ts";
import { isNotFound } from "../../../schema/status.ts";
import { nowMicroTime } from "../../../schema/values/time.ts";
import { pause } from "../../pause.ts";
import { isConflict } from "../caller.ts";
import type { ControllerContext } from "../types.ts";

const LEASES = "leases.coordination.k8s.io";
/** Waits for a lease that is another's are up to so much longer, each time, than asked for. */
const JITTER = 1.2;

/** Which lease, whose, and the times (ms): how long it holds, how long a holder tries to renew, and how often. */
export interface ElectorOptions {
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  readonly leaseMs: number;
  readonly renewMs: number;
  readonly retryMs: number;
  /** ms since whenever, never going back: a clock that is set neither ends nor lengthens a hold. */
  elapsed(): number;
  /** Works while the lease is held; its signal aborts when it is lost, before anybody else can have it. */
  lead(signal: AbortSignal): void;
  /** Hears of both: the lease is this server's, or another's. */
  leading?(is: boolean): void;
}

type Context = Pick<ControllerContext, "product" | "registries" | "now" | "random" | "log">;

/** See the top of the file. */
export class Elector {
  readonly #ctx: Context;
  readonly #o: ElectorOptions;
  /** What the lease said at the last look, and when that was first seen: clocks of other servers are not trusted. */
  #seen = { text: "", at: 0 };
  #lead: AbortController | undefined;
  #renewedAt = 0;
  #ended = false;
  /** The attempt under way, or the last one. */
  #trying: Promise<unknown> = Promise.resolve();

  constructor(ctx: Context, options: ElectorOptions) {
    this.#ctx = ctx;
    this.#o = options;
  }

  /** Whether this server holds the lease, as far as it knows. */
  get leading(): boolean {
    return this.#lead !== undefined;
  }

  /** Tries for the lease again and again, and renews it once it is held, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener("abort", () => this.#lose(), { once: true });
    while (!signal.aborted && !this.#ended) {
      await this.attempt();
      if (signal.aborted) return this.#lose();
      await pause(this.#wait(), signal);
    }
  }

  #wait(): number {
    const { retryMs, renewMs, elapsed } = this.#o;
    if (!this.#lead) return retryMs * (1 + this.#ctx.random() * JITTER);
    return Math.max(1, Math.min(retryMs, this.#renewedAt + renewMs - elapsed()));
  }

  /** One attempt to get or renew the lease. Gives whether it is held after it; failures are logged. */
  async attempt(): Promise<boolean> {
    const { log } = this.#ctx, { renewMs, elapsed } = this.#o;
    const started = elapsed();
    const left = this.#lead ? this.#renewedAt + renewMs - started : renewMs;
    const acquired = this.#acquire();
    this.#trying = acquired.catch(() => {});
    try {
      if (await within(left, acquired) && !this.#ended) {
        this.#renewedAt = started;
        this.#win();
      } else this.#lose();
    } catch (e) {
      if (!isConflict(e)) log("warn", `the lease ${this.#o.name} is tried for again`, e);
    }
    if (this.#lead && elapsed() >= this.#renewedAt + renewMs) this.#lose();
    return this.leading;
  }

  /** Ends: gives the lease back, so that another server need not wait for its end. @throws StatusError */
  async release(): Promise<void> {
    this.#ended = true;
    this.#lose();
    // What is under way may still take the lease, or renew it.
    await this.#trying;
    const { namespace, name, identity } = this.#o;
    const given = this.#ctx.registries.live.update(LEASES, namespace, name, (obj) => {
      if (obj["spec"]?.holderIdentity !== identity) return undefined;
      const at = nowMicroTime(this.#ctx.now());
      const left = { holderIdentity: "", leaseDurationSeconds: 1, acquireTime: at, renewTime: at };
      return { ...obj, spec: { ...obj["spec"], ...left } };
    });
    await given.catch((e) => {
      if (!isNotFound(e)) throw e;
    });
  }

  #win(): void {
    if (this.#lead) return;
    this.#lead = new AbortController();
    this.#o.leading?.(true);
    this.#ctx.log("info", `this server holds the lease ${this.#o.name}`);
    this.#o.lead(this.#lead.signal);
  }

  #lose(): void {
    if (!this.#lead) return;
    this.#lead.abort();
    this.#lead = undefined;
    this.#o.leading?.(false);
  }

  /** Whether the lease is this server's now. @throws StatusError */
  async #acquire(): Promise<boolean> {
    const { namespace, name } = this.#o, { live, lister } = this.#ctx.registries;
    if (!lister.get(LEASES, namespace, name)) {
      const apiVersion = `${this.#ctx.product.local("coordination.k8s.io")}/v1`;
      const spec = this.#held({});
      await live.create(LEASES, { apiVersion, kind: "Lease", metadata: { name, namespace }, spec } as Obj);
      return true;
    }
    let mine = false;
    await live.update(LEASES, namespace, name, (obj) => {
      const spec = (obj["spec"] ?? {}) as JsonMap;
      mine = !this.#ended && this.#mayTake(spec);
      return mine ? { ...obj, spec: this.#held(spec) } : undefined;
    });
    return mine;
  }

  #mayTake(spec: JsonMap): boolean {
    const holder = spec["holderIdentity"] ?? "";
    const text = JSON.stringify([holder, spec["renewTime"], spec["acquireTime"], spec["leaseTransitions"]]);
    if (text !== this.#seen.text) this.#seen = { text, at: this.#o.elapsed() };
    if (holder === this.#o.identity || holder === "") return true;
    return this.#seen.at + Number(spec["leaseDurationSeconds"] ?? 0) * 1000 < this.#o.elapsed();
  }

  #held(was: JsonMap): JsonMap {
    const at = nowMicroTime(this.#ctx.now()), { identity, leaseMs } = this.#o;
    const mine = was["holderIdentity"] === identity;
    const transitions = Number(was["leaseTransitions"] ?? 0) + (mine || was["holderIdentity"] === undefined ? 0 : 1);
    return {
      ...was,
      holderIdentity: identity,
      leaseDurationSeconds: Math.max(1, Math.floor(leaseMs / 1000)),
      acquireTime: mine ? was["acquireTime"] ?? at : at,
      renewTime: at,
      leaseTransitions: transitions,
    };
  }
}

/** A promise's value within so many ms. @throws Error after them */
async function within<T>(ms: number, value: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("no answer of the store in time")), Math.max(1, ms));
  try {
    return await Promise.race([value, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
