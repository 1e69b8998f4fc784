/** What a pod asks for as a whole, as its containers and the gates have it. */
import assert from "node:assert/strict";
import type { Json } from "../../schema/model/types.ts";
import type { Loose } from "../fixture/loose.ts";
import { Bench } from "./_table.ts";

const bench = new Bench({ kind: "/v1/Pod", resource: "pods", good: {}, rows: [] });
const ON = ["PodLevelResources", "InPlacePodLevelResourcesVerticalScaling"],
  FIXED = [...ON, "PodLevelResourcesFixDefaulting"];

type List = { readonly [resource: string]: string };
const needs = (requests?: List, limits?: List): Json => ({
  ...(requests ? { requests } : {}),
  ...(limits ? { limits } : {}),
});
const pod = (resources: Json | undefined, ...containers: Json[]) => ({
  spec: {
    ...(resources === undefined ? {} : { resources }),
    containers: containers.map((r, i) => ({ name: `c${i}`, image: "i", resources: r })),
  },
});
const made = (tree: Loose, gates: readonly string[]) => bench.create(tree, gates).object["spec"].resources;

const ROWS: readonly (readonly [what: string, own: Json, containers: Json[], fixed: Json, before: Json])[] = [
  [
    "requests alone take what containers ask for besides, and limits that all have",
    needs({ cpu: "1" }),
    [needs({ memory: "1Gi" }, { cpu: "500m", memory: "2Gi" }), needs({}, { cpu: "1", memory: "1Gi" })],
    needs({ cpu: "1", memory: "2Gi" }, { cpu: "1500m", memory: "3Gi" }),
    needs({ cpu: "1" }),
  ],
  [
    "a limit is not below the pod's own request",
    needs({ cpu: "2" }),
    [needs({}, { cpu: "1" })],
    needs({ cpu: "2" }, { cpu: "2" }),
    needs({ cpu: "2" }),
  ],
  [
    "no limit where a container has none",
    needs({ cpu: "2" }),
    [needs({}, { cpu: "1" }), needs({})],
    needs({ cpu: "2" }),
    needs({ cpu: "2" }),
  ],
  [
    "limits of the pod itself stay, and are its requests",
    needs(undefined, { cpu: "3" }),
    [needs(undefined, { memory: "1Gi" })],
    needs({ cpu: "3", memory: "1Gi" }, { cpu: "3", memory: "1Gi" }),
    needs({ cpu: "3", memory: "1Gi" }, { cpu: "3" }),
  ],
  [
    "huge pages",
    needs({ cpu: "1" }),
    [needs({ cpu: "1" }, { "hugepages-2Mi": "4Mi" })],
    needs({ cpu: "1", "hugepages-2Mi": "4Mi" }, { "hugepages-2Mi": "4Mi" }),
    needs({ cpu: "1", "hugepages-2Mi": "4Mi" }, { "hugepages-2Mi": "4Mi" }),
  ],
  ["resources that say nothing", {}, [needs({ cpu: "1" })], {}, {}],
];
for (const [what, own, containers, fixed, before] of ROWS) {
  Deno.test(`a pod's own resources: ${what}`, () => {
    assert.deepEqual(made(pod(own, ...containers), FIXED), fixed);
    assert.deepEqual(made(pod(own, ...containers), ON), before);
  });
}

Deno.test("with the gate, own resources are not removed by being left out, and a resize completes them", () => {
  const tree = pod(needs({ cpu: "1" }), needs({}, { cpu: "1" })), { object } = bench.create(tree, FIXED);
  const { resources } = object["spec"];
  const without = pod(undefined, needs({}, { cpu: "1" }));
  assert.deepEqual(bench.update(object, without, "", FIXED).object["spec"].resources, resources);
  assert.equal(bench.update(object, without, "", ON).object["spec"].resources, undefined);
  assert.deepEqual(bench.update(object, without, "resize", FIXED).object["spec"].resources, resources);
  const more = pod(needs({ cpu: "2" }), needs({}, { cpu: "1" }));
  assert.deepEqual(
    bench.update(object, more, "resize", FIXED).object["spec"].resources,
    needs({ cpu: "2" }, { cpu: "2" }),
  );
});
