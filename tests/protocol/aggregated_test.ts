import assert from "node:assert/strict";
import { startTestServer } from "../fixture/server.ts";

const SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";

Deno.test("paths of a group version that another server serves answer 503, others what they did", async () => {
  const t = await startTestServer();
  try {
    const made = await t.fetch(SERVICES, {
      method: "POST",
      body: {
        metadata: { name: "v1.shop.example" },
        spec: {
          group: "shop.example",
          version: "v1",
          groupPriorityMinimum: 100,
          versionPriority: 10,
          insecureSkipTLSVerify: true,
          service: { name: "s", namespace: "default" },
        },
      },
    });
    assert.equal(made.status, 201, made.text);
    for (const path of ["/apis/shop.example/v1", "/apis/shop.example/v1/namespaces/default/carts"]) {
      const { status, headers, text } = await t.fetch(path);
      assert.equal(status, 503);
      assert.match(headers.get("content-type")!, /^text\/plain/);
      assert.equal(text, "service unavailable\n");
    }
    assert.equal((await t.fetch("/apis/shop.example/v2")).status, 404);
    const listed = async () => (await t.fetch("/")).body.paths.filter((path: string) => path.includes("shop.example"));
    assert.deepEqual(await listed(), ["/apis/shop.example", "/apis/shop.example/v1"]);
    assert.equal((await t.fetch("/apis/apps/v1")).status, 200);
    assert.equal((await t.fetch(`${SERVICES}/v1.shop.example`, { method: "DELETE" })).status, 200);
    assert.equal((await t.fetch("/apis/shop.example/v1")).status, 404);
    assert.deepEqual(await listed(), []);
  } finally {
    await t.stop();
  }
});

Deno.test("who has the aggregated document as it is gets its tag alone", async () => {
  const t = await startTestServer();
  const headers = { accept: "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList" };
  try {
    for (const path of ["/api", "/apis"]) {
      const whole = await t.fetch(path, { headers }), etag = whole.headers.get("etag")!;
      assert.equal(whole.headers.get("content-type"), headers.accept);
      const same = await t.fetch(path, { headers: { ...headers, "if-none-match": etag } });
      assert.deepEqual([same.status, same.text], [304, ""]);
      const told = ["etag", "vary", "cache-control", "content-type"].map((name) => same.headers.get(name));
      assert.deepEqual(told, [etag, "Accept", "public", null]);
    }
  } finally {
    await t.stop();
  }
});
