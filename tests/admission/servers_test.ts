/** Quotas and addresses that two servers give out of one store, each with an opening of its own: exact, without doubles. */
import assert from "node:assert/strict";
import { pause } from "../../server/pause.ts";
import type { Backend } from "../../server/storage/backend.ts";
import { openDenoKv } from "../../server/storage/denokv/mod.ts";
import { openEtcd } from "../../server/storage/etcd/mod.ts";
import { startTestServer, type TestServer } from "../fixture/server.ts";
import { define, definition, DEFINITIONS, thing, THINGS, until, version } from "../customresources/_crd.ts";
import { noEtcd, startEtcd } from "../storage/etcd_server.ts";
import type { Loose } from "../fixture/loose.ts";

const WANTED = 64;
/** 30 addresses, of which the API's own service has one; 20 ports. */
const FLAGS = ["--service-cluster-ip-range=10.9.0.0/27", "--service-node-port-range=30000-30019"];

/** Opens one store as often as it is asked. */
type Open = () => Promise<Backend>;

async function onDenoKv(use: (open: Open) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  await use(() => openDenoKv(`${dir}/store.kv`));
  await Deno.remove(dir, { recursive: true });
}

async function onEtcd(use: (open: Open) => Promise<void>): Promise<void> {
  await using cluster = await startEtcd();
  await use(() => openEtcd({ endpoints: cluster.endpoints, prefix: "/registry", root: "/registry" }));
}

async function withTwo(
  open: Open,
  use: (servers: readonly TestServer[]) => Promise<void>,
  flags: readonly string[] = FLAGS,
): Promise<void> {
  const backends = [await open(), await open()];
  const servers = [];
  for (const backend of backends) servers.push(await startTestServer(flags, { backend }));
  try {
    await use(servers);
  } finally {
    for (const server of servers) await server.stop();
    for (const backend of backends) await backend.close();
  }
}

/** All at once, half of them through each server; the bodies of those that were made. */
async function race(servers: readonly TestServer[], path: string, body: (i: number) => unknown): Promise<Loose[]> {
  const answers = await Promise.all(
    Array.from({ length: WANTED }, (_, i) => servers[i % servers.length]!.fetch(path, { body: body(i) })),
  );
  const made = answers.filter((a) => a.status === 201).map((a) => a.body);
  const odd = answers.filter((a) => ![201, 403, 422, 500].includes(a.status));
  assert.deepEqual(odd.map((a) => a.text), []);
  return made;
}

async function quota(servers: readonly TestServer[], fits: number): Promise<void> {
  const [first] = servers;
  const ns = `q-${fits}`;
  const path = `/api/v1/namespaces/${ns}`;
  assert.equal((await first!.fetch("/api/v1/namespaces", { body: { metadata: { name: ns } } })).status, 201);
  const spec = { hard: { "count/configmaps": String(fits) } };
  assert.equal((await first!.fetch(`${path}/resourcequotas`, { body: { metadata: { name: "q" }, spec } })).status, 201);
  // What its controller would do.
  const status = { ...spec, used: { "count/configmaps": "0" } };
  const patched = await first!.fetch(`${path}/resourcequotas/q/status`, {
    method: "PATCH",
    headers: { "content-type": "application/merge-patch+json" },
    body: { status },
  });
  assert.equal(patched.status, 200);
  await settled(servers, `${path}/resourcequotas/q`);
  const made = await race(servers, `${path}/configmaps`, (i) => ({ metadata: { name: `m-${i}` } }));
  assert.equal(made.length, fits);
  for (const server of servers) {
    assert.equal((await server.fetch(`${path}/configmaps`)).body.items.length, fits);
    const { body } = await server.fetch(`${path}/resourcequotas/q`);
    assert.deepEqual(body.status.used, { "count/configmaps": String(fits) });
  }
}

/** Waits until each server's own caches have the object: a quota that a server has not heard of binds it not. */
async function settled(servers: readonly TestServer[], path: string): Promise<void> {
  for (const server of servers) assert.equal((await server.fetch(path)).status, 200);
}

async function addresses(servers: readonly TestServer[]): Promise<void> {
  const services = "/api/v1/namespaces/default/services";
  const service = (name: string, type = "ClusterIP") => ({
    metadata: { name },
    spec: { type, ports: [{ port: 80 }] },
  });
  const nodes = await race(servers, services, (i) => service(`n-${i}`, "NodePort"));
  const ports = nodes.map((s) => s.spec.ports[0].nodePort);
  assert.equal(nodes.length, 20);
  assert.equal(new Set(ports).size, 20);
  const rest = await race(servers, services, (i) => service(`c-${i}`));
  const ips = [...nodes, ...rest].map((s) => s.spec.clusterIP);
  assert.equal(new Set(ips).size, ips.length);
  assert.equal(ips.length, 29);
  const { body } = await servers[1]!.fetch("/apis/networking.k8s.io/v1/ipaddresses");
  const held = body.items.map((i: { metadata: { name: string } }) => i.metadata.name).sort();
  assert.deepEqual(held, [...ips, "10.9.0.1"].sort());
  for (const { metadata } of rest) {
    assert.equal((await servers[0]!.fetch(`${services}/${metadata.name}`, { method: "DELETE" })).status, 200);
  }
  const again = await race(servers, services, (i) => service(`d-${i}`));
  assert.equal(again.length, rest.length);
  const asked = await Promise.all(
    servers.map((server, i) =>
      server.fetch(services, { body: { ...service(`e-${i}`), spec: { clusterIP: "10.9.0.1" } } })
    ),
  );
  assert(asked.every((a) => a.status === 422));
}

/** A store that tells what comes from now on so much later. */
function late(backend: Backend, ms: () => number): Backend {
  return new Proxy(backend, {
    get(of, name) {
      const value = of[name as keyof Backend] as unknown;
      if (typeof value !== "function") return value;
      if (name !== "changes") return value.bind(of);
      return (...[prefix, since, deliver, signal]: Parameters<Backend["changes"]>) =>
        of.changes(prefix, since, (batch) => {
          const changes = batch.changes.map((c) => ({ ...c, value: c.value && c.value.slice() }));
          if (ms() > 0) setTimeout(() => signal.aborted || deliver({ ...batch, changes }), ms());
          else deliver(batch);
        }, signal);
    },
  });
}

/** A namespace, then a definition, is deleted through one server, of which the other one hears a little later. */
async function emptied(open: Open): Promise<void> {
  let delay = 0;
  const opened = [await open(), late(await open(), () => delay)].values();
  const reopen = () => Promise.resolve(opened.next().value!);
  const one = async ([first, second]: readonly TestServer[], path: string, objects: string, body: Loose) => {
    delay = 300;
    assert.equal((await first!.fetch(path, { method: "DELETE" })).status, 200);
    await pause(100);
    assert.equal((await second!.fetch(objects, { body })).status, 201);
    await until(() => first!.fetch(path), (a) => a.status === 404);
    await pause(400);
    delay = 0;
  };
  await withTwo(reopen, async (servers) => {
    const [first, second] = servers;
    const path = "/api/v1/namespaces/going", maps = `${path}/configmaps`;
    await define(first!, definition([version({})]));
    await until(() => second!.fetch(THINGS), (a) => a.status === 200);
    assert.equal((await first!.fetch("/api/v1/namespaces", { body: { metadata: { name: "going" } } })).status, 201);
    await until(() => second!.fetch(path), (a) => a.status === 200);
    await one(servers, path, maps, { metadata: { name: "m" } });
    assert.deepEqual((await first!.fetch(maps)).body.items, []);
    await one(servers, `${DEFINITIONS}/things.example.com`, THINGS, thing("t"));
    await define(first!, definition([version({})]));
    assert.deepEqual((await first!.fetch(THINGS)).body.items, []);
  }, ["--controllers=namespace", "--disable-admission-plugins=ServiceAccount"]);
}

const missing = await noEtcd();
const STORES: readonly (readonly [string, (use: (open: Open) => Promise<void>) => Promise<void>, boolean])[] = [
  ["one file of Deno KV", onDenoKv, false],
  ["etcd", onEtcd, missing !== undefined],
];

for (const [name, on, ignore] of STORES) {
  Deno.test({
    name: `two servers on ${name}: ${WANTED} creates at once take exactly what a quota gives`,
    ignore, // no etcd binary on this machine
    fn: () =>
      on((open) =>
        withTwo(open, async (servers) => {
          for (const fits of [1, 10, 40]) await quota(servers, fits);
        })
      ),
  });
  Deno.test({
    name: `two servers on ${name}: ${WANTED} services at once get addresses and ports of their own, to the last one`,
    ignore, // no etcd binary on this machine
    fn: () => on((open) => withTwo(open, addresses)),
  });
  Deno.test({
    name: `two servers on ${name}: what one creates where the other one is just deleting goes, too`,
    ignore, // no etcd binary on this machine
    fn: () => on(emptied),
  });
}
