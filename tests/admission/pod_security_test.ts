/** Pods that break a level which came after them. */
import assert from "node:assert/strict";
import { startTestServer } from "../fixture/server.ts";
import { create, namespace, pod } from "./_cases.ts";
import type { Loose } from "../fixture/loose.ts";

const LEVEL = (level: string, more = {}) => ({ "pod-security.kubernetes.io/enforce": level, ...more });

const hostNetwork = pod({ hostNetwork: true });

Deno.test("an update that changes no image of a pod that breaks the level is taken", async () => {
  const s = await startTestServer(["--disable-admission-plugins=ServiceAccount"]);
  try {
    const ns = await namespace(s);
    await create(s, ns, hostNetwork);
    const patch = (path: string, body: Loose, type: string) =>
      s.fetch(`/api/v1/namespaces/${ns}${path}`, { method: "PATCH", headers: { "content-type": type }, body });
    await patch("", { metadata: { labels: LEVEL("baseline") } }, "application/merge-patch+json");
    const label = await patch("/pods/p", { metadata: { labels: { a: "b" } } }, "application/merge-patch+json");
    assert.equal(label.status, 200);
    const image = await patch(
      "/pods/p",
      { spec: { containers: [{ name: "c", image: "z" }] } },
      "application/strategic-merge-patch+json",
    );
    assert.equal(image.status, 403, image.text);
  } finally {
    await s.stop();
  }
});
