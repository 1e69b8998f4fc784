/** Names that every object of the language inherits something by are names like others. */
import assert from "node:assert/strict";
import { same } from "../../schema/rules/tree.ts";
import { sameTree } from "../../server/registry/same.ts";
import { withServer } from "../fixture/server.ts";

const FLAGS = ["--enable-admission-plugins=PodNodeSelector,RuntimeClass", "--disable-admission-plugins=ServiceAccount"];
const MERGE = { "content-type": "application/merge-patch+json" };
const spec = { containers: [{ name: "c", image: "i" }] };

Deno.test("names that objects inherit: what they are added to has changed, and nothing is found by them", () =>
  withServer(FLAGS, async (t) => {
    for (const name of ["constructor", "a"]) {
      assert.equal((await t.fetch("/api/v1/namespaces", { body: { metadata: { name } } })).status, 201);
    }
    const pods = "/api/v1/namespaces/a/pods", deployments = "/apis/apps/v1/namespaces/a/deployments";
    const template = { metadata: { labels: { a: "b" } }, spec };
    const deployment = { metadata: { name: "d" }, spec: { selector: { matchLabels: { a: "b" } }, template } };
    assert.equal((await t.fetch(deployments, { body: deployment })).status, 201);
    const labels: Record<string, string | null> = { constructor: "x" };
    const more = { spec: { template: { metadata: { labels } } } };
    const changed = await t.fetch(`${deployments}/d`, { method: "PATCH", body: more, headers: MERGE });
    assert.equal(changed.body["metadata"].generation, 2);
    labels["constructor"] = null;
    const back = await t.fetch(`${deployments}/d`, { method: "PATCH", body: more, headers: MERGE });
    assert.equal(back.body["metadata"].generation, 3);
    for (const equal of [sameTree, same]) {
      assert.ok(!equal({ a: "b" }, { a: "b", constructor: "x" }));
      assert.ok(!equal({ a: "b", constructor: "x" }, { a: "b" }));
    }

    const listed = await t.fetch(`${pods}?fieldSelector=constructor%3Dx`);
    assert.deepEqual([listed.status, listed.body["message"]], [400, "field label not supported: constructor"]);

    const pod = { metadata: { name: "p" }, spec };
    const bound = await t.fetch("/api/v1/namespaces/constructor/pods", { body: pod });
    assert.equal(bound.status, 201, bound.text);
    const made = await t.fetch("/apis/node.k8s.io/v1/runtimeclasses", {
      body: { metadata: { name: "r" }, handler: "h", scheduling: { nodeSelector: { constructor: "x" } } },
    });
    assert.equal(made.status, 201, made.text);
    const scheduled = await t.fetch(pods, { body: { ...pod, spec: { ...spec, runtimeClassName: "r" } } });
    assert.deepEqual(scheduled.body["spec"].nodeSelector, { constructor: "x" }, scheduled.text);

    const status = { method: "PATCH", body: { status: { phase: "constructor" } }, headers: MERGE };
    assert.equal((await t.fetch(`${pods}/p/status`, status)).status, 200);
    const table = await t.fetch(pods, { headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" } });
    assert.equal(table.body["rows"][0].conditions, undefined);

    const schema = { metadata: { name: "s" }, spec: { rules: [{ subjects: [{ kind: "constructor" }] }] } };
    const refused = await t.fetch("/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas", { body: schema });
    assert.match(refused.body["message"], /subjects\[0\]\.kind: Unsupported value: "constructor"/);
  }));
