/** Repair of what services hold. */
import assert from "node:assert/strict";
import type { Backend } from "../../server/storage/backend.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { core, heardLate, until, World } from "./_world.ts";

const ADDRESSES = "/apis/networking.k8s.io/v1/ipaddresses";
const PORTS = "/registry/ranges/servicenodeports/";

const service = (name: string) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name },
  spec: { type: "NodePort", ports: [{ port: 80 }] },
});

Deno.test("what a service has is held again; what no service has is let go", async () => {
  let now = Date.now();
  const w = await World.start("-*", [], { now: () => now });
  const { backend } = w.test;
  const { spec } = await w.create(core("services", "default"), service("a"));
  const [ip, port] = [spec.clusterIP as string, spec.ports[0].nodePort as number];
  const address = (await w.get(`${ADDRESSES}/${ip}`))!;
  const [left, foreign] = ["10.0.0.250", "10.0.0.251", "10.0.0.252"].filter((free) => free !== ip) as [string, string];
  await w.create(ADDRESSES, {
    ...address,
    metadata: { name: left, labels: address.metadata.labels },
    spec: { parentRef: { resource: "services", namespace: "default", name: "none" } },
  });
  await w.create(ADDRESSES, {
    ...address,
    metadata: { name: foreign },
    spec: { parentRef: { resource: "services", namespace: "default", name: "none" } },
  });
  await w.remove(`${ADDRESSES}/${ip}`);
  const stray = port === 32000 ? 32001 : 32000;
  await backend.commit([
    { key: `${PORTS}${port}`, value: null },
    { key: `${PORTS}${stray}`, value: new Uint8Array([1]) },
  ]);
  now += 120_000;
  const second = await World.start("service-allocation-repair", [], { backend, now: () => now });
  await until("the address is held", async () => (await w.get(`${ADDRESSES}/${ip}`)) !== undefined);
  await w.gone(`${ADDRESSES}/${left}`);
  assert.ok(await w.get(`${ADDRESSES}/${foreign}`), "managed by somebody else");
  const keys = (await backend.range(PORTS)).items.map((i) => i.key);
  assert.deepEqual(keys, [`${PORTS}${port}`]);
  await second.stop();
  await w.stop();
});

Deno.test("the port of a service that this server has not heard of yet stays held", async () => {
  const store = memoryBackend(), one = await World.start("-*", [], { backend: store });
  const stray = `${PORTS}32767`, nodePort = 30100;
  await store.commit([{ key: stray, value: new Uint8Array([1]) }]);
  const range: Backend["range"] = async (prefix, page) => {
    const news = { ...service("new"), spec: { type: "NodePort", ports: [{ port: 80, nodePort }] } };
    if (prefix === PORTS) await one.create(core("services", "default"), news);
    return await store.range(prefix, page);
  };
  const two = await World.start("service-allocation-repair", [], { backend: heardLate(store, { range }) });
  await until("what no service has is let go", async () => await store.get(stray) === undefined);
  assert.ok(await store.get(`${PORTS}${nodePort}`));
  await two.stop();
  await one.stop();
  await store.close();
});

Deno.test("an address that is taken from a service is held again at once, and goes with the service", async () => {
  const w = await World.start("service-allocation-repair");
  const { spec: { clusterIP } } = await w.create(core("services", "default"), service("a"));
  const path = `${ADDRESSES}/${clusterIP}`, first = (await w.get(path))!;
  assert.equal(await w.remove(path), 200);
  await until("it is held", async () => ![undefined, first.metadata.uid].includes((await w.get(path))?.metadata.uid));
  assert.deepEqual((await w.get(path))!.spec, first.spec);
  const other = { ...service("b"), spec: { clusterIP, ports: [{ port: 80 }] } };
  assert.equal((await w.test.fetch(core("services", "default"), { body: other })).status, 422);
  await w.remove(core("services", "default", "a"));
  // The work of the queue is in order: once the second one's is done, so is the first one's.
  const next = clusterIP === "10.0.0.77" ? "10.0.0.78" : "10.0.0.77";
  await w.create(core("services", "default"), { metadata: { name: "c" }, spec: { ...other.spec, clusterIP: next } });
  await w.remove(`${ADDRESSES}/${next}`);
  await until("the next one is held", async () => (await w.get(`${ADDRESSES}/${next}`)) !== undefined);
  assert.equal(await w.get(path), undefined);
  await w.stop();
});

Deno.test("node ports stand in the account that public servers keep on the same store", async () => {
  const w = await World.start("-*", ["--service-node-port-range=30000-30015"]);
  const { backend } = w.test, key = PORTS.slice(0, -1);
  const write = (data: string) =>
    backend.commit([{
      key,
      value: new TextEncoder().encode(
        JSON.stringify({ kind: "RangeAllocation", apiVersion: "v1", metadata: {}, range: "30000-30015", data }),
      ),
    }]);
  // All but 30003 and 30012 are somebody's; the highest ports come first.
  await write(btoa("\xef\xf7"));
  const bits = async () => {
    const stored = new TextDecoder().decode((await backend.get(key))!.value);
    const match = /30000-30015[^]*$/.exec(stored);
    assert.ok(match, stored);
    return [...(await backend.get(key))!.value].slice(-6, -4);
  };
  const made = [];
  for (const name of ["a", "b"]) {
    made.push((await w.create(core("services", "default"), service(name))).spec.ports[0].nodePort);
  }
  assert.deepEqual(made.sort(), [30003, 30012]);
  assert.deepEqual(await bits(), [0xff, 0xff]);
  const refused = await w.test.fetch(core("services", "default"), { body: service("c") });
  assert.equal(refused.status, 500, "the range is full");
  // A port that the account alone knows can be asked for: nobody has it.
  const asked = { ...service("d"), spec: { type: "NodePort", ports: [{ port: 80, nodePort: 30001 }] } };
  await backend.commit([{ key: `${PORTS}30001`, value: new Uint8Array([1]) }]);
  assert.equal((await w.create(core("services", "default"), asked)).spec.ports[0].nodePort, 30001);
  await w.remove(`${core("services", "default")}/d`);
  await until("the port is off the account", async () => (await bits())[1] === 0xfd);
  await w.stop();
});

Deno.test("a port that is given up and taken again at once stays in the account of public servers", async () => {
  const backend = memoryBackend(), key = PORTS.slice(0, -1);
  const object = { kind: "RangeAllocation", apiVersion: "v1", metadata: {}, range: "30000-30015", data: "" };
  await backend.commit([{ key, value: new TextEncoder().encode(JSON.stringify(object)) }]);
  const w = await World.start("-*", ["--service-node-port-range=30000-30015"], { backend });
  const bits = async () => (await backend.get(key))!.value.join();
  const asked = { ...service("a"), spec: { type: "NodePort", ports: [{ port: 80, nodePort: 30001 }] } };
  await w.create(core("services", "default"), asked);
  const taken = await bits();
  const arrived = Promise.withResolvers<void>(), go = Promise.withResolvers<void>(), results: boolean[] = [];
  const { commit } = backend;
  backend.commit = async (changes) => {
    const releases = changes.some((c) => c.key === key) && changes.every((c) => c.key.startsWith(key));
    if (!releases) return await commit.call(backend, changes);
    arrived.resolve();
    await go.promise;
    const result = await commit.call(backend, changes);
    results.push(result.ok);
    return result;
  };
  await w.remove(`${core("services", "default")}/a`);
  await arrived.promise;
  await w.create(core("services", "default"), asked);
  go.resolve();
  await until("the account has changed since", () => results[0] === false);
  for (let i = 0; i < 3; i++) assert.ok(await w.get(`${core("services", "default")}/a`));
  assert.equal(await bits(), taken, "a service has the port");
  await w.remove(`${core("services", "default")}/a`);
  await until("it is off the account", async () => (await bits()) !== taken);
  await w.stop();
});

Deno.test("what a service holds stays held while the service cannot be read", async () => {
  let now = Date.now();
  const w = await World.start("-*", [], { now: () => now });
  const { backend } = w.test;
  const { spec } = await w.create(core("services", "default"), service("a"));
  const other = await w.create(core("services", "default"), service("b"));
  const [ip, port] = [spec.clusterIP as string, spec.ports[0].nodePort as number];
  await backend.commit([
    { key: "/registry/services/specs/default/a", value: new TextEncoder().encode("garbage") },
    { key: `${PORTS}${other["spec"].ports[0].nodePort}`, value: null },
  ]);
  await w.remove(`${ADDRESSES}/${other["spec"].clusterIP}`);
  now += 120_000;
  const second = await World.start("service-allocation-repair", [], { backend, now: () => now });
  await until("what the other one has is held again", async () => {
    return (await w.get(`${ADDRESSES}/${other["spec"].clusterIP}`)) !== undefined;
  });
  assert.ok(await w.get(`${ADDRESSES}/${ip}`), "its address");
  assert.ok(await backend.get(`${PORTS}${port}`), "its port");
  await second.stop();
  await w.stop();
});
