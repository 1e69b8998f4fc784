import assert from "node:assert/strict";
import { answers, cluster, type Member } from "./_pair.ts";

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
    const metrics = (await members[0]!.fetch("/metrics")).text;
    assert.match(metrics, /^aggregator_discovery_peer_aggregated_cache_misses_total [1-9]/m);
    assert.match(metrics, /^aggregator_discovery_nopeer_requests_total [1-9]/m);
  });
});

Deno.test("Definitions are told by each server itself: one that is gone here is not shown because a peer still has it", async () => {
  await cluster([without("apps/v1"), {}], async (first, second) => {
    await answers(first, "/apis/apps/v1/deployments", 200);
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
    const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    const headers = { "content-type": "application/json" };
    const made = await second.fetch(definitions, { method: "POST", body: JSON.stringify(definition), headers });
    assert.equal(made.status, 201);
    await answers(first, "/apis/example.org/v1/things", 200);
    assert.ok((await read(first)).names.includes("example.org"));
    assert.doesNotMatch((await first.fetch("/metrics")).text, /rerouted_request_total\{.*group="example.org"/);
    assert.equal((await second.fetch(`${definitions}/things.example.org`, { method: "DELETE" })).status, 200);
    await answers(first, "/apis/example.org/v1/things", 404);
    assert.ok(!(await read(first)).names.includes("example.org"));
  });
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
