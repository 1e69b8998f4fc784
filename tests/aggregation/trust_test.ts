import assert from "node:assert/strict";
import { mergedTrust } from "../../server/bootstrap/trust.ts";
import { generateKey, issueAuthority } from "../../pki/mod.ts";
import { startTestServer, type TestServer } from "../fixture/server.ts";
import { openWatch } from "../spec/_spec.ts";
import { authority, until } from "../listen/_fixture.ts";

const clients = authority("clients").cert, front = authority("front").cert, other = authority("other").cert;
const FLAGS = [
  "--controllers=authentication-trust",
  "--requestheader-username-headers=X-Remote-User",
  "--requestheader-group-headers=X-Remote-Group",
  "--requestheader-extra-headers-prefix=X-Remote-Extra-",
  "--requestheader-allowed-names=front",
];
const files = { clientCa: () => clients, requestHeaderCa: () => front };
const PATH = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";

const data = async (t: TestServer, path = PATH): Promise<Record<string, string>> =>
  (await t.fetch(path)).body.data ?? {};

Deno.test("extension servers are told whom to trust, and a change or a deletion does not last", async () => {
  const t = await startTestServer(FLAGS, { moreFiles: files });
  try {
    const told = await data(t);
    assert.equal(told["client-ca-file"], clients);
    assert.equal(told["requestheader-client-ca-file"], front);
    assert.equal(told["requestheader-username-headers"], '["X-Remote-User"]');
    assert.equal(told["requestheader-group-headers"], '["X-Remote-Group"]');
    assert.equal(told["requestheader-extra-headers-prefix"], '["X-Remote-Extra-"]');
    assert.equal(told["requestheader-allowed-names"], '["front"]');
    await t.fetch(PATH, { method: "DELETE" });
    await until("it is there again", async () => (await data(t))["client-ca-file"] === clients);
    await t.fetch(PATH, {
      method: "PATCH",
      headers: { "content-type": "application/merge-patch+json" },
      body: { data: { "requestheader-allowed-names": '["mine"]', "requestheader-client-ca-file": null } },
    });
    await until("both are told", async () => (await data(t))["requestheader-allowed-names"] === '["mine","front"]');
    assert.equal((await data(t))["requestheader-client-ca-file"], front);
  } finally {
    await t.stop();
  }
});

Deno.test("extension servers are told of another authority soon after the file has it, beside the one before", async () => {
  let now = clients;
  const t = await startTestServer(FLAGS, { moreFiles: { ...files, clientCa: () => now } });
  try {
    const { resourceVersion } = (await t.fetch(PATH)).body.metadata;
    now = other;
    const watch = await openWatch(t, `${PATH}?watch=true&resourceVersion=${resourceVersion}&timeoutSeconds=20`);
    const event = await watch.next();
    assert.equal(event?.object["data"]["client-ca-file"], clients + other);
    await watch.stop();
  } finally {
    await t.stop();
  }
});

Deno.test("in the other dialect the ConfigMap lies in that one's namespace", async () => {
  const flags = [...FLAGS, "--api-dialect=orch", "--requestheader-allowed-names=kube-aggregator"];
  const t = await startTestServer(flags, { moreFiles: files });
  try {
    const path = PATH.replace("kube-system", "orch-system");
    assert.equal((await data(t, path))["requestheader-client-ca-file"], front);
    assert.equal(
      (await data(t, path))["requestheader-allowed-names"],
      '["front","kube-aggregator"]',
      "names of certificates",
    );
    await t.fetch(path, { method: "DELETE" });
    await until("it is there again", async () => (await data(t, path))["client-ca-file"] === clients);
    assert.equal((await data(t, path))["requestheader-allowed-names"], '["front","kube-aggregator"]');
  } finally {
    await t.stop();
  }
});

Deno.test("authorities of several servers stand side by side, but for those that have ended", () => {
  const now = Date.now(), key = "client-ca-file";
  const ended = issueAuthority("old", generateKey(), now - 40 * 365 * 86_400_000);
  const merged = mergedTrust({ [key]: other + ended, mine: "x" }, { [key]: clients }, now);
  assert.deepEqual(merged, { [key]: other + clients, mine: "x" });
  assert.deepEqual(mergedTrust(merged, { [key]: clients }, now), merged);
  assert.deepEqual(mergedTrust({ [key]: "no PEM" }, { [key]: clients }, now), { [key]: clients });
  assert.deepEqual(mergedTrust({ names: "{" }, { names: "[]" }, now), { names: "[]" });
});
