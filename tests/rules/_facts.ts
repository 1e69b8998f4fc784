/** Reads the recorded facts, when they stand beside the project, and plays them through the rules without a server. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { DROPPED } from "../../schema/modules.ts";
import { decodeObject } from "../../schema/codec/typed.ts";
import { DecodeError } from "../../schema/codec/error.ts";
import type { Json, Kind, Obj } from "../../schema/model/types.ts";
import { productOf } from "../../schema/product.ts";
import {
  defaultsFor,
  prepareCreate,
  prepareUpdate,
  type RuledResource,
  rulesFor,
  validateCreate,
  validateUpdate,
} from "../../schema/rules/mod.ts";
import type { RuleContext } from "../../schema/rules/types.ts";
import { Scheme, storageVersion } from "../../schema/scheme.ts";
import { gatesOf } from "../../schema/flags/gates/gate_table.ts";
import { RULE_TOOLS } from "../../pki/rule_tools.ts";
import type { Cause } from "../../schema/status.ts";
import type { Loose } from "../fixture/loose.ts";

const FACTS = new URL("../../../shared/facts/", import.meta.url);
/** Whether the facts are there. */
export const HAVE_FACTS: boolean = !!statSync(FACTS, { throwIfNoEntry: false });
const read = (name: string) => JSON.parse(readFileSync(new URL(name, FACTS), "utf8"));

/** A recorded object. */
export interface Sample {
  id: string;
  sent: Tree;
  returned?: Tree;
  error?: unknown;
  /** `<group>/<version>/<Kind>` of the file. */
  kind: string;
}
type Tree = { [k: string]: Loose };

/** A recorded refusal or acceptance of one change. */
export interface Probe {
  name: string;
  base: string;
  verb: "create" | "update";
  op: "keep" | "set" | "remove";
  path?: string;
  value?: Json;
  expected: { code: number; reason?: string; causes?: { reason: string; field: string }[] };
}
/** Probes of one kind. */
export interface ProbeKind {
  group: string;
  version: string;
  resource: string;
  kind: string;
  state: "default" | "all";
  probes: Probe[];
}

/** All recorded objects. */
export function samples(): Sample[] {
  return readdirSync(new URL("defaults/", FACTS)).sort().flatMap((file) => {
    const [group, version, kind] = file.replace(".json", "").split("_");
    return (read(`defaults/${file}`).objects as Sample[]).map((o) => ({
      ...o,
      kind: `${group === "core" ? "" : group}/${version}/${kind}`,
    }));
  });
}
/** All recorded probes. */
export const probeKinds = (): ProbeKind[] => read("validation.json").kinds;

const product = productOf("kubernetes");
export const scheme = new Scheme(product);
const scopes = new Map<string, boolean>(
  HAVE_FACTS
    ? read("discovery.json").states.all.resources.map((r: Tree) => [
      `${r["group"]}/${r["version"]}/${r["resource"]}`,
      r["scope"] === "Namespaced",
    ])
    : [],
);
const gates = new Map<string, boolean>(
  HAVE_FACTS ? read("gates.json").gates.map((g: Tree) => [g["gate"], g["default"]]) : [],
);

/** Gates that are locked on: the recording does not list them. */
const MATURE = new Set([...gatesOf(36)].filter(([, g]) => g.stage === "GA").map(([name]) => name));

export function contextOf(state: "default" | "all"): RuleContext {
  return {
    product,
    gate: (name) => gates.get(name) ?? MATURE.has(name) ? true : state === "all" && gates.has(name),
    now: () => Date.parse("2026-01-01T00:00:00Z"),
    allowPrivileged: false,
    certificates: RULE_TOOLS,
    namespaceLabels: () => ({}),
  };
}

const MASKS: Readonly<Record<string, Json>> = {
  "<uid>": "11111111-2222-3333-4444-555555555555",
  "<rv>": "10",
  "<time>": "2026-01-01T00:00:00Z",
  "<microtime>": "2026-01-01T00:00:00.000000Z",
  "<date>": "2026-01-01",
  "<hash>": "abcdef",
  "<cluster-ip>": "10.0.0.10",
  "<first-service-ip>": "10.0.0.1",
  "<service-cidr>": "10.0.0.0/24",
  "<node-port>": 31000,
};

const MICRO = new Set(["eventTime", "renewTime", "acquireTime", "pingTime", "lastObservedTime"]);

/** Puts likely values where the record hides them. Node ports differ from one another. */
export function unmask(tree: Json, state = { port: 31000 }, name = ""): Json {
  if (tree === "<time>" && MICRO.has(name)) return MASKS["<microtime>"]!;
  if (typeof tree === "string") return tree === "<node-port>" ? state.port++ : MASKS[tree] ?? tree;
  if (Array.isArray(tree)) return tree.map((x) => unmask(x, state));
  if (tree === null || typeof tree !== "object") return tree;
  return Object.fromEntries(Object.entries(tree).map(([k, v]) => [k, unmask(v, state, k)]));
}

/** Applies a probe's change; undefined when there is no such place. */
export function change(object: Tree, p: Probe): Tree | undefined {
  const copy = structuredClone(object);
  if (p.op === "keep") return copy;
  const keys = p.path!.split("/").slice(1).map((k) => k.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = keys.pop()!;
  let at: Loose = copy;
  for (const k of keys) {
    if (Array.isArray(at)) at = at[Number(k)];
    else if (at && typeof at === "object") at = at[k] ??= {};
    else return undefined;
  }
  if (Array.isArray(at)) p.op === "set" ? at[Number(last)] = p.value : at.splice(Number(last), 1);
  else if (!at || typeof at !== "object") return undefined;
  else if (p.op === "set") at[last] = p.value;
  else delete at[last];
  return copy;
}

/** Whether the resource stands in a namespace; undefined when it is not served. */
export const scopeOf = (k: ProbeKind): boolean | undefined => scopes.get(`${k.group}/${k.version}/${k.resource}`);

/** The kind's row. */
export function resourceOf(k: ProbeKind): RuledResource | undefined {
  const kind = scheme.kindOf(k.group, k.version, k.kind);
  const rules = rulesFor(k.group ? `${k.resource}.${k.group}` : k.resource, k.version);
  const namespaced = scopeOf(k);
  return kind && namespaced !== undefined ? { kind, namespaced, rules: rules ?? {} } : undefined;
}

/** The row in the shape that servers store and check. Events keep the shape of their own group, whose rules differ. */
function storedForm(k: ProbeKind, r: RuledResource): RuledResource {
  if (DROPPED.some((d) => d.group === k.group && d.version === k.version)) return r;
  const at = storageVersion(k.group, k.resource);
  const kind = at.group === k.group ? scheme.kindOf(at.group, at.version, k.kind) : undefined;
  return kind && kind !== r.kind ? { ...r, kind } : r;
}
const convert = (obj: Obj, to: Kind): Obj => obj.apiVersion === to.apiVersion ? obj : scheme.convert(obj, to);

/** Decoded and with defaults. */
export function decode(kind: Kind, tree: Json, ctx: RuleContext): Obj {
  const { object } = decodeObject(kind, tree);
  defaultsFor(kind.publicGroup, kind.version, kind.kind)?.(object, ctx);
  return decodeObject(kind, object as Json).object;
}

/** What the registry does before the rules see a new object. */
export function fillCreate(r: RuledResource, obj: Obj): void {
  const m = obj.metadata;
  if (!m.name && m.generateName) m.name = `${m.generateName}abcde`;
  if (r.namespaced) m.namespace = "facts";
  else delete m.namespace;
  m.uid = String(MASKS["<uid>"]);
  m.creationTimestamp = String(MASKS["<time>"]);
  delete m.resourceVersion;
  delete m.deletionTimestamp;
  delete m.deletionGracePeriodSeconds;
  if (r.kind.kind === "Service") allocate(obj["spec"] ??= {});
  if (r.kind.kind === "Pod") {
    Object.assign(obj["spec"], { priority: 0, preemptionPolicy: "PreemptLowerPriority", ...obj["spec"] });
  }
}

/** What the allocators give a new service of a cluster with one family of addresses. */
function allocate(spec: Tree): void {
  if (spec["type"] === "ExternalName") return;
  if (!spec["clusterIPs"]) spec["clusterIP"] ||= "10.0.0.10";
  spec["clusterIPs"] ??= [spec["clusterIP"]];
  spec["ipFamilies"] ??= ["IPv4"];
  spec["ipFamilyPolicy"] ??= "SingleStack";
  let port = 31000;
  if (spec["type"] === "NodePort" || spec["type"] === "LoadBalancer") {
    for (const p of spec["ports"] ?? []) p["nodePort"] ||= port++;
  }
  if (spec["type"] === "LoadBalancer" && spec["externalTrafficPolicy"] === "Local") {
    spec["healthCheckNodePort"] ||= port++;
  }
}

/** What controllers did to a definition before it was changed. */
function establish(old: Obj): void {
  const status: Tree = old["status"] ??= {};
  status["conditions"] ??= [{ type: "Established", status: "True" }];
}

/** What the registry does before the rules see a changed object. */
function fillUpdate(r: RuledResource, obj: Obj, old: Obj): void {
  const m = obj.metadata, was = old.metadata;
  m.uid ||= was.uid!;
  if (!r.namespaced) delete m.namespace;
  if (was.creationTimestamp) m.creationTimestamp = was.creationTimestamp;
  if (was.deletionTimestamp) m.deletionTimestamp = was.deletionTimestamp;
  if (r.kind.kind === "Pod") { for (const k of ["priority", "preemptionPolicy"]) obj["spec"][k] ??= old["spec"][k]; }
  if (!m.resourceVersion && r.rules.unconditionalUpdate !== false) m.resourceVersion = was.resourceVersion!;
}

/** What came of a probe. `skip` names the layer that the recorded answer comes from. */
export type Outcome = { pass: true } | { pass: false; found: string; wanted: string } | { skip: string };

const OTHER_LAYERS: Readonly<Record<number, string>> = { 403: "admission", 409: "storage" };

const show = (causes: readonly Cause[] | undefined) =>
  (causes ?? []).map((c) => `${c.field} ${c.reason}`).sort().join(", ");

/** Plays one probe through decoding, defaults, preparation and validation. */
export function play(k: ProbeKind, r: RuledResource, p: Probe, base: Sample): Outcome {
  const other = OTHER_LAYERS[p.expected.code];
  if (other) return { skip: other };
  const ctx = contextOf(k.state);
  const source = p.verb === "create" ? base.sent : unmask(base.returned ?? null) as Tree | null;
  const tree = source && change(source, p);
  if (!tree) return { skip: "no such place" };
  const stored = storedForm(k, r);
  const read = (from: Json) => convert(decode(r.kind, from, ctx), stored.kind);
  let obj: Obj;
  try {
    obj = read(tree as Json);
  } catch (e) {
    if (!(e instanceof DecodeError)) throw e;
    return p.expected.code === 400
      ? { skip: "decoding" }
      : { pass: false, found: `400 ${e.message}`, wanted: String(p.expected.code) };
  }
  if (p.expected.code === 400) return { skip: "request" };
  let found: readonly Cause[];
  if (p.verb === "create") {
    fillCreate(stored, obj);
    prepareCreate(stored, obj, ctx);
    found = validateCreate(stored, obj, { ...ctx, verb: "create", subresource: "" }).causes;
  } else {
    const old = read(source as Json);
    if (k.kind === "CustomResourceDefinition") establish(old);
    fillUpdate(stored, obj, old);
    prepareUpdate(stored, obj, old, "", ctx);
    found = validateUpdate(stored, obj, old, { ...ctx, verb: "update", subresource: "" }).causes;
  }
  const got = show(found), wanted = show(p.expected.causes);
  return got === wanted ? { pass: true } : { pass: false, found: got, wanted };
}
