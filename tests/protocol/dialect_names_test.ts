/** What a server of dialect `orch` tells its clients is in its own names, beyond groups and labels. */
import assert from "node:assert/strict";
import { generateKey } from "../../pki/mod.ts";
import { until } from "../controllers/_world.ts";
import { productOf } from "../../schema/product.ts";
import { startTestServer, type TestServer } from "../fixture/server.ts";

async function withOrch(run: (s: TestServer) => Promise<void>, controllers = "-*"): Promise<void> {
  const s = await startTestServer(["--api-dialect=orch", `--controllers=${controllers}`]);
  try {
    await run(s);
  } finally {
    await s.stop();
  }
}

const DEFINITION = "/apis/apiextensions.orch.io/v1/customresourcedefinitions";
const THINGS = "/apis/example.com/v1/namespaces/default/things";

const definition = {
  apiVersion: "apiextensions.orch.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "things", kind: "Thing" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};

const merge = (body: unknown) =>
  ({ method: "PATCH", body, headers: { "content-type": "application/merge-patch+json" } }) as const;

Deno.test("what takes the place of a kind on its way out is told in the dialect", () =>
  withOrch(async (s) => {
    const { warnings } = await s.fetch("/api/v1/endpoints");
    assert.deepEqual(warnings, ["v1 Endpoints is deprecated in v1.33+; use discovery.orch.io/v1 EndpointSlice"]);
  }));

Deno.test("health checks name components by the dialect", () =>
  withOrch(async (s) => {
    const { text } = await s.fetch("/readyz?verbose");
    assert.match(text, /poststarthook\/start-orch-service-cidr-controller ok/);
    assert.doesNotMatch(text, /kube/);
  }));

Deno.test("the finalizers of definitions, and those that objects of theirs may have, are the dialect's", () =>
  withOrch(async (s) => {
    assert.equal((await s.fetch(DEFINITION, { body: definition })).status, 201);
    await until("things are served", async () => (await s.fetch(THINGS)).status === 200);
    const thing = (name: string, finalizer: string) => ({
      apiVersion: "example.com/v1",
      kind: "Thing",
      metadata: { name, finalizers: [finalizer] },
    });
    const own = await s.fetch(THINGS, { body: thing("a", "orch") });
    assert.deepEqual([own.status, own.warnings], [201, []]);
    const { status, warnings } = await s.fetch(THINGS, { body: thing("b", "kubernetes") });
    assert.equal(status, 201);
    assert.match(warnings[0]!, /^metadata\.finalizers: "kubernetes": prefer a domain-qualified finalizer name/);
    const marked = await s.fetch(`${DEFINITION}/things.example.com`, { method: "DELETE" });
    assert.deepEqual(marked.body.metadata.finalizers, ["customresourcecleanup.apiextensions.orch.io"]);
    for (const name of ["a", "b"]) await s.fetch(`${THINGS}/${name}`, merge({ metadata: { finalizers: null } }));
    await until("it goes", async () => (await s.fetch(`${DEFINITION}/things.example.com`)).status === 404);
  }));

Deno.test("what is left in a namespace is told by the dialect's groups", () =>
  withOrch(async (s) => {
    await s.fetch("/api/v1/namespaces", { body: { apiVersion: "v1", kind: "Namespace", metadata: { name: "gone" } } });
    const lease = {
      apiVersion: "coordination.orch.io/v1",
      kind: "Lease",
      metadata: { name: "held", finalizers: ["example.com/hold"] },
    };
    assert.equal((await s.fetch("/apis/coordination.orch.io/v1/namespaces/gone/leases", { body: lease })).status, 201);
    await s.fetch("/api/v1/namespaces/gone", { method: "DELETE" });
    const remaining = async () => {
      const { body } = await s.fetch("/api/v1/namespaces/gone");
      const all: { reason: string; message: string }[] = body.status.conditions ?? [];
      return all.find((c) => c.reason === "SomeResourcesRemain")?.message;
    };
    await until("it is told", async () => await remaining() !== undefined);
    assert.equal(
      await remaining(),
      "Some resources are remaining: leases.coordination.orch.io has 1 resource instances",
    );
  }, "namespace"));

Deno.test("metrics name resources by the dialect's groups, custom ones by their own, and components by the dialect", () =>
  withOrch(async (s) => {
    const metrics = (await s.fetch("/metrics")).text;
    assert.deepEqual(metrics.match(/"[^"]*\bk8s\.io[^"]*"/g), null);
    assert.match(metrics, /^orch_apiserver_nodeport_allocator_available_ports \d+$/m);
    assert.doesNotMatch(metrics, /^kube_/m);
    const spec = { ...definition.spec, group: "keep.k8s.io" };
    await s.fetch(DEFINITION, { body: { ...definition, metadata: { name: "things.keep.k8s.io" }, spec } });
    await until("things are served", async () => (await s.fetch("/apis/keep.k8s.io/v1/things")).status === 200);
    const { text } = await s.fetch("/metrics");
    assert.match(text, /^apiserver_watch_cache_history_events\{group="keep\.k8s\.io",resource="things"\} 0$/m);
  }, "*"));

Deno.test("the bookmark that ends what was there says so by the dialect's name and by the one that clients in the field wait for", () =>
  withOrch(async (s) => {
    const query = "watch=1&allowWatchBookmarks=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
    const { body } = await s.open(`/api/v1/namespaces?${query}`);
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!/"BOOKMARK".*\n/.test(text)) text += (await reader.read()).value;
    await reader.cancel();
    const bookmark = JSON.parse(text.split("\n").find((line) => line.includes('"BOOKMARK"'))!);
    assert.deepEqual(bookmark.object.metadata.annotations, {
      "orch.io/initial-events-end": "true",
      "k8s.io/initial-events-end": "true",
    });
  }));

const REVIEW = { spec: { resourceAttributes: { verb: "get", resource: "pods" }, user: "ann" } };
const ACCOUNT = "/api/v1/namespaces/default/serviceaccounts/a";

for (const [dialect, own, other] of [["orch", "orch.io", "k8s.io"], ["kubernetes", "k8s.io", "orch.io"]] as const) {
  Deno.test(`dialect ${dialect} takes requests that nobody keeps by their other name, and answers by it`, async () => {
    const s = await startTestServer([`--api-dialect=${dialect}`, "--controllers=-*"], {
      moreFiles: { signingKey: generateKey() },
    });
    try {
      await s.fetch("/api/v1/namespaces/default/serviceaccounts", {
        body: { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "a" } },
      });
      const reviews = `/apis/authorization.${own}/v1/subjectaccessreviews`;
      for (const suffix of [own, other]) {
        const apiVersion = `authentication.${suffix}/v1`;
        const token = await s.fetch(`${ACCOUNT}/token`, { body: { apiVersion, kind: "TokenRequest", spec: {} } });
        assert.deepEqual([token.status, token.body.apiVersion], [201, apiVersion], token.text);
        assert.ok(token.body.status.token);
        const accept = productOf(suffix === "k8s.io" ? "kubernetes" : "orch").protobuf;
        const coded = await s.fetch(`${ACCOUNT}/token`, {
          body: { apiVersion, kind: "TokenRequest", spec: {} },
          headers: { accept },
        });
        assert.ok(coded.text.startsWith("k8s\0") && coded.text.includes(apiVersion), coded.text);
        const body = { ...REVIEW, apiVersion: `authorization.${suffix}/v1`, kind: "SubjectAccessReview" };
        const review = await s.fetch(reviews, { body });
        assert.deepEqual([review.status, review.body.apiVersion], [201, body.apiVersion], review.text);
      }
      const older = { ...REVIEW, apiVersion: `authorization.${other}/v1beta1`, kind: "SubjectAccessReview" };
      assert.equal((await s.fetch(reviews, { body: older })).status, 400, "another version is another one");
      const lease = { apiVersion: `coordination.${other}/v1`, kind: "Lease", metadata: { name: "l" } };
      const kept = await s.fetch(`/apis/coordination.${own}/v1/namespaces/default/leases`, { body: lease });
      assert.equal(kept.status, 400, "what is kept has one name");
    } finally {
      await s.stop();
    }
  });
}
