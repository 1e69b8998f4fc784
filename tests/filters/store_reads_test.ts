/** Reads that go to the store: caches that are turned off, and versions older than a cache's history. */
import assert from "node:assert/strict";
import type { Backend } from "../../server/storage/backend.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import type { TestServer } from "../fixture/server.ts";
import { served } from "./_server.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";

async function fill(s: TestServer, names: readonly string[]): Promise<string[]> {
  const versions: string[] = [];
  for (const name of names) {
    const metadata = { name, labels: { odd: String(name.charCodeAt(0) % 2) } };
    const answer = await s.fetch(MAPS, { body: { apiVersion: "v1", kind: "ConfigMap", metadata } });
    versions.push(answer.body.metadata.resourceVersion);
  }
  return versions;
}

/** A memory backend that notes which prefixes and keys were read. */
function noted(): { backend: Backend; reads: string[] } {
  const inner = memoryBackend();
  const reads: string[] = [];
  const backend = new Proxy(inner, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      if (name !== "get" && name !== "range") return value.bind(target);
      return (...args: unknown[]) => {
        reads.push(String(args[0]));
        return value.apply(target, args);
      };
    },
  });
  return { backend, reads };
}

const names = (answer: { body: { items: { metadata: { name: string } }[] } }) =>
  answer.body.items.map((i) => i.metadata.name);

const FLAGS: [string, boolean][] = [
  ["--watch-cache=false", true],
  ["--watch-cache-sizes=configmaps#0,secrets#100", true],
  ["--watch-cache-sizes=secrets#0", false],
];
for (const [flag, direct] of FLAGS) {
  Deno.test(`${flag}: reads of config maps ${direct ? "go to the store" : "come from memory"}`, async () => {
    const { backend, reads } = noted();
    await served([flag], async (s) => {
      await fill(s, ["a", "b", "c", "d"]);
      reads.length = 0;
      assert.equal((await s.fetch(`${MAPS}/a`)).status, 200);
      assert.equal((await s.fetch(`${MAPS}/none`)).status, 404);
      assert.deepEqual(names(await s.fetch(MAPS)), ["a", "b", "c", "d"]);
      assert.deepEqual(names(await s.fetch(`${MAPS}?labelSelector=odd=1`)), ["a", "c"]);
      const part = await s.fetch(`${MAPS}?limit=1`);
      assert.equal(part.body.metadata.remainingItemCount, 3);
      const next = await s.fetch(`${MAPS}?limit=2&continue=${part.body.metadata.continue}`);
      assert.deepEqual([names(next), next.body.metadata.remainingItemCount], [["b", "c"], 1]);
      const last = await s.fetch(`${MAPS}?limit=1&continue=${next.body.metadata.continue}`);
      assert.deepEqual([names(last), last.body.metadata.remainingItemCount], [["d"], undefined]);
      const first = await s.fetch(`${MAPS}?labelSelector=odd=1&limit=1`);
      assert.deepEqual([names(first), first.body.metadata.remainingItemCount], [["a"], undefined]);
      const rest = await s.fetch(`${MAPS}?labelSelector=odd=1&limit=1&continue=${first.body.metadata.continue}`);
      assert.deepEqual(names(rest), ["c"]);
      // Something follows: who goes on sees that nothing of it matches.
      const end = await s.fetch(`${MAPS}?labelSelector=odd=1&limit=1&continue=${rest.body.metadata.continue}`);
      assert.deepEqual([names(end), end.body.metadata.continue], [[], undefined]);
      assert.equal(reads.some((r) => r.startsWith("/registry/configmaps/")), direct);
    }, { backend });
    await backend.close();
  });
}

Deno.test("a selection goes through all that the store has, as it was when it began", async () => {
  const { backend: inner } = noted();
  let between: (() => Promise<unknown>) | undefined;
  const backend = new Proxy(inner, {
    get(target, name) {
      if (name !== "range") return Reflect.get(target, name);
      return async (...args: Parameters<Backend["range"]>) => {
        const page = await target.range(...args), then = between;
        between = undefined;
        await then?.();
        return page;
      };
    },
  });
  await served(["--watch-cache=false"], async (s) => {
    await fill(s, Array.from({ length: 501 }, (_, i) => `b${String(i).padStart(3, "0")}`));
    const [version] = await fill(s, ["c"]);
    between = () => fill(s, ["e"]);
    const { body } = await s.fetch(`${MAPS}?labelSelector=odd=1`);
    assert.deepEqual([names({ body }), body.metadata.resourceVersion], [["c"], version]);
    assert.deepEqual(names(await s.fetch(`${MAPS}?labelSelector=odd=1`)), ["c", "e"]);
  }, { backend });
  await backend.close();
});

Deno.test("a version that the store has not come to is too large, whatever is asked for it", () =>
  served(["--watch-cache=false"], async (s) => {
    const [version] = await fill(s, ["a"]), later = `resourceVersion=${Number(version) + 100}`;
    for (const path of [`${MAPS}/a?${later}`, `${MAPS}?${later}`, `${MAPS}?${later}&resourceVersionMatch=Exact`]) {
      const { status, body } = await s.fetch(path);
      assert.deepEqual([status, body.details.causes[0].reason], [504, "ResourceVersionTooLarge"], path);
    }
  }));

Deno.test("a watch of a resource that is not read from memory tells what changes", () =>
  served(["--watch-cache=false"], async (s) => {
    const [version] = await fill(s, ["a"]);
    const path = `https://test${MAPS}?watch=1&resourceVersion=${version}`;
    const reader = (await s.server.app.fetch(new Request(path))).body!.getReader();
    await fill(s, ["b"]);
    const { value } = await reader.read();
    assert.equal(JSON.parse(new TextDecoder().decode(value)).object.metadata.name, "b");
    await reader.cancel();
  }));

Deno.test("a row of --watch-cache-sizes that is none is refused", async () => {
  await assert.rejects(served(["--watch-cache-sizes=configmaps"], async () => {}), /watch-cache-sizes/);
});

Deno.test("exact and continued lists older than the history come from the store, until it is compacted", async () => {
  let now = Date.now();
  await served([], async (s) => {
    const versions = await fill(s, ["a", "b", "c"]);
    await s.fetch(`${MAPS}/a`, { method: "DELETE" });
    const page = await s.fetch(`${MAPS}?limit=1&resourceVersion=${versions[2]}&resourceVersionMatch=Exact`);
    await fill(s, ["d"]);
    now += 4 * 60_000;
    const { cache } = s.server.registries.byId("configmaps")!;
    now += 60_000 - 1; // the token is still good
    s.server.cacher.tick();
    const exact = () => s.fetch(`${MAPS}?resourceVersion=${versions[1]}&resourceVersionMatch=Exact`);
    const answer = await exact();
    assert.deepEqual(names(answer), ["a", "b"]);
    assert.equal(answer.body.metadata.resourceVersion, versions[1]);
    const next = await s.fetch(`${MAPS}?limit=5&continue=${page.body.metadata.continue}`);
    assert.deepEqual(names(next), ["b", "c"]);
    now += 60_000;
    s.server.cacher.tick();
    assert.equal(cache.snapshotAt(Number(versions[1])), undefined, "the history does not reach so far");
    assert.deepEqual(names(await exact()), ["a", "b"]);
    assert.equal((await s.fetch(`${MAPS}?limit=5&continue=${page.body.metadata.continue}`)).status, 410);
    await s.backend.compact(await s.backend.revision());
    assert.equal((await exact()).status, 410);
  }, { now: () => now });
});

Deno.test("lists of an older version come from the store when the gate of snapshots is off, and end where it has forgotten", async () => {
  for (const on of [true, false]) {
    const { backend, reads } = noted();
    await served([`--feature-gates=ListFromCacheSnapshot=${on}`], async (s) => {
      const [first, , last] = await fill(s, ["a", "b", "c"]);
      const read = async (query: string) => {
        reads.length = 0;
        const answer = await s.fetch(`${MAPS}?${query}`);
        return { answer, stored: reads.some((key) => key.includes("configmaps")) };
      };
      const exact = await read(`resourceVersion=${last}&resourceVersionMatch=Exact&labelSelector=odd%3D1`);
      assert.deepEqual([names(exact.answer), exact.stored], [["a", "c"], !on]);
      const past = await read(`resourceVersion=${first}&resourceVersionMatch=Exact`);
      assert.deepEqual([names(past.answer), past.stored], [["a"], !on]);
      const page = await read("limit=1");
      assert.equal(page.stored, false);
      const token = encodeURIComponent(page.answer.body.metadata.continue);
      const next = await read(`limit=1&continue=${token}`);
      assert.deepEqual([names(next.answer), next.stored], [["b"], !on]);
      assert.equal((await read(`resourceVersion=${last}&resourceVersionMatch=NotOlderThan`)).stored, false);
      if (on) return;
      await fill(s, ["d"]);
      await backend.compact(await backend.revision());
      const gone = await read(`limit=1&continue=${token}`);
      assert.equal(gone.answer.status, 410);
      const { metadata } = gone.answer.body;
      assert.deepEqual(names((await read(`limit=5&continue=${encodeURIComponent(metadata.continue)}`)).answer), [
        "b",
        "c",
        "d",
      ]);
    }, { backend });
  }
});
