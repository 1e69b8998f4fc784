import assert from "node:assert/strict";
import { CARTS, ExtensionServer, registration } from "../fixture/extension.ts";
import { TO_HOOKS } from "../fixture/hooks.ts";
import type { Loose } from "../fixture/loose.ts";
import { startTestServer, type TestServer } from "../fixture/server.ts";
import { until } from "../listen/_fixture.ts";
import { condition, withExtension } from "./_servers.ts";

const RUN = ["--controllers=apiservice-availability"];
const SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";

const reason = (t: TestServer, wanted: string) =>
  until(`the reason is ${wanted}`, async () => (await condition(t))?.reason === wanted);

/** A slice past validation: addresses of the loopback are nobody's endpoints. */
async function putSlice(t: TestServer, slice: Loose): Promise<void> {
  const registry = t.server.registries.byId("endpointslices.discovery.k8s.io")!;
  await t.backend.commit([registry.creation({ apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", ...slice })]);
  await registry.fresh();
}

Deno.test("each obstacle on the way to an extension server has its reason, and the last leads there", async () => {
  const extension = await new ExtensionServer().start();
  const t = await startTestServer([...RUN, "--enable-aggregator-routing"], { outside: TO_HOOKS });
  try {
    await t.fetch("/api/v1/namespaces", { body: { metadata: { name: "team" } } });
    const made = await t.fetch(SERVICES, { body: registration(443) });
    assert.equal(made.status, 201, made.text);
    await reason(t, "ServiceNotFound");
    const ports = [{ name: "web", port: 80 }];
    const service = await t.fetch("/api/v1/namespaces/team/services", {
      body: { metadata: { name: "carts" }, spec: { ports } },
    });
    assert.equal(service.status, 201, service.text);
    await reason(t, "ServicePortError");
    const port = (name: string, number: number) => ({ spec: { ports: [{ name, port: number }] } });
    await t.fetch("/api/v1/namespaces/team/services/carts", {
      method: "PATCH",
      headers: { "content-type": "application/merge-patch+json" },
      body: port("https", 443),
    });
    await reason(t, "EndpointsNotFound");
    const slice = (name: string, ready: boolean, number: number) => ({
      metadata: { name, namespace: "team", labels: { "kubernetes.io/service-name": "carts" } },
      addressType: "IPv4",
      ports: [{ name: "https", port: number }],
      endpoints: [{ addresses: ["127.0.0.1"], conditions: { ready } }],
    });
    await putSlice(t, slice("unready", false, extension.port));
    await reason(t, "MissingEndpoints");
    assert.equal((await t.fetch(CARTS)).text, "service unavailable\n");
    await putSlice(t, slice("ready", true, extension.port));
    await reason(t, "Passed");
    assert.equal((await condition(t))!.message, "all checks passed");
    assert.equal((await t.fetch(CARTS)).status, 200);
    extension.before = ({ url }) => url.endsWith("/v1") ? new Response("", { status: 500 }) : undefined;
    await t.fetch(`${SERVICES}/v1.shop.example`, {
      method: "PATCH",
      headers: { "content-type": "application/merge-patch+json" },
      body: { metadata: { labels: { look: "again" } } },
    });
    await reason(t, "FailedDiscoveryCheck");
    assert.match(
      (await condition(t))!.message,
      /127\.0\.0\.1:\d+\/apis\/shop\.example\/v1: bad status from https:\/\/.*\/v1: 500$/,
    );
    assert.equal((await t.fetch(CARTS)).text, "service unavailable\n", "though it would answer");
    extension.before = () => undefined;
    await reason(t, "Passed");
  } finally {
    await t.stop();
    await extension.stop();
  }
});

Deno.test("the check asks as a member of the masters", async () => {
  await withExtension([], (_t, extension) => {
    const { headers } = extension.asked.find((a) => a.path === "/apis/shop.example/v1")!;
    assert.equal(headers.get("x-remote-user"), "system:kube-aggregator");
    assert.equal(headers.get("x-remote-group"), "system:masters");
    return Promise.resolve();
  });
});

Deno.test("without a service a group version is local again, and nobody else's", async () => {
  await withExtension([], async (t) => {
    const current = (await t.fetch(`${SERVICES}/v1.shop.example`)).body;
    const { caBundle: _, service: __, ...spec } = current.spec;
    const put = await t.fetch(`${SERVICES}/v1.shop.example`, { method: "PUT", body: { ...current, spec } });
    assert.equal(put.status, 200, put.text);
    await reason(t, "Local");
    assert.equal((await t.fetch("/apis/shop.example/v1")).status, 404);
  });
});

Deno.test("in the other dialect", async () => {
  await withExtension(["--api-dialect=orch"], async (t, extension) => {
    assert.equal((await condition(t))!.reason, "Passed");
    assert.equal((await t.fetch(CARTS)).status, 200);
    const asked = extension.asked.find((a) => a.path === "/apis/shop.example/v1")!;
    assert.equal(asked.headers.get("x-remote-user"), "system:orch-aggregator");
    const accept = "application/json;g=apidiscovery.orch.io;v=v2;as=APIGroupDiscoveryList";
    const items = async () => (await t.fetch("/apis", { headers: { accept } })).body.items as Loose[];
    const ours = async () => (await items()).find((g) => g["metadata"].name === "shop.example")?.["versions"][0];
    await until("its resources are there", async () => (await ours())?.resources?.length === 1);
  });
});
