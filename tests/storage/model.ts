/** Random histories, judged by a model that keeps every state there ever was. */
import assert from "node:assert/strict";
import type { Backend, Change, Committed, Revision } from "../../server/storage/backend.ts";
import { compareUtf8 } from "../../schema/values/utf8.ts";
import { seeded } from "../fixture/random.ts";
import { bytes, Follower, revisionError, type Site, text } from "./tools.ts";

type Model = ReadonlyMap<string, { readonly value: string; readonly revision: Revision }>;

/** Runs `steps` random operations and compares each answer. */
export async function againstModel(site: Site, seed: number, steps: number): Promise<void> {
  const run = new Run(site, seed);
  await run.start();
  for (let i = 0; i < steps; i++) await run.step();
  await run.end();
}

class Run {
  #backend: Backend;
  readonly #random: () => number;
  /** The state after each commit, by its last revision, oldest first. */
  #states: [Revision, Model][] = [];
  #told: Committed[] = [];
  #follower!: Follower;
  #start = 0;

  constructor(readonly site: Site, seed: number) {
    this.#backend = site.backend;
    this.#random = seeded(seed);
  }

  async start(): Promise<void> {
    this.#start = await this.#backend.revision();
    this.#states.push([this.#start, new Map()]);
    this.#follower = new Follower(this.#backend, "", this.#start);
  }

  #int(n: number): number {
    return Math.floor(this.#random() * n);
  }

  get #now(): Model {
    return this.#states.at(-1)![1];
  }

  async step(): Promise<void> {
    const dice = this.#random();
    if (dice < 0.55) await this.#commit();
    else if (dice < 0.7) await this.#get();
    else if (dice < 0.9) await this.#range();
    else if (dice < 0.94) await this.#compact();
    else if (dice < 0.96) await this.#reopen();
    else await this.#together();
  }

  #change(key: string, model: Model): Change {
    const value = this.#random() < 0.25 ? null : bytes(`${this.#int(1e9)}`.padEnd(this.#size(), "."));
    const dice = this.#random();
    if (dice < 0.4) return { key, value };
    if (dice < 0.9) return { key, value, expect: model.get(key)?.revision ?? 0 };
    return { key, value, expect: this.#int(50) };
  }

  #size(): number {
    const dice = this.#random();
    return dice < 0.9 ? this.#int(200) : dice < 0.97 ? this.#int(40_000) : this.#int(200_000);
  }

  #keys(n: number): string[] {
    const keys = new Set<string>();
    while (keys.size < n) keys.add(`${"abc"[this.#int(3)]}/${this.#int(12)}`);
    return [...keys];
  }

  async #commit(): Promise<void> {
    const changes = this.#keys(1 + this.#int(4)).map((key) => this.#change(key, this.#now));
    this.#judge(changes, await this.#backend.commit(changes));
  }

  /** Several at once, on keys of their own, so that their order does not matter for the answers. */
  async #together(): Promise<void> {
    const keys = this.#keys(6);
    const before = this.#now;
    const commits = keys.map((key) => [this.#change(key, before)]);
    const results = await Promise.all(commits.map((changes) => this.#backend.commit(changes)));
    const order = commits.map((changes, i) => ({ changes, result: results[i]! }));
    const at = (one: typeof order[number]) => one.result.ok ? one.result.revisions[0]! : 0;
    for (const { changes, result } of order.sort((a, b) => at(a) - at(b))) this.#judge(changes, result);
  }

  #judge(changes: readonly Change[], result: Awaited<ReturnType<Backend["commit"]>>): void {
    const model = this.#now;
    const index = changes.findIndex((c) => c.expect !== undefined && c.expect !== (model.get(c.key)?.revision ?? 0));
    assert.equal(result.ok, index < 0, `refused or not: ${index}`);
    if (!result.ok) {
      const there = model.get(changes[index]!.key);
      assert.equal(result.index, index);
      assert.deepEqual(
        result.current && { value: text(result.current.value), revision: result.current.revision },
        there,
      );
      return;
    }
    const next = new Map(model);
    let made = false;
    for (const [i, { key, value }] of changes.entries()) {
      if (!value && !next.has(key)) continue;
      made = true;
      const revision = result.revisions[i]!;
      if (value) next.set(key, { value: text(value)!, revision });
      else next.delete(key);
      this.#told.push({ key, revision, value });
    }
    if (made) this.#states.push([result.revisions.at(-1)!, next]);
  }

  /** One of the states that can still be read. */
  #past(): [Revision, Model] {
    const compacted = this.#backend.compacted();
    const readable = this.#states.filter(([revision]) => revision >= compacted);
    return readable[this.#int(readable.length)] ?? this.#states.at(-1)!;
  }

  async #get(): Promise<void> {
    const [key] = this.#keys(1);
    const [at, model] = this.#past();
    const got = await this.#backend.get(key!, at);
    assert.deepEqual(got && { value: text(got.value), revision: got.revision }, model.get(key!));
    const now = await this.#backend.get(key!);
    assert.equal(now?.revision, this.#now.get(key!)?.revision);
  }

  async #range(): Promise<void> {
    const [at, model] = this.#past();
    const prefix = ["", "a/", "b/", "c/1"][this.#int(4)]!;
    const expected = [...model].filter(([k]) => k.startsWith(prefix)).sort(([a], [b]) => compareUtf8(a, b));
    const seen: [string, { value: string; revision: number }][] = [];
    let after: string | undefined;
    for (;;) {
      const page = await this.#backend.range(prefix, {
        at,
        limit: 1 + this.#int(9),
        ...after !== undefined && { after },
      });
      seen.push(
        ...page.items.map((i) => [i.key, { value: text(i.value)!, revision: i.revision }] as typeof seen[number]),
      );
      if (!page.more) break;
      after = seen.at(-1)![0];
    }
    assert.deepEqual(seen, expected);
  }

  async #compact(): Promise<void> {
    const [below] = this.#past();
    await this.#backend.compact(below);
    const old = this.#states.findLast(([revision]) => revision < this.#backend.compacted());
    if (old) await revisionError(this.#backend.get("a/1", old[0]), "compacted");
  }

  async #reopen(): Promise<void> {
    if (!this.site.reopen) return;
    await this.#follower.until(this.#states.at(-1)![0]);
    await this.#follower[Symbol.asyncDispose]();
    this.#compare();
    this.#backend = await this.site.reopen();
    const since = this.#backend.compacted() > this.#states.at(-1)![0] ? this.#states.at(-1)![0] : this.#past()[0];
    this.#start = since;
    this.#follower = new Follower(this.#backend, "", since);
    // One that still reads old history would be ended by the next compaction.
    await this.#follower.until(this.#states.at(-1)![0]);
  }

  #compare(): void {
    const plain = (c: Committed) =>
      `${c.revision} ${c.key} ${c.value ? `${c.value.length} ${text(c.value.slice(0, 9))}` : "-"}`;
    const told = this.#told.filter((c) => c.revision > this.#start);
    // Of one revision (a commit, where the store does not count changes) the order is the store's.
    assert.deepEqual(this.#follower.changes.map(plain).sort(), told.map(plain).sort());
    const revisions = this.#follower.changes.map((c) => c.revision);
    assert.deepEqual(revisions, revisions.toSorted((a, b) => a - b));
  }

  async end(): Promise<void> {
    await this.#follower.until(this.#states.at(-1)![0]);
    await this.#follower[Symbol.asyncDispose]();
    this.#compare();
  }
}
