import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { TestServer } from "../fixture/server.ts";
import {
  createMaps,
  maps,
  MERGE,
  namesOf,
  namespace,
  ok,
  patchOf,
  refused,
  sharedServer,
  spec,
  withServer,
} from "./_spec.ts";

const server = sharedServer();

/** A namespace with a, b and c, made at known versions, and the version of the list now. */
async function three(t: TestServer) {
  const ns = await namespace(t);
  const versions = await createMaps(t, ns, "a", "b", "c");
  return { ns, path: maps(ns), versions, now: versions[2]! };
}

spec("Chunked lists", {
  "rule 1": async () => {
    const t = await server();
    const { path } = await three(t);
    const { body } = await ok(t, `${path}?limit=2`);
    assert.deepEqual(namesOf(body), ["a", "b"]);
    assert.ok(body.metadata.continue);
  },
  "rule 2": async () => {
    const t = await server();
    const { path } = await three(t);
    const names: string[] = [];
    let token = "";
    do {
      const { body } = await ok(t, `${path}?limit=2${token && `&continue=${encodeURIComponent(token)}`}`);
      names.push(...namesOf(body));
      token = body.metadata.continue ?? "";
    } while (token !== "");
    assert.deepEqual(names, ["a", "b", "c"]);
    await refused(t, 400, `${path}?limit=2&continue=meddled`);
    // Nobody can make one: not of one for another place either.
    const given = Buffer.from((await ok(t, `${path}?limit=1`)).body.metadata.continue, "base64url");
    for (const at of [0, given.length - 1]) {
      const other = Buffer.from(given);
      other[at]! ^= 1;
      await refused(t, 400, `${path}?limit=2&continue=${other.toString("base64url")}`);
    }
  },
  "rule 3": async () => {
    const t = await server();
    const { ns, path } = await three(t);
    const first = (await ok(t, `${path}?limit=1`)).body;
    await createMaps(t, ns, "bb");
    await ok(t, `${path}/b`, patchOf(MERGE, { data: { k: "later" } }));
    await ok(t, `${path}/c`, { method: "DELETE" });
    const rest = (await ok(t, `${path}?limit=9&continue=${encodeURIComponent(first.metadata.continue)}`)).body;
    assert.deepEqual(namesOf(rest), ["b", "c"]);
    assert.equal(rest.items[0].data, undefined);
    assert.equal(rest.metadata.resourceVersion, first.metadata.resourceVersion);
  },
  "rule 4": async () => {
    let now = Date.now();
    await withServer([], async (t) => {
      const { ns, path } = await three(t);
      const { continue: token } = (await ok(t, `${path}?limit=1`)).body.metadata;
      const next = `${path}?limit=1&continue=${encodeURIComponent(token)}`;
      now += 5 * 60_000 - 1;
      await ok(t, next);
      now += 1;
      const gone = await refused(t, 410, next);
      assert.equal(gone.body.reason, "Expired");
      // Again from the start, whole; or on from there, with what is newest now.
      assert.deepEqual(namesOf((await ok(t, path)).body), ["a", "b", "c"]);
      const fresh = encodeURIComponent(gone.body.metadata.continue);
      assert.deepEqual(namesOf((await ok(t, `${path}?limit=9&continue=${fresh}`)).body), ["b", "c"]);
      // That one is of no version that could be forgotten.
      now += 10 * 60_000;
      await createMaps(t, ns, "d");
      assert.deepEqual(namesOf((await ok(t, `${path}?limit=9&continue=${fresh}`)).body), ["b", "c", "d"]);
      const { metadata } = (await ok(t, `${path}?limit=1&continue=${fresh}`)).body;
      const last = await ok(t, `${path}?limit=9&continue=${encodeURIComponent(metadata.continue)}`);
      assert.deepEqual(namesOf(last.body), ["c", "d"]);
    }, { now: () => now });
  },
});
