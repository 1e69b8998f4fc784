/** Random histories against a model: whatever the start, list plus watch is the list now. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { memoryBackend } from "../../server/storage/memory.ts";
import type { Change } from "../../server/storage/backend.ts";
import type { Entry, FieldMatch, Snapshot, Watcher, WatchEvent, WatchOptions } from "../../server/cache/mod.ts";
import { encode, Fixture, json, object, seen, type Shape } from "./_fixture.ts";
import { Random } from "../fixture/random.ts";

const histories = 200;
/** Runs mostly wait for timers. */
const atOnce = 50;
const steps = 60;

/** Objects by key, as `seen` tells them. */
type State = ReadonlyMap<string, { readonly shape: Shape; readonly revision: number }>;

interface Selection {
  readonly namespace?: string;
  readonly name?: string;
  readonly field?: FieldMatch;
  readonly label?: string;
}

interface Follower {
  readonly selection: Selection;
  readonly watcher: Watcher;
  readonly view: Map<string, string>;
  revision: number;
  pending: boolean;
}

function selects({ namespace, name, field, label }: Selection, shape: Shape): boolean {
  return (namespace === undefined || shape.namespace === namespace) && (name === undefined || shape.name === name) &&
    (field === undefined || (shape.nodeName ?? "") === field.value) &&
    (label === undefined || shape.labels?.["l"] === label);
}

function listOf(state: State, selection: Selection): string[] {
  return [...state].filter(([, { shape }]) => selects(selection, shape))
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([key, { shape, revision }]) => `${key}=${shape.value}@${revision}`);
}

/** One run: a store, its model by revision, and watchers that started anywhere. */
class Run {
  readonly random: Random;
  readonly states = new Map<number, State>();
  readonly followers: Follower[] = [];
  state: State = new Map();
  count = 0;
  readonly failures: unknown[] = [];

  constructor(readonly fixture: Fixture, seed: number, readonly short: boolean) {
    this.random = new Random(seed);
    this.states.set(1, this.state);
  }

  shape(): Shape {
    const { random } = this;
    const node = random.pick(["", "n1", "n2"]);
    return {
      namespace: random.pick(["a", "a-b", "b"]),
      name: random.pick(["x", "y", "z", "é", "\u{1f600}", "\uff5e"]),
      labels: { l: random.pick(["1", "2"]) },
      value: ++this.count,
      ...(node === "" ? {} : { nodeName: node }),
    };
  }

  async write(): Promise<void> {
    const { random, fixture } = this;
    const shapes = new Map<string, Shape>();
    for (let i = 1 + random.below(3); i > 0; i--) {
      const shape = this.shape();
      shapes.set(`${shape.namespace}/${shape.name}`, shape);
    }
    const changes: (Change & { shape: Shape | null; id: string })[] = [];
    for (const [id, shape] of shapes) {
      const key = `/registry/pods/${id}`;
      if (random.below(3) === 0) {
        if (this.state.has(id)) changes.push({ id, key, value: null, shape: null });
        continue;
      }
      const made = object(shape);
      const note = random.below(2) === 0 ? { object: made } : undefined;
      changes.push({ id, key, value: encode(made), shape, note });
    }
    if (random.below(4) === 0) changes.push({ id: "", key: "/registry/nodes/n", value: encode({}), shape: null });
    if (changes.length === 0) return;
    const result = await fixture.backend.commit(changes);
    assert.ok(result.ok);
    result.revisions.forEach((revision, i) => this.applied(changes[i]!, revision));
  }

  applied({ id, shape }: { id: string; shape: Shape | null }, revision: number): void {
    const state = new Map(this.state);
    if (shape !== null) state.set(id, { shape, revision });
    else if (id !== "") state.delete(id);
    this.state = state;
    this.states.set(revision, state);
  }

  selection(): Selection {
    const { random } = this;
    const field = { name: "spec.nodeName", value: random.pick(["", "n1"]) };
    return random.pick<Selection>([
      {},
      { namespace: "a" },
      { namespace: "a", name: "x" },
      { name: "é" },
      { field },
      { namespace: "b", field },
      { label: "1" },
      { namespace: "a-b", label: "2" },
    ]);
  }

  open(): void {
    const { pods } = this.fixture;
    const selection = this.selection();
    const { label, ...narrow } = selection;
    const matches = label === undefined ? {} : { matches: (entry: Entry) => entry.labels["l"] === label, group: label };
    const revision = pods.oldest + this.random.below(pods.revision - pods.oldest + 1);
    const initial = this.random.below(2) === 0 ? pods.snapshotAt(revision) : undefined;
    const options: WatchOptions = {
      ...narrow,
      ...matches,
      since: initial === undefined ? revision : { initial },
      maxBufferedBytes: this.random.pick([1, 500, 100_000]),
    };
    const view = new Map<string, string>();
    const start = initial === undefined ? listOf(this.states.get(revision)!, selection) : [];
    for (const line of start) view.set(line.slice(0, line.indexOf("=")), line);
    this.followers.push({ selection, watcher: pods.watch(options), view, revision, pending: false });
  }

  /** Reads one batch, if one comes. */
  read(follower: Follower): void {
    if (follower.pending) return;
    follower.pending = true;
    void follower.watcher.next().then((batch) => {
      follower.pending = false;
      for (const event of batch?.events ?? []) this.take(follower, event);
      if (batch?.error === undefined) return;
      assert.equal(batch.error.reason, "too-slow");
      assert.ok(this.short, "a long history keeps all");
      this.followers.splice(this.followers.indexOf(follower), 1);
    }).catch((error) => this.failures.push(error));
  }

  take(follower: Follower, event: WatchEvent): void {
    assert.ok(event.type !== "BOOKMARK");
    const { entry } = event;
    const there = follower.view.has(entry.key);
    assert.equal(
      event.type === "ADDED",
      !there,
      `${event.type} of ${entry.key} for ${JSON.stringify(follower.selection)}`,
    );
    if (entry.revision > follower.revision) follower.revision = entry.revision;
    else assert.ok(event.type === "ADDED" && entry.revision <= this.fixture.pods.revision);
    if (event.type === "DELETED") follower.view.delete(entry.key);
    else follower.view.set(entry.key, seen(entry));
  }

  checkSnapshot(): void {
    const { pods } = this.fixture;
    const revision = pods.oldest + this.random.below(pods.revision - pods.oldest + 1);
    const snapshot = pods.snapshotAt(revision)!;
    const { label: _, ...query } = this.selection();
    const { name, ...range } = query;
    const listed = [...snapshot.range(range)].filter((entry) => name === undefined || entry.name === name).map(seen);
    const expected = listOf(this.states.get(revision)!, query);
    assert.deepEqual(listed, expected);
    if (query.name === undefined && query.field === undefined) this.checkPages(snapshot, query.namespace, expected);
  }

  checkPages(snapshot: Snapshot, namespace: string | undefined, expected: readonly string[]): void {
    const limit = 1 + this.random.below(4);
    const where = namespace === undefined ? {} : { namespace };
    const pages: string[] = [];
    assert.equal(snapshot.count(namespace), expected.length);
    for (let after = "";;) {
      const again = this.fixture.pods.snapshotAt(snapshot.revision)!;
      const page = [...again.range({ ...where, after })].slice(0, limit);
      pages.push(...page.map(seen));
      if (page.length < limit) break;
      after = page.at(-1)!.key;
      assert.equal(again.countAfter(after, namespace), expected.length - pages.length);
    }
    assert.deepEqual(pages, expected);
  }

  async finish(): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet++) {
      for (const follower of this.followers) this.read(follower);
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (this.failures.length > 0) throw this.failures[0];
      if (this.followers.some((follower) => !follower.pending)) quiet = -1;
    }
    for (const { selection, view } of this.followers) {
      assert.deepEqual([...view.values()].sort(), listOf(this.state, selection).sort());
    }
    for (const { watcher } of this.followers) watcher.close();
  }
}

async function run(seed: number): Promise<void> {
  const short = seed % 3 === 0;
  await using fixture = new Fixture(memoryBackend(), {
    limits: short ? { hardCount: 40, joinMs: 2 } : { joinMs: seed % 2 },
  });
  const run = new Run(fixture, seed, short);
  for (let i = 0; i < 5; i++) await run.write();
  await fixture.start();
  for (let step = 0; step < steps; step++) {
    await run.write();
    fixture.now += run.random.below(20);
    if (run.random.below(4) === 0) run.open();
    for (const follower of run.followers) if (run.random.below(3) === 0) run.read(follower);
    if (run.random.below(3) === 0) run.checkSnapshot();
    if (run.random.below(3) === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  }
  await run.finish();
  for (const entry of fixture.pods.snapshot().range()) entry.bytes(json);
  assert.deepEqual(fixture.errors, []);
}

Deno.test(`list and watch agree in ${histories} random histories`, async () => {
  for (let first = 1; first <= histories; first += atOnce) {
    await Promise.all(Array.from({ length: Math.min(atOnce, histories - first + 1) }, (_, i) => checked(first + i)));
  }
});

async function checked(seed: number): Promise<void> {
  try {
    await run(seed);
  } catch (cause) {
    throw new Error(`seed ${seed} of history_random_test`, { cause });
  }
}
