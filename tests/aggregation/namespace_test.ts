import assert from "node:assert/strict";
import { CARTS } from "../fixture/extension.ts";
import type { Loose } from "../fixture/loose.ts";
import { until } from "../listen/_fixture.ts";
import { withExtension } from "./_servers.ts";

const RUN = ["--controllers=apiservice-availability,namespace"];
const NAMESPACE = "/api/v1/namespaces/buyers";
const BUYERS = CARTS.replace("team", "buyers");

Deno.test("what extension servers hold in a namespace goes with it", async () => {
  await withExtension(RUN, async (t, extension) => {
    await t.fetch("/api/v1/namespaces", { body: { metadata: { name: "buyers" } } });
    for (const path of [BUYERS, CARTS]) {
      for (const name of ["a", "b"]) assert.equal((await t.fetch(path, { body: { metadata: { name } } })).status, 201);
    }
    await t.fetch(NAMESPACE, { method: "DELETE" });
    await until("the namespace is gone", async () => (await t.fetch(NAMESPACE)).status === 404);
    assert.equal((await t.fetch(BUYERS)).body.items.length, 0);
    assert.equal((await t.fetch(CARTS)).body.items.length, 2);
    const { headers } = extension.asked.findLast((a) => a.method === "DELETE")!;
    assert.equal(headers.get("x-remote-user"), "system:serviceaccount:kube-system:namespace-controller");
  });
});

Deno.test("a namespace waits for an extension server that does not say what it serves", async () => {
  await withExtension(RUN, async (t, extension) => {
    await t.fetch("/api/v1/namespaces", { body: { metadata: { name: "buyers" } } });
    await extension.stop();
    await t.fetch("/apis/apiregistration.k8s.io/v1/apiservices/v1.shop.example", {
      method: "PATCH",
      headers: { "content-type": "application/merge-patch+json" },
      body: { metadata: { labels: { read: "anew" } } },
    });
    const stale = async () =>
      (await t.fetch("/apis", {
        headers: { accept: "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList" },
      })).text.includes('"Stale"');
    await until("the version is stale", stale);
    await t.fetch(NAMESPACE, { method: "DELETE" });
    const told = async (): Promise<Loose | undefined> =>
      (await t.fetch(NAMESPACE)).body.status.conditions?.find((c: Loose) =>
        c.type === "NamespaceDeletionDiscoveryFailure"
      );
    await until("the condition tells of it", async () => (await told())?.status === "True");
    assert.equal((await told())!.reason, "DiscoveryFailed");
    await t.fetch("/apis/apiregistration.k8s.io/v1/apiservices/v1.shop.example", { method: "DELETE" });
    await until("the namespace is gone", async () => (await t.fetch(NAMESPACE)).status === 404);
  });
});
