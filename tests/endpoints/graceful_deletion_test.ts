/** Pods on a node are given time to end: it can be shortened, and only its end removes them. */
import assert from "node:assert/strict";
import { startTestServer } from "../fixture/server.ts";

const PODS = "/api/v1/namespaces/default/pods";
const START = Date.UTC(2030, 0, 1);

Deno.test("the time that a pod has to end can be shortened, never to before now, and it stays until none is left", async () => {
  let now = START;
  const t = await startTestServer(["--disable-admission-plugins=ServiceAccount"], { now: () => now });
  const body = {
    metadata: { name: "p", finalizers: ["example.com/held"] },
    spec: { nodeName: "n", containers: [{ name: "c", image: "i" }], terminationGracePeriodSeconds: 30 },
  };
  assert.equal((await t.fetch(PODS, { body })).status, 201);
  const deleted = async (query = "") => {
    const { body: { metadata } } = await t.fetch(`${PODS}/p${query}`, { method: "DELETE" });
    return [metadata.deletionGracePeriodSeconds, (Date.parse(metadata.deletionTimestamp) - START) / 1000];
  };
  assert.deepEqual(await deleted(), [30, 30]);
  assert.deepEqual(await deleted("?gracePeriodSeconds=60"), [30, 30]);
  assert.deepEqual(await deleted("?gracePeriodSeconds=10"), [10, 10]);
  now += 20_000;
  assert.deepEqual(await deleted("?gracePeriodSeconds=5"), [1, 20]);
  const headers = { "content-type": "application/merge-patch+json" };
  const free = JSON.stringify({ metadata: { finalizers: null } });
  assert.equal((await t.fetch(`${PODS}/p`, { method: "PATCH", headers, body: free })).status, 200);
  assert.equal((await t.fetch(`${PODS}/p`)).status, 200, "its node has not said that it has ended");
  assert.equal((await t.fetch(`${PODS}/p?gracePeriodSeconds=0`, { method: "DELETE" })).status, 200);
  assert.equal((await t.fetch(`${PODS}/p`)).status, 404);
  assert.equal((await t.fetch(PODS, { body: { ...body, metadata: { name: "p" } } })).status, 201);
  assert.deepEqual(await deleted(), [30, 50]);
  assert.deepEqual(await deleted("?gracePeriodSeconds=-5"), [1, 21]);
  await t.stop();
});
