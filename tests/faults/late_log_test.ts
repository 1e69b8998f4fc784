/** Writes through a server that has not heard yet of what another one on the same store did. */
import assert from "node:assert/strict";
import { memoryBackend } from "../../server/storage/memory.ts";
import { startTestServer } from "../fixture/server.ts";
import { lateLog } from "./_late_log.ts";

const SERVICES = "/api/v1/namespaces/default/services";
const ADDRESSES = "/apis/networking.k8s.io/v1/ipaddresses";
const ADDRESS = "10.0.0.7";

for (
  const [what, name, spec] of [
    ["an address, and its object is there", "a", { clusterIP: ADDRESS, ports: [{ port: 80 }] }],
    ["an address of another service", "b", { clusterIP: ADDRESS, ports: [{ port: 80 }] }],
    ["a node port", "b", { type: "NodePort", ports: [{ port: 80, nodePort: 30007 }] }],
  ] as const
) {
  Deno.test(`what another server has just let go can be had: ${what}`, async () => {
    const store = memoryBackend(), log = lateLog(store);
    const behind = await startTestServer([], { backend: log.backend });
    const other = await startTestServer([], { backend: store });
    const made = await other.fetch(SERVICES, { body: { metadata: { name: "a" }, spec } });
    assert.equal(made.status, 201, made.text);
    log.hold();
    assert.equal((await other.fetch(`${SERVICES}/a`, { method: "DELETE" })).status, 200);
    const again = await behind.fetch(SERVICES, { body: { metadata: { name }, spec } });
    assert.equal(again.status, 201, again.text);
    const held = await other.fetch(`${ADDRESSES}/${again.body.spec.clusterIP}`);
    assert.deepEqual(held.body.spec?.parentRef, { resource: "services", namespace: "default", name });
    await behind.stop();
    await other.stop();
    await store.close();
  });
}
