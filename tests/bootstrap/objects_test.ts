import assert from "node:assert/strict";
import type { Obj } from "../../schema/model/types.ts";
import { productOf } from "../../schema/product.ts";
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
      assert.deepEqual(sorted(mask(ours.get(id))), sorted(masked(theirs)), id);
      seen++;
    }
  }
  return seen;
}

Deno.test("bootstrap objects equal those of a fresh public server", () => {
  const f = facts();
  if (!f) return; // the facts are not part of the project
  const seen = compare(f.states.default.objects, (g) => g === "APIServerIdentity");
  const total = bootstrapObjects(input(productOf("kubernetes"), (g) => g === "APIServerIdentity")).length;
  assert.equal(seen, total, "objects that the public server has not");
});

Deno.test("gates add the objects that they add there", () => {
  const f = facts();
  if (!f) return; // the facts are not part of the project
  assert.ok(compare(f.states.all.objectsAddedOrChanged, () => true) > 15);
});

Deno.test("in dialect orch no public name is left", () => {
  const text = JSON.stringify(bootstrapObjects(input(productOf("orch"), () => true)).map((o) => o.object));
  // Kubelets keep their name in URLs and roles; DNS and the aggregator are named after what they are.
  const left = [...text.matchAll(/[a-z.-]*(?:k8s|kubernetes|kube-)[a-z.-]*/g)].map((m) => m[0]);
  assert.deepEqual([...new Set(left)].filter((n) => !/^kube-(dns|aggregator)$|kubelet/.test(n)).sort(), []);
});
