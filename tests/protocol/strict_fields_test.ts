/** In which words and order a strict write tells of unknown and duplicate fields. */
import assert from "node:assert/strict";
import { map, maps, MERGE, namespace, ok, patchOf, sharedServer, STRATEGIC } from "../spec/_spec.ts";

const server = sharedServer(["--disable-admission-plugins=ServiceAccount"]);

const YAML = `metadata:
  name: b
  name: c
data: {k: a, k: b}
odd: 1
`;
/** `ends`: how the message ends. */
const ROWS: readonly { method: string; type: string; path?: string; body: string; ends: string }[] = [
  {
    method: "POST",
    type: "yaml",
    body: YAML,
    ends:
      'strict decoding error: yaml: unmarshal errors:\n  line 3: key "name" already set in map\n  line 4: key "k" already set in map, unknown field "odd"',
  },
  {
    method: "PATCH",
    type: "json-patch+json",
    path: "/a",
    body:
      '[{"op":"add","path":"/data","value":{"k":"v"},"odd":1},{"op":"add","op":"add","path":"/odd","value":1},{"odd":1,"odd":2,"op":"test","path":"/data/k","value":"v"}]',
    ends:
      'strict decoding error: json patch unknown field "[0].odd", json patch duplicate field "[1].op", json patch unknown field "[2].odd", unknown field "odd"',
  },
  // Twice in the object too: in what is put there, unless it is only looked at, or something later looks within.
  {
    method: "PATCH",
    type: "json-patch+json",
    path: "/a",
    body:
      '[{"op":"replace","path":"/data","value":{"k":"a","k":"b"}},{"op":"add","path":"/aside","value":{"k":"a","k":"b"}}]',
    ends:
      'strict decoding error: json patch duplicate field "[0].value.k", json patch duplicate field "[1].value.k", unknown field "aside", duplicate field "data.k"',
  },
  {
    method: "PATCH",
    type: "json-patch+json",
    path: "/a",
    body:
      '[{"op":"add","path":"/data","value":{"k":"a","k":"b"}},{"op":"test","path":"/data/k","value":"b"},{"op":"test","path":"/data","value":{"k":"a","k":"b"}}]',
    ends: 'strict decoding error: json patch duplicate field "[0].value.k", json patch duplicate field "[2].value.k"',
  },
  {
    method: "PATCH",
    type: "apply-patch+yaml",
    path: "/a",
    body: "apiVersion: v1\nkind: ConfigMap\ndata: {k: a, k: b}\n",
    ends:
      'error strict decoding patch: error converting YAML to JSON: yaml: unmarshal errors:\n  line 3: key "k" already set in map',
  },
];

Deno.test({
  name: "a strict write tells what is unknown and what stands twice, as the public server does",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const t = await server(), ns = await namespace(t);
    await ok(t, maps(ns), { body: map("a") });
    for (const { method, type, path = "", body, ends } of ROWS) {
      const query = "?fieldValidation=Strict&fieldManager=m";
      const a = await t.fetch(maps(ns) + path + query, {
        method,
        body,
        headers: { "content-type": `application/${type}` },
      });
      assert.ok(a.status === 400 || a.status === 422, a.text);
      assert.equal(a.body.message.slice(-ends.length), ends);
    }
  },
});

Deno.test({
  name: "of what a patch says twice the last counts, and all of it",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const t = await server(), ns = await namespace(t);
    await ok(t, maps(ns), { body: map("a", { k: "v" }) });
    for (const [type, key] of [[MERGE, "m"], [STRATEGIC, "s"]] as const) {
      const a = await ok(t, maps(ns, "a"), patchOf(type, `{"data":{"${key}":"1"},"data":{"k":"${key}"}}`));
      assert.deepEqual([a.body.data, a.warnings], [{ k: key }, ['duplicate field "data"']]);
    }
  },
});

Deno.test({
  name: "a part of an object that is applied with a field twice is told of too",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const t = await server(), ns = await namespace(t), path = `/apis/apps/v1/namespaces/${ns}/deployments`;
    const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
    await ok(t, path, { body: { metadata: { name: "d" }, spec: { selector: { matchLabels: { a: "b" } }, template } } });
    const headers = { "content-type": "application/apply-patch+yaml" };
    const body = "apiVersion: autoscaling/v1\nkind: Scale\nspec: {replicas: 2, replicas: 3}\n";
    const scale = (level: string) =>
      t.fetch(`${path}/d/scale?fieldManager=m&force=true&fieldValidation=${level}`, { method: "PATCH", body, headers });
    const told = 'line 3: key "replicas" already set in map';
    assert.deepEqual((await scale("Warn")).warnings, [told]);
    const refused = await scale("Strict");
    assert.deepEqual([refused.status, refused.body.message.endsWith(told)], [400, true], refused.text);
  },
});

Deno.test({
  name: "what is applied and does not fit its kind is told with its place and type",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const t = await server(), ns = await namespace(t);
    const body = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, namespace: ${ns}}\nodd: 1\n`;
    const headers = { "content-type": "application/apply-patch+yaml" };
    const a = await t.fetch(`${maps(ns, "x")}?fieldManager=m`, { method: "PATCH", body, headers });
    const what = `the applied configuration (${ns}/x; /v1, Kind=ConfigMap) does not fit its kind`;
    assert.deepEqual([a.status, a.body.message], [400, `${what}: .odd: field not declared in schema`]);
    const nameless = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {}, namespace: ${ns}}\n`;
    const b = await t.fetch(`${maps(ns, "x")}?fieldManager=m`, { method: "PATCH", body: nameless, headers });
    const told = `${what.replace("/x;", "/;")}: .metadata.name: expected string, got map`;
    assert.deepEqual([b.status, b.body.message], [400, told]);
  },
});
