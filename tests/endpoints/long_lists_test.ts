/** Lists longer than what the cache keeps for one: whole in every encoding, and soon forgotten. */
import assert from "node:assert/strict";
import { unwrap } from "../../schema/codec/envelope.ts";
import { type TestServer, withServer } from "../fixture/server.ts";

const PATH = "/api/v1/namespaces/default/configmaps";
const PROTOBUF = { accept: "application/vnd.kubernetes.protobuf" };
const COUNT = 40, MB = 1 << 20;
/** What writes left, and a little more. */
const KEPT = (24 + 4) * MB;

async function filled(t: TestServer): Promise<void> {
  for (let i = 0; i < COUNT; i++) {
    const body = { metadata: { name: `long-${i}` }, data: { text: "ö".repeat(480_000) } };
    assert.equal((await t.fetch(PATH, { body })).status, 201);
  }
}

const bytesOf = async (t: TestServer, headers: Record<string, string>): Promise<Uint8Array> =>
  await (await t.open(PATH, { headers })).bytes();

Deno.test("long lists: the same objects in JSON and in Protobuf, again and beside each other, and few forms kept", async () => {
  await withServer(["--disable-admission-plugins=ServiceAccount"], async (t) => {
    await filled(t);
    const names = (text: string) => [...text.matchAll(/long-\d+/g)].map(([name]) => name).sort();
    const wanted = Array.from({ length: COUNT }, (_, i) => `long-${i}`).sort();
    const json = new TextDecoder().decode(await bytesOf(t, { accept: "application/json" }));
    assert.deepEqual(JSON.parse(json).items.map((o: { metadata: { name: string } }) => o.metadata.name).sort(), wanted);
    const [one, other] = await Promise.all([bytesOf(t, PROTOBUF), bytesOf(t, PROTOBUF)]);
    assert.deepEqual(one, other);
    assert.equal(unwrap(one).kind, "ConfigMapList");
    assert.deepEqual(names(new TextDecoder("latin1").decode(one)), wanted);
    const kept = t.server.cacher.stats.formBytes;
    assert.ok(kept > 0 && kept < KEPT, `${kept} bytes of forms kept`);
  });
});

Deno.test("long lists: a reader that goes away ends the first look of a list in Protobuf", async () => {
  await withServer(["--disable-admission-plugins=ServiceAccount"], async (t) => {
    await filled(t);
    const reader = (await t.open(PATH, { headers: PROTOBUF })).body!.getReader();
    const first = reader.read();
    await reader.cancel();
    assert.equal((await first).done, true);
    assert.equal((await t.fetch(`${PATH}/long-1`)).status, 200);
  });
});

Deno.test("long lists: one that is not read to its end within the request's time is left", async () => {
  await withServer(["--disable-admission-plugins=ServiceAccount"], async (t) => {
    for (const name of ["one", "two"]) {
      await t.fetch(PATH, { body: { metadata: { name }, data: { text: "a".repeat(900_000) } } });
    }
    // Enough for the first look at them on a slow machine, and at the same time for all three.
    await Promise.all([{}, PROTOBUF, { "accept-encoding": "gzip" }].map(async (headers) => {
      const answer = await t.open(`${PATH}?timeout=4s`, { headers });
      assert.equal(answer.status, 200);
      await assert.rejects(answer.body!.getReader().closed, /not whole within 4 s/);
    }));
  });
});
