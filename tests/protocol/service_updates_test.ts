/** What a service keeps and loses when it is sent anew, one row each. */
import assert from "node:assert/strict";
import type { Loose } from "../fixture/loose.ts";
import { namespace, ok, sharedServer } from "../spec/_spec.ts";

const server = sharedServer();

// Ports and addresses that are asked for are of those that none is given unasked.
const ports = [{ name: "a", port: 80 }, { name: "b", port: 81 }];
const [first, second, third] = ["10.0.0.3", "10.0.0.4", "10.0.0.5"];
const named = { type: "ExternalName", externalName: "x.io" };
const open = { type: "NodePort", ports };
const balanced = { type: "LoadBalancer", externalTrafficPolicy: "Local", loadBalancerClass: "x.io/y", ports };

/** Fields that a refusal names; or members that must be as they are told, undefined for what is not there. */
type Outcome = string[] | Loose;
/** `sent`: made of what was stored. */
type Row = readonly [name: string, made: Loose, sent: (stored: Loose) => Loose, then: (stored: Loose) => Outcome];

const KEPT: readonly Row[] = [
  ["addresses and ports of the same names", open, () => ({ ...open, ports: ports.toReversed() }), (s) => ({
    clusterIP: s.clusterIP,
    clusterIPs: s.clusterIPs,
    ports: s.ports.toReversed(),
  })],
  ["a port that is asked for", open, () => ({ ...open, ports: [{ ...ports[0], nodePort: 30001 }, ports[1]] }), (s) => ({
    ports: [{ ...s.ports[0], nodePort: 30001 }, s.ports[1]],
  })],
  [
    "the port of nodes' health",
    balanced,
    () => balanced,
    (s) => ({ healthCheckNodePort: s.healthCheckNodePort, ports: s.ports }),
  ],
  [
    "addresses, when the first is told",
    { ports },
    ({ clusterIP }) => ({ clusterIP, ports }),
    (s) => ({ clusterIPs: s.clusterIPs }),
  ],
  ["what its ports do not take from each other", open, (s) => ({
    ...open,
    ports: [{ ...ports[0], nodePort: s.ports[1].nodePort }, ports[1]],
  }), (s) => ({ clusterIPs: s.clusterIPs })],
  ["no addresses where there are none", named, (s) => ({ ...s, externalName: "y.io" }), () => ({
    ...named,
    externalName: "y.io",
    clusterIP: undefined,
    clusterIPs: undefined,
  })],
];

const addresses = { clusterIP: undefined, clusterIPs: undefined, ipFamilies: undefined, ipFamilyPolicy: undefined };
const closed = { ports: ports.map((p) => ({ ...p, protocol: "TCP", targetPort: p.port })) };

const LOST: readonly Row[] = [
  ["ports of nodes", open, (s) => ({ ...s, type: "ClusterIP" }), (s) => ({ ...closed, clusterIPs: s.clusterIPs })],
  ["addresses and ports", open, (s) => ({ ...s, ...named }), () => ({ ...closed, ...addresses })],
  [
    "addresses of which the first is not told",
    { ports },
    ({ clusterIP: _, ...s }) => ({ ...s, ...named }),
    () => addresses,
  ],
  [
    "the port of nodes' health",
    balanced,
    (s) => ({ ...s, externalTrafficPolicy: "Cluster" }),
    () => ({ healthCheckNodePort: undefined }),
  ],
  ["what balancers alone have", balanced, (s) => ({ ...s, type: "ClusterIP" }), () => ({
    ...closed,
    allocateLoadBalancerNodePorts: undefined,
    externalTrafficPolicy: undefined,
    healthCheckNodePort: undefined,
    loadBalancerClass: undefined,
  })],
  [
    "ports that are not to be opened",
    { ...open, type: "LoadBalancer" },
    () => ({ ...open, type: "LoadBalancer", allocateLoadBalancerNodePorts: false }),
    () => closed,
  ],
];

const REFUSED: readonly Row[] = [
  [
    "a new port of nodes",
    { ports },
    (s) => ({ ...s, ports: [{ ...ports[0], nodePort: 30002 }] }),
    () => ["spec.ports[0].nodePort"],
  ],
  [
    "a new port of nodes for what has none any more",
    open,
    (s) => ({ ...s, type: "ClusterIP", ports: [{ ...ports[0], nodePort: 30003 }] }),
    () => ["spec.ports[0].nodePort"],
  ],
  ["another address", { ports }, (s) => ({ ...s, clusterIP: second }), () => ["spec.clusterIPs[0]"]],
  ["another address by itself", { ports }, () => ({ ports, clusterIP: second }), () => ["spec.clusterIPs[0]"]],
  [
    "another port of nodes' health",
    balanced,
    (s) => ({ ...s, healthCheckNodePort: 30004 }),
    () => ["spec.healthCheckNodePort"],
  ],
  [
    "another class",
    balanced,
    (s) => ({ ...s, type: "ClusterIP", loadBalancerClass: "x.io/z" }),
    () => ["spec.loadBalancerClass", "spec.loadBalancerClass"],
  ],
  [
    "one more address",
    { ports },
    (s) => ({ ...s, clusterIPs: [s.clusterIP, "fd00::1"] }),
    () => ["spec.ipFamilyPolicy", "spec.clusterIPs[1]"],
  ],
  [
    "two first addresses",
    named,
    () => ({ ports, clusterIP: first, clusterIPs: [second] }),
    () => ["spec.clusterIPs"],
  ],
  [
    "addresses that it would not have any more, where they are new",
    { ports },
    (s) => ({ ...s, ...named, clusterIPs: [s.clusterIP, "fd00::1"] }),
    () => ["spec.clusterIPs"],
  ],
];

const test = (name: string, [, made, sent, then]: Row) =>
  Deno.test({
    name,
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const t = await server(), path = `/api/v1/namespaces/${await namespace(t)}/services`;
      const stored = (await ok(t, path, { body: { metadata: { name: "s" }, spec: made } })).body.spec;
      const body = { metadata: { name: "s" }, spec: sent(structuredClone(stored)) };
      const answer = await t.fetch(`${path}/s`, { method: "PUT", body });
      const outcome = then(stored);
      if (Array.isArray(outcome)) {
        assert.equal(answer.status, 422, answer.text);
        assert.deepEqual(answer.body.details.causes.map((c: Loose) => c.field), outcome, answer.text);
        return;
      }
      assert.equal(answer.status, 200, answer.text);
      const { spec } = answer.body;
      assert.deepEqual(Object.fromEntries(Object.keys(outcome).map((name) => [name, spec[name]])), outcome);
    },
  });

for (const row of KEPT) test(`a service that is sent anew keeps ${row[0]}`, row);
for (const row of LOST) test(`a service that becomes another loses ${row[0]}`, row);
for (const row of REFUSED) test(`a service is refused ${row[0]}`, row);

Deno.test({
  name: "a new service is refused two first addresses",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const t = await server(),
      body = { metadata: { name: "s" }, spec: { ports, clusterIP: third, clusterIPs: [second] } };
    const answer = await t.fetch(`/api/v1/namespaces/${await namespace(t)}/services`, { body });
    assert.deepEqual([answer.status, answer.body.details.causes.map((c: Loose) => c.field)], [422, [
      "spec.clusterIPs",
    ]]);
  },
});
