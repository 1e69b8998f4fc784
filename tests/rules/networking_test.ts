import assert from "node:assert/strict";
import { Bench, table } from "./_table.ts";

const backend = { service: { name: "s", port: { number: 80 } } };
const INGRESS = {
  kind: "networking.k8s.io/v1/Ingress",
  resource: "ingresses",
  good: {
    metadata: { name: "x" },
    spec: {
      defaultBackend: backend,
      rules: [{ host: "a.example", http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }],
      tls: [{ hosts: ["a.example"], secretName: "t" }],
    },
  },
};
const HTTP = "spec.rules.0.http.paths.0", AT = "spec.rules[0].http.paths[0]";

table({
  ...INGRESS,
  rows: [
    { set: { "spec.rules": undefined, "spec.defaultBackend": undefined }, causes: ["spec Invalid"] },
    { set: { "spec.rules.0.host": "*.a.example" }, causes: [] },
    { set: { "spec.rules.0.host": "*" }, causes: ["spec.rules[0].host Invalid"] },
    { set: { "spec.rules.0.host": "1.2.3.4" }, causes: ["spec.rules[0].host Invalid"] },
    { set: { [`${HTTP}.path`]: "a" }, causes: [`${AT}.path Invalid`] },
    { set: { [`${HTTP}.path`]: "/a//b/.." }, causes: [`${AT}.path Invalid`, `${AT}.path Invalid`] },
    { set: { [`${HTTP}.path`]: "/a//b", [`${HTTP}.pathType`]: "ImplementationSpecific" }, causes: [] },
    { set: { [`${HTTP}.pathType`]: undefined }, causes: [`${AT}.pathType Required`] },
    { set: { [`${HTTP}.backend.service.port.name`]: "http" }, causes: [`${AT}.backend Invalid`] },
    { set: { [`${HTTP}.backend.resource`]: { kind: "K", name: "n" } }, causes: [`${AT}.backend Invalid`] },
    {
      set: { [`${HTTP}.backend`]: { resource: { kind: "a/b" } } },
      causes: [
        `${AT}.backend.resource.kind Invalid`,
        `${AT}.backend.resource.name Required`,
      ],
    },
    { set: { [`${HTTP}.backend.service.name`]: "1a" }, causes: [] },
    { set: { "spec.tls.0.secretName": "Bad!" }, causes: ["spec.tls[0].secretName Invalid"] },
    {
      set: { "metadata.annotations": { "kubernetes.io/ingress.class": "a" }, "spec.ingressClassName": "b" },
      causes: ["annotations.kubernetes.io/ingress.class Invalid"],
    },
    {
      on: "update",
      set: { "metadata.annotations": { "kubernetes.io/ingress.class": "a" }, "spec.ingressClassName": "b" },
      causes: [],
    },
    {
      on: "status",
      set: { "status.loadBalancer.ingress": [{ ip: "01.2.3.4" }, { hostname: "1.2.3.4" }, { ip: "::1" }] },
      causes: ["status.loadBalancer.ingress[0].ip Invalid", "status.loadBalancer.ingress[1].hostname Invalid"],
    },
    {
      on: "status",
      from: { "status.loadBalancer.ingress": [{ ip: "01.2.3.4" }] },
      set: { "status.loadBalancer.ingress": [{ hostname: "h" }, { ip: "01.2.3.4" }] },
      causes: [],
    },
  ],
});

table({
  kind: "networking.k8s.io/v1/IngressClass",
  resource: "ingressclasses",
  namespaced: false,
  good: { spec: { controller: "example.com/c", parameters: { kind: "K", name: "n" } } },
  rows: [
    { set: { "spec.controller": "c" }, causes: ["spec.controller Invalid"] },
    { set: { "spec.controller": "Bad/c d" }, causes: ["spec.controller Invalid", "spec.controller Invalid"] },
    { set: { "spec.controller": `a/${"x".repeat(249)}` }, causes: ["spec.controller TooLong"] },
    { on: "update", set: { "spec.controller": "example.com/d" }, causes: ["spec.controller Invalid"] },
    { set: { "spec.parameters.scope": "Namespace" }, causes: ["spec.parameters.namespace Required"] },
    { set: { "spec.parameters.namespace": "n" }, causes: ["spec.parameters.namespace Forbidden"] },
    { set: { "spec.parameters.scope": "Bad" }, causes: ["spec.parameters.scope NotSupported"] },
  ],
});

table({
  kind: "networking.k8s.io/v1/NetworkPolicy",
  resource: "networkpolicies",
  good: {
    spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }], from: [{ ipBlock: { cidr: "10.0.0.0/8" } }] }] },
  },
  rows: [
    {
      set: { "spec.ingress.0.from.0.ipBlock.except": ["10.1.0.0/16", "10.0.0.0/8", "11.0.0.0/16", "x"] },
      causes: [1, 2, 3].map((i) => `spec.ingress[0].from[0].ipBlock.except[${i}] Invalid`),
    },
    {
      set: { "spec.ingress.0.from.0.podSelector": {} },
      causes: ["spec.ingress[0].from[0] Forbidden"],
    },
    { set: { "spec.ingress.0.from.0": {} }, causes: ["spec.ingress[0].from[0] Required"] },
    {
      set: { "spec.ingress.0.ports.0": { port: "web", endPort: 90 } },
      causes: ["spec.ingress[0].ports[0].endPort Invalid"],
    },
    {
      set: { "spec.ingress.0.ports.0": { port: 90, endPort: 80 } },
      causes: ["spec.ingress[0].ports[0].endPort Invalid"],
    },
    { set: { "spec.policyTypes": ["Ingress", "Other"] }, causes: ["spec.policyTypes[1] NotSupported"] },
    { set: { "spec.policyTypes": ["Ingress", "Egress", "x"] }, causes: ["spec.policyTypes Invalid"] },
    {
      set: { "spec.ingress.0.from.0.ipBlock.cidr": "10.1.2.3/8" },
      causes: ["spec.ingress[0].from[0].ipBlock.cidr Invalid"],
    },
  ],
});

table({
  kind: "networking.k8s.io/v1/IPAddress",
  resource: "ipaddresses",
  namespaced: false,
  good: { metadata: { name: "2001:db8::1" }, spec: { parentRef: { resource: "services", name: "s", namespace: "n" } } },
  rows: [
    { set: { "metadata.name": "2001:DB8::1" }, causes: ["metadata.name Invalid"] },
    { set: { "metadata.name": "010.0.0.1" }, causes: ["metadata.name Invalid"] },
    { set: { "spec.parentRef.name": "a/b" }, causes: ["spec.parentRef.name Invalid"] },
    { on: "update", set: { "spec.parentRef.name": "t" }, causes: ["spec.parentRef Invalid"] },
  ],
});

table({
  kind: "networking.k8s.io/v1/ServiceCIDR",
  resource: "servicecidrs",
  namespaced: false,
  good: { spec: { cidrs: ["10.0.0.0/24"] } },
  rows: [
    { set: { "spec.cidrs": ["10.0.0.0/24", "2001:db8::/64", "10.1.0.0/24"] }, causes: ["spec.cidrs Invalid"] },
    { set: { "spec.cidrs": ["10.0.0.0/24", "10.1.0.0/24"] }, causes: ["spec.cidrs Invalid"] },
    { set: { "spec.cidrs.0": "10.0.0.1/24" }, causes: ["spec.cidrs[0] Invalid"] },
    { on: "update", set: { "spec.cidrs": ["10.0.0.0/24", "2001:db8::/64"] }, causes: [] },
    { on: "update", set: { "spec.cidrs": ["10.1.0.0/24"] }, causes: ["spec.cidrs[0] Invalid"] },
    { on: "update", set: { "spec.cidrs": ["10.1.0.0/24", "2001:db8::/64"] }, causes: ["spec.cidrs[0] Invalid"] },
  ],
});

Deno.test("an ingress counts generations by its spec, and clients do not write its status", () => {
  const bench = new Bench({ ...INGRESS, rows: [] });
  const { object } = bench.create({ ...INGRESS.good, status: { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } } });
  assert.equal(object.metadata.generation, 1);
  assert.deepEqual(object["status"], { loadBalancer: {} });
  const next = structuredClone(INGRESS.good);
  next.spec.tls = [];
  assert.equal(bench.update(object, next).object.metadata.generation, 2);
  const named = { ...INGRESS.good, metadata: { name: "x", labels: { a: "b" } } };
  assert.equal(bench.update(object, named).object.metadata.generation, 1);
});
