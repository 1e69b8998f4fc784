import assert from "node:assert/strict";
import { listen } from "../../server/listen/mod.ts";
import { until } from "../listen/_fixture.ts";
import { answers, cluster, json, type Member, member, serving } from "./_pair.ts";

const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

interface Group {
  readonly metadata: { readonly name: string };
  readonly versions: readonly { readonly version: string }[];
}

const read = async (m: Member, accept = AGGREGATED) => {
  const { body, headers } = await m.fetch("/apis", { headers: { accept } });
  const groups = body.items as Group[];
  return { etag: headers.get("etag"), names: groups.map((g) => g.metadata.name), groups };
};

const without = (...groups: string[]) => ({ flags: [`--runtime-config=${groups.map((g) => `${g}=false`).join()}`] });

Deno.test("Aggregated discovery shows what any server serves, the same from each, and one's own when asked", async () => {
  await cluster([without("apps/v1"), without("batch/v1"), {}], async (...members) => {
    await answers(members[0]!, "/apis/apps/v1/deployments", 200);
    await answers(members[1]!, "/apis/batch/v1/jobs", 200);
    const [a, b, all] = await Promise.all(members.map((m) => read(m)));
    assert.deepEqual(a!.names, all!.names);
    assert.deepEqual(b!.names, all!.names);
    assert.equal(a!.etag, b!.etag);
    const own = await read(members[0]!, `${AGGREGATED};profile=nopeer`);
    assert.deepEqual(all!.names.filter((n) => !own.names.includes(n)), ["apps"]);
    const plain = await members[0]!.fetch("/apis");
    assert.ok(
      !plain.body.groups.some((g: { name: string }) => g.name === "apps"),
      "the plain list is the server's own",
    );
    assert.equal((await read(members[0]!)).etag, a!.etag);
    const metrics = (await members[0]!.fetch("/metrics")).text;
    assert.match(metrics, /^aggregator_discovery_peer_aggregated_cache_hits_total [1-9]/m);
    assert.match(metrics, /^aggregator_discovery_peer_aggregated_cache_misses_total [1-9]/m);
    assert.match(metrics, /^aggregator_discovery_nopeer_requests_total [1-9]/m);
  });
});

Deno.test("Aggregated discovery follows peers that come and go", async () => {
  await cluster([without("apps/v1")], async (first) => {
    const told = async () => (await read(first)).names.includes("apps");
    assert.equal(await told(), false);
    for (const name of ["late", "later"]) {
      const second = await member(first.test.backend, name);
      try {
        await answers(first, "/apis/apps/v1/deployments", 200);
        assert.equal(await told(), true, name);
        await second.test.server.leave(5000);
        await answers(first, "/apis/apps/v1/deployments", 404);
        assert.equal(await told(), false);
      } finally {
        await second.stop();
      }
    }
  });
});

Deno.test("Definitions are told by each server itself: one that is gone here is not asked of a peer, nor shown, because that told of it", async () => {
  await cluster([{}], async (second) => {
    const definition = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "things.example.org" },
      spec: {
        group: "example.org",
        scope: "Cluster",
        names: { plural: "things", kind: "Thing" },
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      },
    };
    const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
      things = "/apis/example.org/v1/things";
    assert.equal((await second.fetch(definitions, json("POST", definition))).status, 201);
    await answers(second, things, 200);
    const first = await member(second.test.backend, "late", without("apps/v1"));
    try {
      await answers(first, "/apis/apps/v1/deployments", 200);
      await answers(first, things, 200);
      assert.ok((await read(first)).names.includes("example.org"));
      assert.equal((await second.fetch(`${definitions}/things.example.org`, { method: "DELETE" })).status, 200);
      await answers(first, things, 404);
      assert.ok(!(await read(first)).names.includes("example.org"));
      assert.doesNotMatch((await first.fetch("/metrics")).text, /rerouted_request_total\{.*group="example.org"/);
    } finally {
      await first.stop();
    }
  });
});

Deno.test("What a peer tells counts, though it does not tell all yet; one without an address is not asked", async () => {
  const group = {
    metadata: { name: "fake.example" },
    versions: [{ version: "v1", resources: [{ resource: "things" }] }],
  };
  const told = (status: number, ...items: unknown[]) =>
    Response.json({ kind: "APIGroupDiscoveryList", items }, { status });
  let asked = 0;
  const behind: Record<string, () => Response> = { "/apis": () => told(200, group), "/api": () => told(500 + asked++) };
  const passed = () => new Response("passed on");
  const peer = await listen(({ url }) => (behind[new URL(url).pathname] ?? passed)(), {
    ...{ hostname: "127.0.0.1", port: 0 },
    tls: serving,
  });
  try {
    await cluster([{}], async (first) => {
      const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases",
        things = "/apis/fake.example/v1/things";
      const labels = { "apiserver.kubernetes.io/identity": "kube-apiserver" };
      const spec = {
        holderIdentity: "h",
        leaseDurationSeconds: 3600,
        renewTime: new Date().toISOString().replace("Z", "000Z"),
      };
      for (const [name, address] of [["lost"], ["fake", `127.0.0.1:${peer.port}`]]) {
        const annotations = address ? { "kubernetes.io/peer-advertise-address": address } : {};
        const made = await first.fetch(leases, json("POST", { metadata: { name, labels, annotations }, spec }));
        assert.equal(made.status, 201, made.text);
      }
      await until("it is passed on", async () => (await first.fetch(things)).text === "passed on");
      const before = asked;
      await until("it is asked again", () => asked > before);
      const bare = json("PATCH", { metadata: { annotations: null } }, "application/merge-patch+json");
      assert.equal((await first.fetch(`${leases}/fake`, bare)).status, 200);
      await answers(first, things, 503);
      const { text } = await first.fetch("/metrics");
      for (const type of ["hostport_resolution", "fetch_discovery"]) {
        assert.match(text, new RegExp(`^apiserver_peer_discovery_sync_errors_total\\{type="${type}"\\} [1-9]`, "m"));
      }
      const of = 'type="endpoint_resolution",group="fake.example",version="v1",resource="things"';
      assert.match(text, new RegExp(`^apiserver_peer_proxy_errors_total\\{${of}\\} [1-9]`, "m"));
    });
  } finally {
    await peer.close(0);
  }
});

Deno.test("Health checks say how far finding and being found have come", async () => {
  const hooks = async (m: Member) =>
    [...(await m.fetch("/readyz?verbose")).text.matchAll(/poststarthook\/(peer-\S+|mixed-\S+|local-discovery\S+) ok/g)]
      .map(([, name]) => name);
  const off = { flags: ["--feature-gates=UnknownVersionInteroperabilityProxy=false"], alone: true };
  await cluster([{}, { alone: true }, off], async (both, found, neither) => {
    assert.deepEqual((await hooks(both)).sort(), [
      "local-discovery-cache-sync",
      "mixed-version-proxy-handler",
      "peer-discovery-workers",
      "peer-endpoint-reconciler-controller",
    ]);
    assert.deepEqual(await hooks(found), ["peer-endpoint-reconciler-controller"]);
    assert.deepEqual(await hooks(neither), []);
  });
});
