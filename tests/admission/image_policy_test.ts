/** ImagePolicyWebhook: images are asked about, answers are kept for a while, failures are refused or passed over. */
import assert from "node:assert/strict";
import { startTestServer } from "../fixture/server.ts";
import { pod } from "./_hooks.ts";
import { allowed, withPolicy } from "./_images.ts";

const PODS = "/api/v1/namespaces/default/pods";

Deno.test("images are asked about with the annotations that are meant for it", async () => {
  await withPolicy({}, allowed, async (t, asked) => {
    const annotations = { "x.image-policy.k8s.io/a": "1", other: "2" };
    const init = { spec: { initContainers: [{ name: "i", image: "first" }] }, metadata: { annotations } };
    assert.equal((await t.fetch(PODS, { body: pod("a", init) })).status, 201);
    assert.deepEqual(asked(), [{
      apiVersion: "imagepolicy.k8s.io/v1alpha1",
      kind: "ImageReview",
      spec: {
        containers: [{ image: "i" }, { image: "first" }],
        annotations: { "x.image-policy.k8s.io/a": "1" },
        namespace: "default",
      },
    }]);
    const bad = await t.fetch(PODS, { body: pod("b", { spec: { containers: [{ name: "c", image: "bad" }] } }) });
    assert.equal(bad.status, 403, bad.text);
    assert.match(bad.body.message, /the image policy webhook refused images: bad image$/);
  });
});

Deno.test("containers that are added to a running pod are asked about alone", async () => {
  await withPolicy({}, allowed, async (t, asked) => {
    await t.fetch(PODS, { body: pod("a") });
    const added = await t.fetch(`${PODS}/a/ephemeralcontainers`, {
      method: "PATCH",
      headers: { "content-type": "application/strategic-merge-patch+json" },
      body: { spec: { ephemeralContainers: [{ name: "e", image: "bad" }] } },
    });
    assert.equal(added.status, 403, added.text);
    assert.deepEqual(asked().at(-1).spec.containers, [{ image: "bad" }]);
  });
});

Deno.test("answers are kept as long as the configuration says", async () => {
  for (
    const [settings, image, passed, calls, word = ""] of [
      [{ allowTTL: 10 }, "good", 9_000, 1],
      [{ allowTTL: 10 }, "good", 11_000, 2],
      [{ denyTTL: 10 }, "bad", 9_000, 1],
      [{ denyTTL: 10 }, "bad", 11_000, 2],
      // A clock that is put back keeps nothing.
      [{ allowTTL: 10 }, "good", -1_000, 2],
      [{ allowTTL: -1 }, "good", 0, 2],
      // Nor is there room for what clients make long.
      [{ allowTTL: 10 }, "good", 0, 2, "x".repeat(10_000)],
    ] as const
  ) {
    await withPolicy(settings, allowed, async (t, asked, pass) => {
      const body = (name: string) =>
        pod(name, {
          metadata: { annotations: { "x.image-policy.k8s.io/a": word } },
          spec: { containers: [{ name: "c", image }] },
        });
      await t.fetch(PODS, { body: body("a") });
      pass(passed);
      assert.equal((await t.fetch(PODS, { body: body("b") })).status, image === "bad" ? 403 : 201);
      assert.equal(asked().length, calls, JSON.stringify(settings));
    });
  }
});

Deno.test("a webhook that fails refuses, or lets pass with a mark", async () => {
  const broken = () => ({ status: 400, text: "" });
  await withPolicy({}, broken, async (t) => {
    const refused = await t.fetch(PODS, { body: pod("a") });
    assert.equal(refused.status, 403, refused.text);
    assert.match(refused.body.message, /the webhook answered 400$/);
  });
  await withPolicy({ defaultAllow: true }, broken, async (t) => {
    const passed = await t.fetch(PODS, { body: pod("a") });
    assert.equal(passed.status, 201, passed.text);
    assert.equal(passed.body.metadata.annotations["alpha.image-policy.k8s.io/failed-open"], "true");
  });
});

Deno.test("without a configuration the plugin cannot start", async () => {
  await assert.rejects(
    () => startTestServer(["--enable-admission-plugins=ImagePolicyWebhook"]),
    /ImagePolicyWebhook: needs imagePolicy.kubeConfigFile/,
  );
  await assert.rejects(
    () => startTestServer(["--enable-admission-plugins=EventRateLimit"]),
    /EventRateLimit: needs limits/,
  );
});
