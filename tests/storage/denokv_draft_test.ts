/** Commits that come at once and share what is written: each sees those before it, and none is lost or made twice. */
import assert from "node:assert/strict";
import { openDenoKv } from "../../server/storage/denokv/mod.ts";
import { bytes, Follower, put, text } from "./tools.ts";

Deno.test("denokv: of those that come at once each sees what those before it did", async () => {
  await using backend = await opened();
  await put(backend, { key: "k/a", value: bytes("1") });
  const value = bytes("2"), start = await backend.revision();
  const results = await Promise.all([
    backend.commit([{ key: "k/a", value: null, expect: start }]),
    backend.commit([{ key: "k/a", value: null }]),
    backend.commit([{ key: "k/a", value, expect: 0 }]),
    backend.commit([{ key: "k/a", value: null, expect: 0 }]),
    backend.commit([{ key: "k/a", value: bytes("3"), expect: start + 2 }]),
  ]);
  assert.deepEqual(results, [
    { ok: true, revisions: [start + 1] },
    { ok: true, revisions: [start + 1] },
    { ok: true, revisions: [start + 2] },
    { ok: false, index: 0, current: { key: "k/a", revision: start + 2, value } },
    { ok: true, revisions: [start + 3] },
  ]);
  assert.equal(text((await backend.get("k/a"))!.value), "3");
});

Deno.test("denokv: more than one write takes are made in the order in which they came, each once", async () => {
  await using backend = await opened();
  const start = await backend.revision();
  await using follower = new Follower(backend, "", start);
  // Past the bytes of one; those that follow would still fit.
  const sizes = [...Array.from({ length: 30 }, () => 30_000), ...Array.from({ length: 40 }, () => 10), 2_000_000, 10];
  const made = await Promise.all(
    sizes.map((n, i) => put(backend, { key: `k/${i}`, value: new Uint8Array(n).fill(i), expect: 0 })),
  );
  const short = made.flatMap((revisions, i) => sizes[i] === 2_000_000 ? [] : revisions);
  assert.deepEqual(short, short.toSorted((a, b) => a - b));
  const end = await backend.revision();
  assert.equal(end, start + sizes.length);
  await follower.until(end);
  assert.equal(new Set(follower.changes.map(({ key }) => key)).size, sizes.length);
  for (const [i, n] of sizes.entries()) {
    const { value, revision } = (await backend.get(`k/${i}`))!;
    assert.deepEqual([value.length, value[0], revision], [n, i, made[i]![0]]);
  }
});

async function opened() {
  const backend = await openDenoKv(":memory:");
  return Object.assign(backend, { [Symbol.asyncDispose]: () => backend.close() });
}
