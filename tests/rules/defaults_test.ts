/** Compares recorded objects, as sent with our defaults, with what the public server made of them. */
import assert from "node:assert/strict";
import process from "node:process";
import { decodeObject } from "../../schema/codec/typed.ts";
import type { Json } from "../../schema/model/types.ts";
import { prepareCreate, rulesFor, validateCreate } from "../../schema/rules/mod.ts";
import {
  contextOf,
  decode,
  fillCreate,
  HAVE_FACTS,
  probeKinds,
  type Sample,
  samples,
  scheme,
  scopeOf,
} from "./_facts.ts";

/** Objects that do not come out equal yet, or cannot: what the server makes of them is not a default. */
const KNOWN: ReadonlySet<string> = new Set([
  "clusterrole-aggregate", // an empty list whose member is always written comes back from storage as null
]);

/** Kinds whose objects, as rules leave them, are not what the codec makes of them. */
const OTHER_SHAPE: ReadonlySet<string> = new Set([
  "autoscaling/v1/HorizontalPodAutoscaler", // rules see the stored version, v2
  "storage.k8s.io/v1/CSINode", // a status of a later version is dropped
]);

/** Members that the registry, admission or an allocator gives, by kind; paths of names, `*` for any. */
const GIVEN: Readonly<Record<string, readonly string[]>> = {
  "/v1/Pod": [
    "spec.priority",
    "spec.preemptionPolicy",
    "spec.tolerations",
    "spec.serviceAccount",
    "spec.serviceAccountName",
    "spec.overhead",
    "spec.nodeSelector",
  ],
  "scheduling.k8s.io/v1alpha2/PodGroup": ["spec.priority"],
  "/v1/Service": [
    "spec.clusterIP",
    "spec.clusterIPs",
    "spec.ipFamilies",
    "spec.ipFamilyPolicy",
    "spec.ports.*.nodePort",
    "spec.healthCheckNodePort",
  ],
  "/v1/Namespace": ["spec.finalizers"],
  "/v1/Node": ["spec.taints"],
  "certificates.k8s.io/v1/CertificateSigningRequest": ["spec.username", "spec.groups", "spec.extra", "spec.uid"],
  "storage.k8s.io/v1/CSINode": ["status"],
  "apiregistration.k8s.io/v1/APIService": ["status"],
  "apiextensions.k8s.io/v1/CustomResourceDefinition": ["status"],
};

function without(tree: Json, path: readonly string[]): void {
  const [head, ...rest] = path;
  if (!tree || typeof tree !== "object" || head === undefined) return;
  const keys = head === "*" ? Object.keys(tree) : [head];
  for (const k of keys) {
    const holder = tree as { [k: string]: Json };
    if (rest.length) without(holder[k] ?? null, rest);
    else delete holder[k];
  }
}

const SYSTEM = [
  "namespace",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "managedFields",
  "name",
  "finalizers",
];

function compare(s: Sample): string {
  const [group, version, name] = s.kind.split("/") as [string, string, string];
  const kind = scheme.kindOf(group, version, name);
  if (!kind || !s.returned) return "";
  const row = probeKinds().find((k) => k.group === group && k.version === version && k.kind === name);
  const ctx = contextOf(row?.state ?? "default");
  let ours = decode(kind, s.sent as Json, ctx);
  const rules = row && rulesFor(group ? `${row.resource}.${group}` : row.resource, version);
  if (rules && row) {
    const ruled = { kind, namespaced: !!scopeOf(row), rules };
    fillCreate(ruled, ours);
    prepareCreate(ruled, ours, ctx);
    validateCreate(ruled, ours, { ...ctx, verb: "create", subresource: "" });
    rules.fillCreated?.(ours, ctx);
    const canonical = decodeObject(kind, ours as Json).object;
    try {
      if (!OTHER_SHAPE.has(s.kind)) {
        assert.deepEqual(clean(ours as Json, null), clean(canonical as Json, null));
      }
    } catch (e) {
      return `not canonical: ${(e as Error).message}`;
    }
    ours = canonical;
  }
  const theirs = structuredClone(s.returned) as Json;
  for (const o of [ours as Json, theirs]) {
    for (const m of SYSTEM) without(o, ["metadata", m]);
    for (const p of GIVEN[s.kind] ?? []) without(o, p.split("."));
    without(o, ["status", "conditions", "*", "lastTransitionTime"]);
    without(o, ["status", "conditions", "*", "message"]);
  }
  try {
    assert.deepEqual(clean(ours as Json, theirs), theirs);
    return "";
  } catch (e) {
    return (e as Error).message.split("\n").slice(0, 60).join("\n");
  }
}

/** Ours, with the record's masks where it has them. */
function clean(ours: Json, theirs: Json): Json {
  if (typeof theirs === "string" && /^<.*>$/.test(theirs)) return theirs;
  if (Array.isArray(ours)) return ours.map((x, i) => clean(x, Array.isArray(theirs) ? theirs[i] ?? null : null));
  if (ours === null || typeof ours !== "object") return ours;
  const other = (theirs ?? {}) as { [k: string]: Json };
  return Object.fromEntries(
    Object.entries(ours).filter(([, v]) => v !== undefined).map(([k, v]) => [k, clean(v, other[k] ?? null)]),
  );
}

Deno.test({
  name: "defaults: recorded objects come out as recorded",
  ignore: !HAVE_FACTS, // the recorded facts are not part of the project
  fn() {
    const wrong: string[] = [];
    for (const s of samples()) {
      const difference = compare(s);
      if (difference && process.env["DEFAULTS"]) console.log(`${s.kind} ${s.id}\n${difference}`);
      if (difference && !KNOWN.has(s.id)) wrong.push(`${s.kind} ${s.id}`);
    }
    assert.deepEqual(wrong, []);
  },
});
