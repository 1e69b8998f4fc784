/** Addresses and node ports of services that name what another one holds. */
import assert from "node:assert/strict";
import { withServer } from "../fixture/server.ts";

const SERVICES = "/api/v1/namespaces/default/services";
const IP = "10.0.0.77", PORT = 30077;
const spec = { type: "NodePort", clusterIP: IP, clusterIPs: [IP], ports: [{ port: 80, nodePort: PORT }] };

Deno.test("a service that only names another's address and port does not let them go", async () => {
  await withServer([], async (t) => {
    assert.equal((await t.fetch(SERVICES, { body: { metadata: { name: "a" }, spec } })).status, 201);
    const body = { metadata: { name: "b" }, spec };
    assert.equal((await t.fetch(`${SERVICES}/b/status`, { method: "PUT", body })).status, 201);
    assert.equal((await t.fetch(`${SERVICES}/b`, { method: "DELETE" })).status, 200);
    const { status } = await t.fetch(`/apis/networking.k8s.io/v1/ipaddresses/${IP}`);
    const { items } = await t.backend.range("/registry/ranges/servicenodeports/");
    const c = await t.fetch(SERVICES, {
      body: { metadata: { name: "c" }, spec: { ...spec, type: "ClusterIP", ports: [{ port: 80 }] } },
    });
    assert.deepEqual([status, items.length, c.status], [200, 1, 422]);
    assert.equal((await t.fetch(`${SERVICES}/a`, { method: "DELETE" })).status, 200);
    assert.equal((await t.fetch(`/apis/networking.k8s.io/v1/ipaddresses/${IP}`)).status, 404);
    assert.equal((await t.backend.range("/registry/ranges/servicenodeports/")).items.length, 0);
  });
});

Deno.test("a service that is there already has its address: another of its name is refused for that", async () => {
  await withServer([], async (t) => {
    const body = { metadata: { name: "a" }, spec };
    assert.equal((await t.fetch(SERVICES, { body })).status, 201);
    const again = await t.fetch(SERVICES, { body });
    assert.deepEqual([again.status, again.body.details.causes[0].message], [
      422,
      `Invalid value: ["${IP}"]: failed to allocate IP ${IP}: provided IP is already allocated`,
    ]);
    const unasked = await t.fetch(SERVICES, { body: { metadata: { name: "a" }, spec: { ports: [{ port: 80 }] } } });
    assert.deepEqual([unasked.status, unasked.body.reason], [409, "AlreadyExists"]);
  });
});

Deno.test("a dry run keeps no port and no address from those who ask for it meanwhile", async () => {
  await withServer([], async (t) => {
    const create = (name: string, query = "") => t.fetch(`${SERVICES}${query}`, { body: { metadata: { name }, spec } });
    const tried = Array.from({ length: 8 }, (_, i) => create(`tried-${i}`, "?dryRun=All"));
    assert.equal((await create("made")).status, 201);
    await Promise.all(tried);
  });
});

Deno.test("the write that lets a service go gives back what the service had, not what the write says", async () => {
  await withServer([], async (t) => {
    const metadata = { name: "a", finalizers: ["example.com/held"] };
    const { body } = await t.fetch(SERVICES, { body: { metadata, spec } });
    await t.fetch(`${SERVICES}/a`, { method: "DELETE" });
    const last = { metadata: { name: "a" }, spec: { ...body.spec, ports: [{ port: 80, nodePort: PORT + 1 }] } };
    const answer = await t.fetch(`${SERVICES}/a`, { method: "PUT", body: last });
    assert.deepEqual([answer.status, answer.body.spec.ports[0].nodePort], [200, PORT + 1]);
    assert.equal((await t.fetch(`${SERVICES}/a`)).status, 404);
    assert.equal((await t.fetch(`/apis/networking.k8s.io/v1/ipaddresses/${IP}`)).status, 404);
    assert.equal((await t.backend.range("/registry/ranges/servicenodeports/")).items.length, 0);
    assert.equal((await t.fetch(SERVICES, { body: { metadata: { name: "b" }, spec } })).status, 201);
  });
});

Deno.test("the port of a service's health checks is taken for its other ports too", async () => {
  await withServer([], async (t) => {
    // None of them at random: that might be the one which is asked for below.
    const ports = [{ port: 80, nodePort: PORT + 1 }], healthCheckNodePort = PORT + 2;
    const balanced = { type: "LoadBalancer", externalTrafficPolicy: "Local", healthCheckNodePort, ports };
    const { body } = await t.fetch(SERVICES, { body: { metadata: { name: "a" }, spec: balanced } });
    const change = (port: Record<string, unknown>) => ({
      method: "PUT",
      body: { ...body, spec: { ...body.spec, ports: [port, { ...port, name: "b", protocol: "UDP" }] } },
    });
    const taken = await t.fetch(
      `${SERVICES}/a`,
      change({ name: "a", port: 80, nodePort: body.spec.healthCheckNodePort }),
    );
    assert.deepEqual([taken.status, taken.body.details.causes[0].field], [422, "spec.ports[0].nodePort"], taken.text);
    const shared = await t.fetch(`${SERVICES}/a`, change({ name: "a", port: 80, nodePort: PORT }));
    assert.equal(shared.status, 200, shared.text);
  });
});

Deno.test("node ports that nobody asked for come from the upper part of the range as long as that has some", async () => {
  await withServer(["--service-node-port-range=30000-30031"], async (t) => {
    const ports: number[] = [];
    for (let i = 0; i < 32; i++) {
      const body = { metadata: { name: `s${i}` }, spec: { type: "NodePort", ports: [{ port: 80 }] } };
      ports.push((await t.fetch(SERVICES, { body })).body.spec.ports[0].nodePort);
    }
    assert.deepEqual(ports.slice(0, 16).sort(), Array.from({ length: 16 }, (_, i) => 30016 + i));
    assert.deepEqual(ports.slice(16).sort(), Array.from({ length: 16 }, (_, i) => 30000 + i));
    const full = await t.fetch(SERVICES, {
      body: { metadata: { name: "more" }, spec: { type: "NodePort", ports: [{ port: 80 }] } },
    });
    assert.equal(full.status, 500);
  });
});

Deno.test("a service takes its endpoints along, but not in a dry run", async () => {
  await withServer([], async (t) => {
    const endpoints = "/api/v1/namespaces/default/endpoints";
    const make = async (name: string, finalizers: string[] = []) => {
      const of = { metadata: { name }, subsets: [{ addresses: [{ ip: "10.1.0.1" }] }] };
      await t.fetch(endpoints, { body: { ...of, metadata: { name, finalizers } } });
      const { status } = await t.fetch(SERVICES, { body: { metadata: { name }, spec: { ports: [{ port: 80 }] } } });
      assert.equal(status, 201);
    };
    await make("a");
    await make("held", ["example.com/held"]);
    assert.equal((await t.fetch(`${SERVICES}/a?dryRun=All`, { method: "DELETE" })).status, 200);
    assert.equal((await t.fetch(`${endpoints}/a`)).status, 200);
    for (const name of ["a", "held"]) {
      assert.equal((await t.fetch(`${SERVICES}/${name}`, { method: "DELETE" })).status, 200);
    }
    assert.equal((await t.fetch(`${endpoints}/a`)).status, 404);
    assert.ok((await t.fetch(`${endpoints}/held`)).body.metadata.deletionTimestamp);
  });
});

Deno.test("a service without node ports may name one, whoever has it, and has it only when it opens ports", async () => {
  await withServer([], async (t) => {
    const of = (type: string, nodePort: number) => ({
      type,
      ports: [{ port: 80, nodePort }],
      ...type === "ExternalName" ? { externalName: "x.y" } : {},
    });
    const create = async (name: string, spec: unknown) =>
      (await t.fetch(SERVICES, { body: { metadata: { name }, spec } })).status;
    const open = async (name: string) =>
      (await t.fetch(`${SERVICES}/${name}`, {
        method: "PATCH",
        headers: { "content-type": "application/merge-patch+json" },
        body: { spec: { type: "NodePort" } },
      })).status;
    assert.equal(await create("a", of("NodePort", PORT)), 201);
    assert.equal(await create("same", of("ExternalName", PORT)), 201);
    assert.equal(await create("other", of("ExternalName", PORT + 1)), 201);
    assert.equal(await open("same"), 422);
    assert.equal((await t.fetch(`${SERVICES}/same`, { method: "DELETE" })).status, 200);
    assert.equal(await create("b", of("NodePort", PORT)), 422);
    assert.equal(await open("other"), 200);
    assert.equal(await create("b", of("NodePort", PORT + 1)), 422);
    for (const name of ["a", "other"]) await t.fetch(`${SERVICES}/${name}`, { method: "DELETE" });
    assert.equal((await t.backend.range("/registry/ranges/servicenodeports/")).items.length, 0);
  });
});
