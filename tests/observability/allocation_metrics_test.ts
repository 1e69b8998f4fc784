/** Metrics of what services are given. */
import assert from "node:assert/strict";
import { withServer } from "../fixture/server.ts";

const SERVICES = "/api/v1/namespaces/default/services";

Deno.test("metrics tell how many addresses and node ports services have and may have, and what was asked for", async () => {
  const flags = ["--service-cluster-ip-range=10.9.0.0/28", "--service-node-port-range=30000-30009"];
  await withServer(flags, async (t) => {
    const told = async () => {
      const { text } = await t.fetch("/metrics");
      const lines = text.matchAll(/^kube_apiserver_(clusterip|nodeport)_allocator_(.*) (\d+)$/gm);
      return Object.fromEntries(Array.from(lines, ([, kind, rest, value]) => [`${kind} ${rest}`, Number(value)]));
    };
    const create = async (name: string, spec: Record<string, unknown>, query = "") => {
      const body = { metadata: { name }, spec: { type: "NodePort", ...spec } };
      return (await t.fetch(`${SERVICES}${query}`, { body })).status;
    };
    const before = await told(), cidr = 'cidr="10.9.0.0/28"';
    const asked = { clusterIP: "10.9.0.9", ports: [{ port: 80, nodePort: 30004 }] };
    assert.equal(await create("asked", asked), 201);
    assert.equal(await create("any", { ports: [{ port: 80 }] }), 201);
    assert.equal(await create("tried", { ports: [{ port: 80 }] }, "?dryRun=All"), 201);
    assert.equal(await create("again", asked), 422);
    assert.equal(await create("port", { ports: [{ port: 80, nodePort: 30004 }] }), 422);
    const after = await told();
    const grown = Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]);
    assert.deepEqual(Object.fromEntries(grown), {
      [`clusterip allocated_ips{${cidr}}`]: 2,
      [`clusterip available_ips{${cidr}}`]: -2,
      [`clusterip allocation_total{${cidr},scope="dynamic"}`]: 2,
      [`clusterip allocation_total{${cidr},scope="static"}`]: 1,
      [`clusterip allocation_errors_total{${cidr},scope="static"}`]: 1,
      "nodeport allocated_ports": 2,
      "nodeport available_ports": -2,
      'nodeport allocation_total{scope="dynamic"}': 1,
      'nodeport allocation_total{scope="static"}': 1,
      'nodeport allocation_errors_total{scope="static"}': 1,
    });
    assert.equal(after[`clusterip allocated_ips{${cidr}}`]! + after[`clusterip available_ips{${cidr}}`]!, 14);
    assert.equal(after["nodeport available_ports"], 8);
    assert.equal((await t.fetch(`${SERVICES}/asked`, { method: "DELETE" })).status, 200);
    assert.equal((await told())["nodeport available_ports"], 9);
  });
});
