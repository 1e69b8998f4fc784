/** Writes to a namespace that is named by an empty segment, and numbers beyond their type (specification, "Path shapes"). */
import assert from "node:assert/strict";
import { startTestServer, type TestServer } from "../fixture/server.ts";
import type { Loose } from "../fixture/loose.ts";

const NOWHERE = "/api/v1/namespaces//configmaps", MAPS = "/api/v1/namespaces/default/configmaps";
const SETS = "/apis/apps/v1/namespaces/default/replicasets";

async function onServer(work: (s: TestServer) => Promise<void>): Promise<void> {
  const s = await startTestServer(["--disable-admission-plugins=ServiceAccount"]);
  try {
    await work(s);
  } finally {
    await s.stop();
  }
}

Deno.test("an empty namespace in the path: nothing is created in it, and nothing deleted of all", () =>
  onServer(async (s) => {
    const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "m", namespace: "default" } };
    const made = await s.fetch(NOWHERE, { body: map });
    assert.equal(made.status, 422);
    assert.deepEqual(made.body.details.causes.map((c: Loose) => [c.reason, c.field]), [
      ["FieldValueRequired", "metadata.namespace"],
    ]);
    assert.equal((await s.fetch(MAPS, { body: map })).status, 201);
    const one = `${NOWHERE}?fieldSelector=metadata.name%3Dm`;
    assert.equal((await s.fetch(one)).body.items.length, 1);
    assert.equal((await s.fetch(one, { method: "DELETE" })).status, 400);
    assert.equal((await s.fetch(`${MAPS}/m`)).status, 200);
    const bind = { apiVersion: "v1", kind: "Binding", metadata: { name: "p" }, target: { kind: "Node", name: "n" } };
    assert.equal((await s.fetch("/api/v1/namespaces//bindings", { body: bind })).status, 400);
    const headers = { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" };
    assert.equal((await s.fetch(`${MAPS}/m?includeObject=All`, { method: "DELETE", headers })).status, 400);
  }));

const NUMBERS: readonly [number: string, kept: number | undefined][] = [
  ["4294967299", 3],
  ["-4294967291", 5],
  ["1e100", 0],
  ["18446744073709551617", 0],
  ["2147483648", undefined], // becomes negative, which the rules refuse
];

Deno.test("fields that are set one by one keep the lower bits of whole numbers", () =>
  onServer(async (s) => {
    const set = (replicas: string, name: string) =>
      `{"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": "${name}"}, "spec": {"replicas": ${replicas}, ` +
      `"selector": {"matchLabels": {"q": "r"}}, "template": {"metadata": {"labels": {"q": "r"}}, ` +
      `"spec": {"containers": [{"name": "c", "image": "i"}]}}}}`;
    const send = (path: string, method: string, type: string, body: string) =>
      s.fetch(path, { method, headers: { "content-type": type }, body });
    assert.equal((await send(SETS, "POST", "application/json", set("1", "set"))).status, 201);
    for (const [i, [number, kept]] of NUMBERS.entries()) {
      const applied = await send(
        `${SETS}/a${i}?fieldManager=m`,
        "PATCH",
        "application/apply-patch+yaml",
        set(number, `a${i}`),
      );
      const spec = `{"spec": {"replicas": ${number}}}`;
      const patched = await send(`${SETS}/set`, "PATCH", "application/strategic-merge-patch+json", spec);
      const merged = await send(`${SETS}/set`, "PATCH", "application/merge-patch+json", spec);
      const whole = await send(SETS, "POST", "application/json", set(number, "other"));
      assert.deepEqual(
        [applied.body.spec?.replicas, applied.status],
        kept === undefined ? [undefined, 422] : [kept, 201],
        number,
      );
      assert.deepEqual(
        [patched.body.spec?.replicas, patched.status],
        kept === undefined ? [undefined, 422] : [kept, 200],
        number,
      );
      assert.deepEqual([merged.status, whole.status], [422, 400], number);
    }
  }));

Deno.test("a conflict is told before an apply's place; a list is refused as what it makes where nobody looks for fields", () =>
  onServer(async (s) => {
    const map = (metadata: Loose, k: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata, data: { k } });
    const send = (query: string, body: Loose, type: string) =>
      s.fetch(`${MAPS}/m${query}`, { method: "PATCH", headers: { "content-type": type }, body });
    const apply = (query: string, body: Loose) => send(`?fieldManager=${query}`, body, "application/apply-patch+yaml");
    assert.equal((await apply("one", map({ name: "m" }, "1"))).status, 201);
    const elsewhere = map({ name: "m", namespace: "elsewhere" }, "2");
    assert.equal((await apply("two", elsewhere)).status, 409);
    assert.equal((await apply("two&force=true", elsewhere)).status, 400);
    assert.equal((await apply("two&force=true", map({ name: "n" }, "2"))).status, 400);
    const merge = "application/merge-patch+json";
    assert.equal((await send("", [], merge)).status, 400);
    assert.equal((await send("?fieldValidation=Ignore", [], merge)).status, 422);
  }));

Deno.test("the data of a revision is what it was, member by member", () =>
  onServer(async (s) => {
    const revisions = "/apis/apps/v1/namespaces/default/controllerrevisions";
    const revision = (data: Loose) => ({
      apiVersion: "apps/v1",
      kind: "ControllerRevision",
      metadata: { name: "r" },
      revision: 1,
      data,
    });
    assert.equal((await s.fetch(revisions, { body: revision({ q: null, r: [] }) })).status, 201);
    const put = async (data: Loose) =>
      (await s.fetch(`${revisions}/r`, { method: "PUT", body: revision(data) })).status;
    assert.equal(await put({ q: null, r: [] }), 200);
    for (const other of [{ r: [] }, { q: null }, { r: [], q: null }]) assert.equal(await put(other), 422);
  }));
