/**
 * Charges requests to the quotas of their namespace, exactly: requests of one namespace that come at the same time share one
 * write of each quota, and what was decided against a quota that somebody else changed meanwhile is decided again.
 */
import type { Obj } from "../../schema/model/types.ts";
import { isNotFound } from "../../schema/status.ts";
import type { Attributes, LiveStore } from "../admission/types.ts";
import { addUsed, type Answer, ask } from "./charge.ts";
import type { Amounts } from "../../schema/rules/core/pod_resources.ts";
import type { Evaluator } from "./types.ts";

const QUOTAS = "resourcequotas";

/** One request that waits for its answer. */
interface Waiter {
  readonly a: Attributes;
  readonly evaluator: Evaluator;
  /** Names of the quotas that have a say. */
  readonly names: readonly string[];
  /** What was charged, by quota. */
  readonly charged: Map<string, Amounts>;
  /** Why it is refused. */
  why: string | undefined;
  settle(error?: unknown): void;
}

/** Charges requests. One for a server. */
export class Charger {
  readonly #live: LiveStore;
  readonly #queues = new Map<string, Waiter[]>();

  constructor(live: LiveStore) {
    this.#live = live;
  }

  /**
   * Charges a request to these quotas of its namespace.
   * @returns why it is refused; undefined: it is charged
   */
  charge(a: Attributes, evaluator: Evaluator, quotas: readonly Obj[]): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        a,
        evaluator,
        names: quotas.map((q) => q.metadata.name!),
        charged: new Map(),
        why: undefined,
        settle: (error) => error === undefined ? resolve(waiter.why) : reject(error),
      };
      const queue = this.#queues.get(a.namespace);
      if (queue) queue.push(waiter);
      else {
        this.#queues.set(a.namespace, [waiter]);
        this.#work(a.namespace);
      }
    });
  }

  async #work(namespace: string): Promise<void> {
    // Requests of the same turn of the event loop share the first write.
    await Promise.resolve();
    for (;;) {
      const waiters = this.#queues.get(namespace)!;
      if (waiters.length === 0) break;
      this.#queues.set(namespace, []);
      try {
        await this.#batch(namespace, waiters);
        for (const w of waiters) w.settle();
      } catch (e) {
        for (const w of waiters) w.settle(e);
      }
    }
    this.#queues.delete(namespace);
  }

  async #batch(namespace: string, waiters: readonly Waiter[]): Promise<void> {
    const names = [...new Set(waiters.flatMap((w) => w.names))].sort();
    if (names.length > 1) await this.#weed(namespace, names, waiters);
    for (const name of names) await this.#chargeOne(namespace, name, waiters);
    // Refused by a later quota after an earlier one had charged: only when two servers race.
    for (const name of names) await this.#giveBack(namespace, name, waiters);
  }

  /** Finds requests that some quota refuses before any quota is charged for them. */
  async #weed(namespace: string, names: readonly string[], waiters: readonly Waiter[]): Promise<void> {
    const running = await Promise.all(names.map((n) => this.#live.get(QUOTAS, namespace, n)));
    for (const w of waiters) {
      const answers = running.map((q) => q && ask(q, w.a, w.evaluator));
      const no = answers.find((x) => x?.kind === "refused");
      if (no?.kind === "refused") w.why = no.why;
      else answers.forEach((x, i) => x?.kind === "fits" && addUsed(running[i]!, x.more, 1));
    }
  }

  async #chargeOne(namespace: string, name: string, waiters: readonly Waiter[]): Promise<void> {
    const open = waiters.filter((w) => w.why === undefined);
    if (open.length === 0) return;
    let answers: Answer[] = [];
    const change = (quota: Obj): Obj | undefined => {
      let changed = false;
      answers = open.map((w) => {
        const answer = ask(quota, w.a, w.evaluator);
        if (answer.kind === "fits" && answer.more.size > 0) {
          addUsed(quota, answer.more, 1);
          changed = true;
        }
        return answer;
      });
      return changed ? quota : undefined;
    };
    // A refusal is only final against the newest state.
    await this.#live.get(QUOTAS, namespace, name);
    if (!await this.#update(namespace, name, change)) return;
    open.forEach((w, i) => {
      const answer = answers[i]!;
      if (answer.kind === "refused") w.why = answer.why;
      else if (answer.kind === "fits" && answer.more.size > 0) w.charged.set(name, answer.more);
    });
  }

  async #giveBack(namespace: string, name: string, waiters: readonly Waiter[]): Promise<void> {
    const back = waiters.filter((w) => w.why !== undefined && w.charged.has(name)).map((w) => w.charged.get(name)!);
    if (back.length === 0) return;
    await this.#update(namespace, name, (quota) => {
      for (const more of back) addUsed(quota, more, -1);
      return quota;
    });
  }

  /** False when the quota is gone: it limits nobody any more. */
  async #update(namespace: string, name: string, change: (quota: Obj) => Obj | undefined): Promise<boolean> {
    try {
      await this.#live.update(QUOTAS, namespace, name, change, { subresource: "status" });
      return true;
    } catch (e) {
      if (isNotFound(e)) return false;
      throw e;
    }
  }
}
