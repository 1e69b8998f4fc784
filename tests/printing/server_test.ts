/** Tables as the server answers them: of stored objects, of what is no resource, of pods that ended. */
import { deepEqual, equal } from "node:assert/strict";
import { startTestServer, type TestServer } from "../fixture/server.ts";
import type { Loose } from "../fixture/loose.ts";

const TABLE = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
const META = { accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io" };
const NS = "/api/v1/namespaces/default";
const APPS = "/apis/apps/v1/namespaces/default/deployments";
const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "d" },
  spec: { replicas: 2, selector: { matchLabels: { a: "b" } }, template },
};

async function withServer(use: (s: TestServer) => Promise<void>): Promise<void> {
  const s = await startTestServer(["--disable-admission-plugins=ServiceAccount"]);
  try {
    await use(s);
  } finally {
    await s.stop();
  }
}
const names = (table: Loose): string[] => table.columnDefinitions.map((c: { name: string }) => c.name);

Deno.test("a scale is a Table of its own, and metadata alone", () =>
  withServer(async ({ fetch }) => {
    equal((await fetch(APPS, { method: "POST", body: deployment })).status, 201);
    const { body } = await fetch(`${APPS}/d/scale`, { headers: TABLE });
    equal(body.kind, "Table");
    deepEqual(names(body), ["Name", "Desired", "Available", "Age"]);
    deepEqual(body.rows[0].cells.slice(0, 3), ["d", 2, 0]);
    equal(body.rows[0].object.kind, "PartialObjectMetadata");
    const alone = (await fetch(`${APPS}/d/scale`, { headers: META })).body;
    deepEqual([alone.kind, alone.metadata.name, alone.spec], ["PartialObjectMetadata", "d", undefined]);
    equal((await fetch(`${APPS}/d/scale`)).body.kind, "Scale");
  }));

Deno.test("what is not stored is a Table like that of its list", () =>
  withServer(async ({ fetch }) => {
    const list = (await fetch("/api/v1/componentstatuses", { headers: TABLE })).body;
    const { body } = await fetch("/api/v1/componentstatuses/etcd-0", { headers: TABLE });
    deepEqual(body.columnDefinitions, list.columnDefinitions);
    deepEqual(body.rows[0].cells, ["etcd-0", "Healthy", "ok", ""]);
  }));

Deno.test("a row shows what is stored of its object, whatever version asks", () =>
  withServer(async ({ fetch }) => {
    const scalers = (version: string) => `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
    const spec = {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
      maxReplicas: 3,
      targetCPUUtilizationPercentage: 70,
    };
    const body = { apiVersion: "autoscaling/v1", kind: "HorizontalPodAutoscaler", metadata: { name: "h" }, spec };
    equal((await fetch(scalers("v1"), { body })).status, 201);
    for (const version of ["v1", "v2", "v1"]) {
      const table = (await fetch(`${scalers(version)}?includeObject=Object`, { headers: TABLE })).body;
      deepEqual(table.rows[0].cells.slice(0, 3), ["h", "Deployment/d", "cpu: <unknown>/70%"]);
      equal(table.rows[0].object.apiVersion, `autoscaling/${version}`);
    }
  }));

Deno.test("ages grow, of an object that was shown before too", async () => {
  let now = Date.now();
  const { fetch, stop } = await startTestServer([], { now: () => now });
  try {
    equal((await fetch(`${NS}/secrets`, { body: { metadata: { name: "s" } } })).status, 201);
    for (const [ms, age] of [[0, "0s"], [61_000, "61s"], [4 * 60_000, "5m1s"]] as const) {
      now += ms;
      for (const path of [`${NS}/secrets/s`, `${NS}/secrets`, `${NS}/secrets?pretty=1`]) {
        equal((await fetch(path, { headers: TABLE })).body.rows[0].cells[3], age, path);
      }
    }
  } finally {
    await stop();
  }
});

Deno.test("flow schemas stand in the order in which they are asked", () =>
  withServer(async ({ fetch }) => {
    const schemas = "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas";
    const { rows } = (await fetch(schemas, { headers: TABLE })).body;
    const cells: [number, string][] = rows.map(({ cells }: Loose) => [cells[2], cells[0]]);
    deepEqual(cells, [...cells].sort(([p, n], [q, m]) => p - q || (n < m ? -1 : 1)));
    equal(rows.at(-1).object.metadata.name, cells.at(-1)![1]);
    const { items } = (await fetch(schemas)).body;
    equal(items[0].metadata.name, "catch-all");
  }));

Deno.test("a list as a Table has the kind's columns, and rows of what is asked for", () =>
  withServer(async ({ fetch }) => {
    await fetch(APPS, { method: "POST", body: deployment });
    const table = (await fetch(APPS, { headers: TABLE })).body;
    deepEqual(table.rows[0].cells.slice(0, 4), ["d", "0/2", 0, 0]);
    equal(table.rows[0].object.kind, "PartialObjectMetadata");
    equal((await fetch(`${APPS}?includeObject=Object`, { headers: TABLE })).body.rows[0].object.kind, "Deployment");
    equal((await fetch(`${APPS}?includeObject=None`, { headers: TABLE })).body.rows[0].object, null);
    equal((await fetch(`${APPS}?includeObject=Some`, { headers: TABLE })).status, 400);
    const empty = (await fetch(`${NS}/secrets`, { headers: TABLE })).body;
    deepEqual([names(empty), empty.rows], [["Name", "Type", "Data", "Age"], []]);
    for (const query of ["", "?pretty=1"]) {
      const unprinted = (await fetch(`${NS}/limitranges${query}`, { headers: TABLE })).body;
      deepEqual([names(unprinted), unprinted.rows], [["Name", "Created At"], null]);
    }
  }));

Deno.test("rows of pods that ended carry a condition, of others none", () =>
  withServer(async ({ fetch }) => {
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec: template.spec };
    equal((await fetch(`${NS}/pods`, { method: "POST", body: pod })).status, 201);
    equal((await fetch(`${NS}/pods/p`, { headers: TABLE })).body.rows[0].conditions, undefined);
    const patch = { status: { phase: "Succeeded" } };
    const headers = { "content-type": "application/merge-patch+json" };
    equal((await fetch(`${NS}/pods/p/status`, { method: "PATCH", headers, body: patch })).status, 200);
    for (const path of [`${NS}/pods/p`, `${NS}/pods`, `${NS}/pods?pretty=true`]) {
      const row = (await fetch(path, { headers: TABLE })).body.rows[0];
      deepEqual([row.cells[2], row.conditions[0].type, row.conditions[0].status], ["Succeeded", "Completed", "True"]);
    }
  }));
