import assert from "node:assert/strict";
import type { Obj } from "../../schema/model/types.ts";
import { productOf } from "../../schema/product.ts";
import { FeatureGates } from "../../schema/flags/gates/feature_gates.ts";
import { bootstrapObjects } from "../../server/bootstrap/objects.ts";
import { input } from "./fixture.ts";

const FACTS = new URL("../../../shared/facts/bootstrap.json", import.meta.url);

interface Facts {
  states: {
    default: { objects: Record<string, Obj[]> };
    all: { objectsAddedOrChanged: Record<string, Obj[]> };
  };
}

function facts(): Facts | undefined {
  try {
    return JSON.parse(Deno.readTextFileSync(FACTS));
  } catch {
    return undefined;
  }
}

/** What the registry gives, and the texts that facts leave out. */
function masked(obj: Obj): unknown {
  const copy: Obj = structuredClone(obj);
  delete (copy as Partial<Obj>).apiVersion;
  delete (copy as Partial<Obj>).kind;
  for (const k of ["uid", "resourceVersion", "creationTimestamp", "generation"] as const) delete copy.metadata[k];
  delete copy.description;
  for (const c of copy.status?.conditions ?? []) {
    delete c.message;
    c.lastTransitionTime = "<time>";
  }
  return JSON.parse(JSON.stringify(copy, (_k, v) => v === null ? undefined : v), (_k, v) => v);
}

const sorted = (v: unknown): unknown =>
  Array.isArray(v)
    ? v.map(sorted)
    : v !== null && typeof v === "object"
    ? Object.fromEntries(Object.entries(v).sort().map(([k, x]) => [k, sorted(x)]))
    : v;

const MASKS: readonly (readonly [string | RegExp, string])[] = [
  ["10.0.0.1", "<first-service-ip>"],
  ["10.0.0.0/24", "<service-cidr>"],
  ["192.0.2.7", "<advertise-ip>"],
  [/apiserver-[a-z2-7]{26}/g, "apiserver-<hash>"],
  ["9f0c9a3e-0000-4000-8000-000000000001", "<uid>"],
  ['"host.example"', '"<hostname>"'],
  ["CA PEM", "<pem>"],
  ["2026-11-21T10:00:00.000000Z", "<time>"],
  ['"2026-11-21"', '"<date>"'],
  ["6443", "<port>"],
];

function mask(value: unknown): unknown {
  let text = JSON.stringify(value);
  for (const [from, to] of MASKS) text = text.replaceAll(from, to);
  text = text.replaceAll('"port":<port>', '"port":"<port>"').replaceAll('"targetPort":<port>', '"targetPort":"<port>"');
  return JSON.parse(text);
}

// Made elsewhere: API services from the catalog, component statuses and storage versions on demand, leader election by its controller.
const ELSEWHERE = /componentstatuses|apiservices|storageversions|v1beta1\/|leader-election-controller/;

/** Roles whose rules 1.37 changed; the record is of 1.36. */
const CHANGED: Readonly<Record<string, readonly string[]>> = {
  "system:controller:job-controller": ["create get list patch update watch podgroups workloads"],
  "system:controller:node-controller": ["get list watch leases"],
  "system:controller:resourcepoolstatusrequest-controller": ["get list watch devicetaintrules"],
  "system:controller:storage-version-migrator-controller": ["list patch *"],
  "system:node": ["get patch update csinodes/status"],
};
const changed = (id: string): boolean => Object.keys(CHANGED).some((n) => id.endsWith(`clusterroles /${n}`));

function compare(objects: Record<string, Obj[]>, gate: (name: string) => boolean): number {
  const ours = new Map<string, unknown>();
  for (const { resourceId, object } of bootstrapObjects(input(productOf("kubernetes"), gate))) {
    const [resource, ...group] = resourceId.split(".");
    const key = `${group.join(".")}/v1/${resource}`;
    ours.set(String(mask(`${key} ${object.metadata.namespace ?? ""}/${object.metadata.name}`)), masked(object));
  }
  let seen = 0;
  for (const [resource, list] of Object.entries(objects)) {
    for (const theirs of list) {
      const id = `${resource} ${theirs.metadata.namespace ?? ""}/${theirs.metadata.name}`;
      if (ELSEWHERE.test(id)) continue;
      assert.ok(ours.has(id), `${id} is missing`);
      seen++;
      if (changed(id)) continue;
      assert.deepEqual(sorted(mask(ours.get(id))), sorted(masked(theirs)), id);
    }
  }
  return seen;
}

const recorded = facts(); // only where the facts lie beside the project

Deno.test({
  name: "bootstrap objects equal those of a fresh public server",
  ignore: !recorded, // only where the recorded objects lie beside the project
}, () => {
  const seen = compare(recorded!.states.default.objects, (g) => g === "APIServerIdentity");
  const total = bootstrapObjects(input(productOf("kubernetes"), (g) => g === "APIServerIdentity")).length;
  assert.equal(seen, total, "objects that the public server has not");
});

Deno.test({
  name: "gates add the objects that they add there",
  ignore: !recorded, // only where the recorded objects lie beside the project
}, () => {
  const gates = new FeatureGates(new Map([["AllAlpha", true], ["AllBeta", true]]), 36);
  assert.ok(compare(recorded!.states.all.objectsAddedOrChanged, (g) => gates.enabled(g)) > 15);
});

/** Rules of a cluster role as words: verbs, then resources. */
function rulesOf(name: string, gate: (name: string) => boolean): string[] {
  const role = bootstrapObjects(input(productOf("kubernetes"), gate))
    .find((o) => o.resourceId.startsWith("clusterroles.") && o.object.metadata.name === name)?.object;
  const rules = (role as { rules?: { verbs: string[]; resources?: string[] }[] } | undefined)?.rules ?? [];
  return rules.map((r) => [...r.verbs, ...(r.resources ?? [])].join(" "));
}

Deno.test("roles may what 1.37 asks of them", () => {
  for (const [name, rules] of Object.entries(CHANGED)) {
    const got = rulesOf(name, () => true);
    for (const rule of rules) assert.ok(got.includes(rule), `${name}: ${rule}`);
  }
});

Deno.test("roles reach the kinds that a gate brings", () => {
  const WRITE = "create delete deletecollection patch update", READ = "get list watch";
  const rows: readonly [gate: string, role: string, rule: string][] = [
    ["CompositePodGroup", "system:aggregate-to-edit", `${WRITE} compositepodgroups`],
    ["CompositePodGroup", "system:aggregate-to-view", `${READ} compositepodgroups compositepodgroups/status`],
    ["CompositePodGroup", "system:kube-scheduler", `${READ} compositepodgroups`],
    ["CompositePodGroup", "system:kube-scheduler", "patch update compositepodgroups/status"],
    ["EvictionRequestAPI", "system:aggregate-to-edit", `${WRITE} evictionrequests`],
    ["EvictionRequestAPI", "system:aggregate-to-view", `${READ} evictionrequests evictions`],
    ["CSIVolumeHealth", "system:node", "get patch update csinodes/status"],
  ];
  for (const [gate, role, rule] of rows) {
    assert.ok(rulesOf(role, (g) => g === gate).includes(rule), `${role}: ${rule}`);
    assert.ok(!rulesOf(role, () => false).includes(rule), `${role}: ${rule} without ${gate}`);
  }
});

Deno.test("in dialect orch no public name is left", () => {
  const text = JSON.stringify(bootstrapObjects(input(productOf("orch"), () => true)).map((o) => o.object));
  // Kubelets keep their name in URLs and roles; DNS and the aggregator are named after what they are.
  const left = [...text.matchAll(/[a-z.-]*(?:k8s|kubernetes|kube-)[a-z.-]*/g)].map((m) => m[0]);
  assert.deepEqual([...new Set(left)].filter((n) => !/^kube-(dns|aggregator)$|kubelet/.test(n)).sort(), []);
});
