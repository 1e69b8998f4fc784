/** `--store-servers-overrides`: single resources on an etcd of their own. */
import assert from "node:assert/strict";
import { parseOptions } from "../../server/options/mod.ts";
import { openEtcd } from "../../server/storage/etcd/mod.ts";
import { openStores } from "../../server/storage/open.ts";
import { overridesOf } from "../../server/storage/overrides.ts";
import { definition, DEFINITIONS, thing, THINGS, version } from "../customresources/_crd.ts";
import { startTestServer } from "../fixture/server.ts";
import { noEtcd, startEtcd } from "./etcd_server.ts";

const missing = await noEtcd();

function optionsOf(...flags: string[]) {
  const parsed = parseOptions(["--api-dialect=kubernetes", ...flags]);
  assert(parsed.kind === "run", JSON.stringify(parsed));
  return parsed.options;
}

/** Waits for what comes by itself. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let i = 0; !(await holds()); i++) {
    assert(i < 5_000, "it does not come");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const of = (overrides: string) =>
  overridesOf(optionsOf("--store-servers=http://a:1,http://b:1", `--store-servers-overrides=${overrides}`));

Deno.test("overrides: items with the same servers are one store, the first store is none", () => {
  assert.deepEqual(of("/events#http://c:1;http://d:1,apps/deployments#http://d:1;http://c:1,/pods#http://e:1"), [
    { servers: ["http://c:1", "http://d:1"], resources: ["events", "deployments.apps"] },
    { servers: ["http://e:1"], resources: ["pods"] },
  ]);
  assert.deepEqual(of("/events#http://b:1;http://a:1"), []);
  assert.deepEqual(of("events.k8s.io/events#http://c:1"), [{ servers: ["http://c:1"], resources: ["events"] }]);
});

Deno.test("overrides: groups go by the name of the dialect, and by their public one", () => {
  const parsed = parseOptions([
    "--api-dialect=orch",
    "--store-servers=http://a:1",
    "--store-servers-overrides=networking.orch.io/ingresses#http://c:1,coordination.k8s.io/leases#http://c:1",
  ]);
  assert(parsed.kind === "run", JSON.stringify(parsed));
  const resources = ["ingresses.networking.k8s.io", "leases.coordination.k8s.io"];
  assert.deepEqual(overridesOf(parsed.options), [{ servers: ["http://c:1"], resources }]);
});

Deno.test("overrides: what cannot be is refused", () => {
  const wrong: readonly [string, RegExp][] = [
    ["/widgets#http://c:1", /"\/widgets" is no built-in resource/],
    ["example.com/pods#http://c:1", /is no built-in resource/],
    ["/events#http://c:1,events.k8s.io/events#http://d:1", /events is named twice/],
    ["/pods#;", /names no server/],
    ["/services#http://c:1", /services and ipaddresses.networking.k8s.io are written together/],
  ];
  for (const [overrides, message] of wrong) assert.throws(() => of(overrides), message);
  assert.equal(of("/services#http://c:1,networking.k8s.io/ipaddresses#http://c:1").length, 1);
});

Deno.test({
  name: "overrides: objects, lists, watches and health of resources on an etcd of their own",
  ignore: missing !== undefined, // no etcd binary on this machine
  fn: async () => {
    await using first = await startEtcd();
    await using second = await startEtcd();
    const [other] = second.endpoints;
    const flags = [
      "--storage-backend=etcd3",
      `--store-servers=${first.endpoints[0]}`,
      `--store-servers-overrides=/events#${other},apps/deployments#${other},/services#${other},networking.k8s.io/ipaddresses#${other}`,
      "--store-healthcheck-timeout=5s",
    ];
    const options = optionsOf(...flags);
    const start = async () => {
      const stores = await openStores(options);
      const server = await startTestServer(flags, { backend: stores.main, stores: stores.byResource });
      const stop = async () => {
        await server.stop();
        await Promise.all([stores.main, ...stores.others].map((store) => store.close()));
      };
      return { ...server, stores, stop };
    };
    let s = await start();
    const core = "/api/v1/namespaces/default";
    const deployments = "/apis/apps/v1/namespaces/default/deployments";
    const create = async (path: string, body: unknown) => {
      const answer = await s.fetch(path, { body });
      assert.equal(answer.status, 201, answer.text);
      return answer.body;
    };
    const before = (await s.fetch(deployments)).body.metadata.resourceVersion;
    const watch = await s.open(`${deployments}?watch=1&resourceVersion=${before}`);
    const metadata = (name: string) => ({ metadata: { name } });
    await create(`${core}/configmaps`, metadata("c"));
    const involvedObject = { namespace: "default", name: "c", kind: "ConfigMap" };
    await create(`${core}/events`, { ...metadata("e"), involvedObject });
    await create(`${core}/services`, { ...metadata("s"), spec: { type: "NodePort", ports: [{ port: 80 }] } });
    const spec = {
      selector: { matchLabels: { a: "b" } },
      template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } },
    };
    const made = [];
    for (const name of ["d1", "d2", "d3"]) made.push(await create(deployments, { ...metadata(name), spec }));

    const reader = watch.body!.pipeThrough(new TextDecoderStream()).getReader();
    let told = "";
    while ((told.match(/\n/g) ?? []).length < 3) told += (await reader.read()).value;
    await reader.cancel();
    assert.deepEqual([...told.matchAll(/"name":"(d\d)"/g)].map(([, name]) => name), ["d1", "d2", "d3"]);

    const { body: page } = await s.fetch(`${deployments}?limit=2`);
    await s.fetch(`${deployments}/d3`, { method: "DELETE" });
    const rest = await s.fetch(`${deployments}?limit=2&continue=${encodeURIComponent(page.metadata.continue)}`);
    assert.deepEqual(rest.body.items.map((i: typeof page) => i.metadata.name), ["d3"]);
    const at = made[0].metadata.resourceVersion;
    const exact = await s.fetch(`${deployments}?resourceVersion=${at}&resourceVersionMatch=Exact`);
    assert.equal(exact.body.items.length, 1);
    assert.equal((await s.fetch("/apis/events.k8s.io/v1/namespaces/default/events")).body.items.length, 1);
    assert.match(
      (await s.fetch("/readyz?verbose")).text,
      /\[\+\]etcd-override-0 ok\n\[\+\]etcd-override-readiness-0 ok/,
    );
    await s.stop();

    s = await start();
    assert.equal((await s.fetch(deployments)).body.items.length, 2);
    assert.equal((await s.fetch(`${core}/services/s`)).status, 200);
    await second.kill(0);
    assert.equal((await s.fetch("/livez/etcd-override-0")).status, 500);
    assert.equal((await s.fetch("/livez/etcd")).status, 200);
    assert.equal((await s.fetch(`${core}/configmaps/c`)).status, 200);
    assert.equal((await s.fetch(`${core}/configmaps/c`, { method: "DELETE" })).status, 200);
    await create(DEFINITIONS, definition([version({ n: { type: "integer" } })]));
    await until(async () => (await s.fetch(THINGS)).status === 200);
    await create(THINGS, thing("one", { n: 1 }));
    await second.start(0);
    await s.stop();

    const there = async (endpoints: readonly string[]) => {
      const raw = await openEtcd({ endpoints, prefix: "/registry" });
      const { items } = await raw.range("");
      await raw.close();
      return items.map(({ key }) => key).filter((key) =>
        /^(deployments|events|ipaddresses|services\/specs|ranges)\//.test(key)
      );
    };
    assert.deepEqual(await there(first.endpoints), []);
    const keys = (await there(second.endpoints)).map((key) => key.replace(/(10\.0\.0\.|ports\/).*/, "$1"));
    assert.deepEqual([...new Set(keys)], [
      "deployments/default/d1",
      "deployments/default/d2",
      "events/default/e",
      "ipaddresses/10.0.0.",
      "ranges/servicenodeports/",
      "services/specs/default/kubernetes",
      "services/specs/default/s",
    ]);
  },
});
