import assert from "node:assert/strict";
import { Bench, table } from "./_table.ts";

const SLICE = {
  kind: "discovery.k8s.io/v1/EndpointSlice",
  resource: "endpointslices",
  good: {
    metadata: { name: "x" },
    addressType: "IPv4",
    endpoints: [{ addresses: ["1.2.3.4"] }],
    ports: [{ name: "a", port: 80 }],
  },
};

table({
  ...SLICE,
  rows: [
    { set: { addressType: "IP" }, causes: ["addressType NotSupported"] },
    { set: { addressType: "FQDN", "endpoints.0.addresses.0": "a.example." }, causes: [] },
    { set: { addressType: "FQDN", "endpoints.0.addresses.0": "a" }, causes: ["endpoints[0].addresses[0] Invalid"] },
    { set: { "endpoints.0.addresses.0": "127.0.0.1" }, causes: ["endpoints[0].addresses[0] Invalid"] },
    { set: { "endpoints.0.addresses.0": "2001:db8::1" }, causes: ["endpoints[0].addresses Invalid"] },
    { set: { addressType: "IPv6" }, causes: ["endpoints[0].addresses Invalid"] },
    {
      set: { addressType: "IPv6", "endpoints.0.addresses.0": "2001:DB8::1" },
      causes: ["endpoints[0].addresses[0] Invalid"],
    },
    { set: { "endpoints.0.addresses": [] }, causes: ["endpoints[0].addresses Required"] },
    { set: { "endpoints.0.addresses": new Array(101).fill("1.2.3.4") }, causes: ["endpoints[0].addresses TooMany"] },
    { set: { endpoints: new Array(1001).fill({ addresses: ["1.2.3.4"] }) }, causes: ["endpoints TooMany"] },
    {
      set: { "endpoints.0.hints.forZones": new Array(9).fill({ name: "z" }) },
      causes: ["endpoints[0].hints.forZones TooMany"],
    },
    {
      set: { "endpoints.0.hints.forNodes": [{ name: "a" }, { name: "a" }, { name: "B" }] },
      causes: ["endpoints[0].hints.forNodes[1].name Duplicate", "endpoints[0].hints.forNodes[2].name Invalid"],
    },
    { set: { "ports.1": { name: "a", port: 81 } }, causes: ["ports[1].name Duplicate"] },
    { set: { "ports.0.protocol": "x" }, causes: ["ports[0].protocol NotSupported"] },
    {
      set: { "ports.0.protocol": "x", "endpoints.0.addresses": [] },
      causes: ["ports[0].protocol NotSupported", "endpoints[0].addresses Required"],
    },
    {
      on: "update",
      set: { addressType: "IPv6", "endpoints.0.addresses.0": "2001:db8::1" },
      causes: ["addressType Invalid"],
    },
  ],
});

Deno.test("a slice's labels and endpoints count as generations, its annotations do not", () => {
  const bench = new Bench({ ...SLICE, rows: [] }), { object } = bench.create(SLICE.good);
  const after = (metadata: object, more = {}) =>
    bench.update(object, { ...SLICE.good, ...more, metadata: { name: "x", ...metadata } }).object.metadata.generation;
  assert.equal(after({}), 1);
  assert.equal(after({ annotations: { a: "b" } }), 1);
  assert.equal(after({ labels: { a: "b" } }), 2);
  assert.equal(after({ labels: { a: "b" } }, { ports: [] }), 2);
  const endpoints = [{ addresses: ["1.2.3.4"], deprecatedTopology: { a: "b" } }];
  assert.equal(after({}, { endpoints }), 2, "topology counts although it is dropped");
});

Deno.test("slices of names warn when new, and of bad addresses unless a controller made them", () => {
  const bench = new Bench({ ...SLICE, rows: [] }), ctx = bench.context(), { rules } = bench.ruled;
  const warn = (more: object, old?: boolean) => {
    const object = bench.read({ ...SLICE.good, ...more }, ctx);
    return rules.warnings!(object, old ? object : undefined, ctx).length;
  };
  const names = { addressType: "FQDN", endpoints: [{ addresses: ["a.example"] }] };
  assert.equal(warn(names), 1);
  assert.equal(warn(names, true), 0);
  const mapped = [{ addresses: ["::ffff:1.2.3.4"] }];
  assert.equal(warn({ endpoints: mapped }), 1);
  const labels = { "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io" };
  assert.equal(warn({ endpoints: mapped, metadata: { labels } }), 0);
});
