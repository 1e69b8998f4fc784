/** What lists read, and how long expressions of custom kinds take. */
import assert from "node:assert/strict";
import { until } from "../customresources/_crd.ts";
import { startTestServer, type TestServer, withServer } from "../fixture/server.ts";

/** Lines of a metric, by its labels. */
async function values(t: TestServer, metric: string): Promise<Record<string, number>> {
  const lines = (await t.fetch("/metrics")).text.split("\n").filter((line) => line.startsWith(`${metric}{`));
  return Object.fromEntries(lines.map((line) => {
    const end = line.lastIndexOf(" ");
    return [line.slice(metric.length, end), Number(line.slice(end + 1))];
  }));
}

/** The same of one resource. */
async function of(t: TestServer, name: string, resource: string): Promise<Record<string, number>> {
  const all = await values(t, `apiserver_storage_list_${name}`);
  return Object.fromEntries(Object.entries(all).filter(([labels]) => labels.includes(`resource="${resource}"`)));
}

async function someMaps(t: TestServer): Promise<void> {
  await t.fetch("/api/v1/namespaces", { body: { metadata: { name: "a" } } });
  for (const [name, labels] of [["x", { of: "x" }], ["y", {}], ["z", {}]] as const) {
    const made = await t.fetch("/api/v1/namespaces/a/configmaps", { body: { metadata: { name, labels } } });
    assert.equal(made.status, 201, made.text);
  }
}

Deno.test("lists tell what they went through in a cache, and what they gave of it", async () => {
  await withServer(["--controllers=-*"], async (t) => {
    await someMaps(t);
    assert.deepEqual(await of(t, "total", "configmaps"), {});
    await t.fetch("/api/v1/namespaces/a/configmaps");
    await t.fetch("/api/v1/namespaces/a/configmaps?labelSelector=of!%3Dx");
    await t.fetch("/api/v1/namespaces/a/configmaps?fieldSelector=metadata.name%3Dx");
    await t.fetch("/api/v1/configmaps?limit=2&fieldSelector=metadata.namespace%3Da");
    const labels = '{group="",resource="configmaps",storage="watchcache"}';
    const withIndex = '{group="",resource="configmaps",storage="watchcache",index=""}';
    assert.deepEqual(await of(t, "total", "configmaps"), { [withIndex]: 4 });
    assert.deepEqual(await of(t, "fetched_objects_total", "configmaps"), { [withIndex]: 3 + 3 + 1 + 2 });
    assert.deepEqual(await of(t, "returned_objects_total", "configmaps"), { [labels]: 3 + 2 + 1 + 2 });
    assert.deepEqual(await of(t, "evaluated_objects_total", "configmaps"), { [labels]: 0 });
    assert.deepEqual(await of(t, "duration_seconds_count", "configmaps"), {});
  });
});

Deno.test("a list that an index of the cache answers names the field", async () => {
  await withServer(["--controllers=-*"], async (t) => {
    await t.fetch("/api/v1/pods?fieldSelector=spec.nodeName%3Dn");
    const labels = '{group="",resource="pods",storage="watchcache",index="f:spec.nodeName"}';
    assert.deepEqual(await of(t, "total", "pods"), { [labels]: 1 });
  });
});

Deno.test("lists of the store tell what they read of it, and how long that took", async () => {
  await withServer(["--controllers=-*", "--watch-cache=false"], async (t) => {
    await someMaps(t);
    await t.fetch("/api/v1/namespaces/a/configmaps?labelSelector=of%3Dx");
    const labels = '{group="",resource="configmaps",storage="etcd"}';
    assert.equal((await of(t, "fetched_objects_total", "configmaps"))[labels.replace("}", ',index=""}')], 3);
    assert.equal((await of(t, "evaluated_objects_total", "configmaps"))[labels], 3);
    assert.equal((await of(t, "returned_objects_total", "configmaps"))[labels], 1);
    const times = await of(t, "duration_seconds_count", "configmaps");
    assert.deepEqual(times, { '{group="",resource="configmaps",streamed="false"}': 1 });
  });
});

const DEFINITION = (rule: string) => ({
  metadata: { name: "foos.x.io" },
  spec: {
    group: "x.io",
    scope: "Namespaced",
    names: { plural: "foos", kind: "Foo" },
    versions: [{
      name: "v1",
      served: true,
      storage: true,
      schema: {
        openAPIV3Schema: {
          type: "object",
          properties: { a: { type: "integer" } },
          "x-kubernetes-validations": [{ rule }],
        },
      },
    }],
  },
});

Deno.test("the rules of custom kinds tell how long they are compiled, and held against objects", async () => {
  let clock = 1_800_000_000_000;
  // Whoever looks at the clock twice sees that ten milliseconds have gone by.
  const t = await startTestServer(["--controllers=-*"], { now: () => clock += 10 });
  try {
    const told = async (what: string) => {
      const { text } = await t.fetch("/metrics");
      const [, sum] = new RegExp(`^apiserver_cel_${what}_duration_seconds_sum (\\S+)$`, "m").exec(text)!;
      const [, count] = new RegExp(`^apiserver_cel_${what}_duration_seconds_count (\\S+)$`, "m").exec(text)!;
      assert.match(text, new RegExp(`^# HELP apiserver_cel_${what}_duration_seconds \\[BETA\\] `, "m"));
      return [Number(count), Number(sum)];
    };
    assert.deepEqual(await told("compilation"), [0, 0]);
    const made = await t.fetch("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      body: DEFINITION("self.a > 1"),
    });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(await told("compilation"), [1, 0.01]);
    assert.deepEqual(await told("evaluation"), [0, 0]);
    const foos = "/apis/x.io/v1/namespaces/default/foos";
    const answers: number[] = [];
    for (const a of [1, 2]) {
      const body = { apiVersion: "x.io/v1", kind: "Foo", metadata: { name: `f${a}` }, a };
      answers.push((await until(() => t.fetch(foos, { body }), ({ status }) => status !== 404)).status);
    }
    assert.deepEqual(answers, [422, 201]);
    assert.deepEqual(await told("evaluation"), [2, 0.02]);
  } finally {
    await t.stop();
  }
});
