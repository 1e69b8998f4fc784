/** Addresses of services out of ranges that are added while the server runs. */
import assert from "node:assert/strict";
import type { JsonMap } from "../../schema/model/types.ts";
import { startTestServer, type TestServer, withServer } from "../fixture/server.ts";

const SERVICES = "/api/v1/namespaces/default/services";
const RANGES = "/apis/networking.k8s.io/v1/servicecidrs";
const spec = (more: JsonMap = {}) => ({ ports: [{ port: 80 }], ...more });
const create = (t: TestServer, name: string, more?: JsonMap) =>
  t.fetch(SERVICES, { body: { metadata: { name }, spec: spec(more) } });
const range = (t: TestServer, name: string, ...cidrs: string[]) =>
  t.fetch(RANGES, {
    body: { metadata: { name, finalizers: ["networking.k8s.io/service-cidr-finalizer"] }, spec: { cidrs } },
  });
const ready = (t: TestServer, name: string, status: string) =>
  t.fetch(`${RANGES}/${name}/status`, {
    method: "PATCH",
    headers: { "content-type": "application/merge-patch+json" },
    body: {
      status: {
        conditions: [{ type: "Ready", status, reason: "", message: "", lastTransitionTime: "2020-01-01T00:00:00Z" }],
      },
    },
  });

Deno.test("services have addresses of a range that is added, while it is ready and not on its way out", async () => {
  const t = await startTestServer();
  const ask = async (name: string, clusterIP: string) => (await create(t, name, { clusterIP })).status;
  try {
    assert.equal(await ask("early", "10.9.0.2"), 422);
    assert.equal((await range(t, "more", "10.9.0.0/28", "fd09::/112")).status, 201);
    assert.equal(await ask("first", "10.9.0.2"), 201);
    assert.equal(await ask("again", "10.9.0.2"), 422);
    assert.equal(await ask("name", "10.9.0.0"), 422);
    assert.equal(await ask("other-family", "fd09::2"), 422);
    const { body } = await t.fetch("/apis/networking.k8s.io/v1/ipaddresses/10.9.0.2");
    assert.equal(body.spec.parentRef.name, "first");
    assert.equal((await ready(t, "more", "False")).status, 200);
    assert.equal(await ask("not-ready", "10.9.0.3"), 422);
    assert.equal((await ready(t, "more", "True")).status, 200);
    assert.equal(await ask("ready", "10.9.0.3"), 201);
    assert.equal((await t.fetch(`${RANGES}/more`, { method: "DELETE" })).status, 200);
    assert.equal(await ask("late", "10.9.0.4"), 422);
    // What a service has it keeps, and gives back.
    assert.equal((await t.fetch(`${SERVICES}/first`, { method: "DELETE" })).status, 200);
    assert.equal((await t.fetch("/apis/networking.k8s.io/v1/ipaddresses/10.9.0.2")).status, 404);
  } finally {
    await t.stop();
  }
});

Deno.test("a full range is followed by the next one, and one that is not ready is left out", async () => {
  const t = await startTestServer(["--service-cluster-ip-range=10.0.0.0/29"]);
  const address = async (name: string) => {
    const { status, body } = await create(t, name);
    return status === 201 ? String(body.spec.clusterIP) : `${status}`;
  };
  try {
    for (let i = 2; i <= 6; i++) assert.match(await address(`own-${i}`), /^10\.0\.0\.[2-6]$/);
    assert.equal(await address("full"), "500");
    // Ranges that hold no address to give are of no use, and do no harm.
    for (const [i, cidr] of ["10.8.0.0/32", "10.8.0.2/31"].entries()) await range(t, `none-${i}`, cidr);
    assert.equal(await address("still-full"), "500");
    await range(t, "more", "10.9.0.0/30");
    assert.match(await address("next"), /^10\.9\.0\.[12]$/);
    assert.equal((await ready(t, "more", "False")).status, 200);
    assert.equal(await address("out-of-use"), "500");
    // The server's own range stays out of use as well while its object says so.
    assert.equal((await t.fetch(`${SERVICES}/own-2`, { method: "DELETE" })).status, 200);
    assert.equal((await ready(t, "kubernetes", "False")).status, 200);
    assert.equal(await address("own-out-of-use"), "500");
    assert.equal((await ready(t, "kubernetes", "True")).status, 200);
    assert.match(await address("own"), /^10\.0\.0\.[2-6]$/);
  } finally {
    await t.stop();
  }
});

Deno.test("an address with leading zeros, where they are taken, is the one without them", async () => {
  const t = await startTestServer(["--feature-gates=StrictIPCIDRValidation=false"]);
  try {
    const { status, body } = await create(t, "zeros", { clusterIP: "10.0.0.011" });
    assert.deepEqual([status, body.spec.clusterIP, body.spec.ipFamilies], [201, "10.0.0.011", ["IPv4"]]);
    assert.equal((await create(t, "none", { clusterIP: "10.0.0.11" })).status, 422);
    const addresses = "/apis/networking.k8s.io/v1/ipaddresses/10.0.0.11";
    assert.equal((await t.fetch(addresses)).body.spec.parentRef.name, "zeros");
    assert.equal((await t.fetch(`${SERVICES}/zeros`, { method: "DELETE" })).status, 200);
    assert.equal((await t.fetch(addresses)).status, 404);
  } finally {
    await t.stop();
  }
});

Deno.test("a dry run of a service of very many ports does not look through all of them for each", () =>
  withServer([], async (t) => {
    const ports = Array.from({ length: 20_000 }, (_, i) => ({ name: `p${i}`, port: i + 1 }));
    const body = { metadata: { name: "many" }, spec: { type: "NodePort", ports } };
    const made = await t.fetch("/api/v1/namespaces/default/services?dryRun=All", { body });
    assert.equal(made.status, 201, made.text.slice(0, 200));
    const given: number[] = made.body.spec.ports.map((p: { nodePort: number }) => p.nodePort);
    assert.ok(given.every((port, i) => port === 32769 + i));
  }));
