/** Random writes to a namespace, and what lists and watches show of them. A seed decides everything. */
import assert from "node:assert/strict";
import { openDenoKv } from "../../server/storage/denokv/mod.ts";
import { startTestServer, type TestServer } from "../fixture/server.ts";
import { seeded } from "../fixture/random.ts";

/** An object as an answer has it. */
export interface Item {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
}

/** What a list told. */
export interface List {
  readonly version: string;
  readonly items: readonly Item[];
  readonly next: string;
}

const NAMES = ["a", "b", "c", "d", "e", "f", "g", "h"];
const LABELS = ["x", "y", "z"];
/** Selectors that objects start and stop to match as they are changed. */
const SELECTORS = [
  "",
  "",
  "labelSelector=l%3Dx",
  "labelSelector=l+in+(x,y)",
  "labelSelector=!l",
  "labelSelector=l!%3Dz",
];

/** One random story in a namespace of its own. */
export class Story {
  readonly #next: () => number;
  /** Versions at which something was written, oldest first. */
  readonly versions: string[] = [];
  #count = 0;

  constructor(readonly t: TestServer, readonly ns: string, seed: number) {
    this.#next = seeded(seed);
  }

  /** A whole number below `n`. */
  below(n: number): number {
    return Math.floor(this.#next() * n);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  selector(): string {
    return this.pick(SELECTORS);
  }

  path(name = "", query = ""): string {
    return `/api/v1/namespaces/${this.ns}/configmaps${name && `/${name}`}${query && `?${query}`}`;
  }

  /** One write: a creation, a change of labels or data, a deletion. What cannot be done is not. */
  async write(): Promise<void> {
    const name = this.pick(NAMES), what = this.below(4), label = this.below(4);
    const labels = { l: LABELS[label] ?? null };
    const data = { n: String(this.#count++) };
    const answer = what === 0
      ? await this.t.fetch(this.path(name), { method: "DELETE" })
      : what === 1
      ? await this.#patch(name, { metadata: { labels }, data })
      : await this.#create(name, labels.l === null ? {} : { l: labels.l }, data);
    assert.ok([200, 201, 404, 409].includes(answer.status), answer.text);
    const version = answer.body.metadata?.resourceVersion;
    if (version) this.versions.push(version);
  }

  async #create(name: string, labels: Record<string, string>, data: Record<string, string>) {
    const made = await this.t.fetch(this.path(), { body: { metadata: { name, labels }, data } });
    return made.status === 409 ? await this.#patch(name, { metadata: { labels }, data }) : made;
  }

  #patch(name: string, body: unknown) {
    const headers = { "content-type": "application/merge-patch+json" };
    return this.t.fetch(this.path(name), { method: "PATCH", headers, body: JSON.stringify(body) });
  }

  /** So many writes, one after the other. */
  async writes(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await this.write();
  }

  /** A list. @throws AssertionError with the answer when it is refused */
  async list(query: string): Promise<List> {
    const { status, body, text } = await this.t.fetch(this.path("", query));
    assert.equal(status, 200, text);
    const { resourceVersion: version, continue: next = "" } = body.metadata;
    return { version, items: body.items, next };
  }

  /** All pages of a list of at most `limit` items each; `between` is called after each. */
  async pages(limit: number, selector: string, between: () => Promise<void>): Promise<List> {
    const items: Item[] = [];
    let version = "", next = "";
    do {
      const page = await this.list(`limit=${limit}&${selector}${next && `&continue=${encodeURIComponent(next)}`}`);
      assert.ok(page.items.length <= limit);
      version ||= page.version;
      assert.equal(page.version, version, "the version of a list changes between its pages");
      items.push(...page.items);
      next = page.next;
      await between();
    } while (next !== "");
    return { version, items, next };
  }

  /** Objects after what a watch from `version` tells, until an event of the object `last`. */
  async replay(
    start: List,
    selector: string,
    last: string,
    meanwhile: () => Promise<void>,
  ): Promise<Map<string, Item>> {
    const state = new Map(start.items.map((i) => [i.metadata.name, i]));
    const response = await this.t.open(this.path("", `watch=1&resourceVersion=${start.version}&${selector}`));
    assert.equal(response.status, 200);
    const writing = meanwhile();
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = "", version = BigInt(start.version), done = false;
    while (!done) {
      const { value } = await reader.read();
      assert.ok(value !== undefined, `the watch ended after version ${version}`);
      const lines = (text + value).split("\n");
      text = lines.pop()!;
      for (const line of lines) {
        const { type, object } = JSON.parse(line);
        assert.notEqual(type, "ERROR", line);
        const at = BigInt(object.metadata.resourceVersion);
        assert.ok(at > version, `event of version ${at} after ${version}`);
        version = at;
        apply(state, type, object);
        if (object.metadata.name === last) done = true;
      }
    }
    await writing;
    await reader.cancel();
    return state;
  }
}

function apply(state: Map<string, Item>, type: string, object: Item): void {
  const { name } = object.metadata;
  assert.equal(state.has(name), type !== "ADDED", `${type} of ${name}, which is ${state.has(name) ? "" : "not "}there`);
  if (type === "DELETED") return void state.delete(name);
  // Objects of events say what they are; items of lists do not.
  const { kind: _, apiVersion: __, ...item } = object as Item & { kind: string; apiVersion: string };
  state.set(name, item);
}

/** Runs a property on so many random stories; a failure tells the seed. */
export async function forAll(
  backend: "memory" | "denokv",
  count: number,
  property: (story: Story) => Promise<void>,
): Promise<void> {
  const first = Number(Deno.env.get("SEED") ?? 1);
  const runs = Deno.env.has("SEED") ? 1 : Number(Deno.env.get("HISTORIES") ?? count);
  await using place = await backendOf(backend);
  const t = await startTestServer([], place.backend ? { backend: place.backend } : {});
  try {
    for (let seed = first; seed < first + runs; seed++) {
      const ns = `story-${seed}`;
      assert.equal((await t.fetch("/api/v1/namespaces", { body: { metadata: { name: ns } } })).status, 201);
      try {
        await property(new Story(t, ns, seed));
      } catch (e) {
        throw new Error(`SEED=${seed} on ${backend}: ${e instanceof Error ? e.message : e}`, { cause: e });
      }
    }
  } finally {
    await t.stop();
  }
}

async function backendOf(kind: "memory" | "denokv") {
  if (kind === "memory") return { backend: undefined, async [Symbol.asyncDispose]() {} };
  const dir = await Deno.makeTempDir({ prefix: "protocol-" });
  const backend = await openDenoKv(`${dir}/store.kv`);
  return {
    backend,
    async [Symbol.asyncDispose]() {
      await backend.close();
      await Deno.remove(dir, { recursive: true });
    },
  };
}
