/** Tables of a kind's rules: a good object, and what one change to it should bring. */
import assert from "node:assert/strict";
import { decodeObject } from "../../schema/codec/typed.ts";
import type { Json, Obj } from "../../schema/model/types.ts";
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
import type { ErrorList } from "../../schema/rules/errors.ts";
import type { RuleContext } from "../../schema/rules/types.ts";
import { Scheme } from "../../schema/scheme.ts";
import { RULE_TOOLS } from "../../pki/rule_tools.ts";
import type { Loose } from "../fixture/loose.ts";

const product = productOf("kubernetes"), scheme = new Scheme(product);
/** The time that rules are told. */
export const NOW = "2026-01-01T00:00:00Z";
/** Gates that are on unless a row says otherwise. */
const ON = [
  "CSIServiceAccountTokenSecrets",
  "DeploymentReplicaSetTerminatingReplicas",
  "ImageVolume",
  "JobManagedBy",
  "MatchLabelKeysInPodTopologySpread",
  "MutableCSINodeAllocatableCount",
  "ProcMountType",
  "SELinuxChangePolicy",
  "SELinuxMountReadWriteOncePod",
  "ServiceCIDRStatusFieldWiping",
  "SupplementalGroupsPolicy",
  "UserNamespacesSupport",
  "DRAAdminAccess",
  "DRAPrioritizedList",
  "HPAConfigurableTolerance",
  "PreferSameTrafficDistribution",
  "RelaxedServiceNameValidation",
  "StrictIPCIDRValidation",
];

type Tree = { [k: string]: Loose };

/** One row: members to set by path (`spec.rules.0.host`; undefined removes), and the causes as `<field> <reason>`. */
export interface Row {
  /** `create`, `update` of the good object, or the subresource that is updated. Default `create`. */
  readonly on?: string;
  readonly set: { readonly [path: string]: Json | undefined };
  /** Reasons without `FieldValue`. */
  readonly causes: readonly string[];
  /** The object that an update changes, where it is not the good one: changes to that one. */
  readonly from?: { readonly [path: string]: Json | undefined };
  /** Gates that are on beside {@linkcode ON}, or with a `-` before them off. */
  readonly gates?: readonly string[];
}
/** A kind and its rows. */
export interface Table {
  /** `<group>/<version>/<Kind>`. */
  readonly kind: string;
  readonly resource: string;
  /** Default true. */
  readonly namespaced?: boolean;
  /** The good object but for apiVersion and kind. Its name is `x` unless given. */
  readonly good: Tree;
  readonly rows: readonly Row[];
}

function context(gates: readonly string[]): RuleContext {
  const off = gates.filter((g) => g.startsWith("-")).map((g) => g.slice(1));
  const on = new Set([...ON, ...gates]).difference(new Set(off));
  return {
    product,
    gate: (g) => on.has(g),
    now: () => Date.parse(NOW),
    allowPrivileged: false,
    certificates: RULE_TOOLS,
  };
}

function changed(tree: Tree, set: Row["set"]): Tree {
  const copy = JSON.parse(JSON.stringify(tree)) as Tree;
  for (const [path, value] of Object.entries(set)) {
    const keys = path.split("."), last = keys.pop()!;
    let at: Tree = copy;
    for (const k of keys) at = at[k] ??= {};
    if (value === undefined) Array.isArray(at) ? at.splice(Number(last), 1) : delete at[last];
    else at[last] = value;
  }
  return copy;
}

/** A kind, ready to take objects. */
export class Bench {
  readonly ruled: RuledResource;

  constructor(t: Table) {
    const [group, version, name] = t.kind.split("/") as [string, string, string];
    const kind = scheme.kindOf(group, version, name);
    assert.ok(kind, `no kind ${t.kind}`);
    const rules = rulesFor(group ? `${t.resource}.${group}` : t.resource, version);
    assert.ok(rules, `no rules of ${t.resource}`);
    this.ruled = { kind, namespaced: t.namespaced ?? true, rules };
  }

  /** What rules are told; gates beside those that are on. */
  context(gates: readonly string[] = []): RuleContext {
    return context(gates);
  }

  /** Decoded, with defaults and what the registry gives. */
  read(tree: Tree, ctx: RuleContext): Obj {
    return decodeObject(this.ruled.kind, this.decode(tree, ctx) as Json).object;
  }

  /** The same, with parts that defaults let stand at two places. */
  decode(tree: Tree, ctx: RuleContext): Obj {
    const { kind, namespaced } = this.ruled;
    const { object } = decodeObject(kind, tree as Json);
    defaultsFor(kind.publicGroup, kind.version, kind.kind)?.(object, ctx);
    const m = object.metadata;
    m.name ??= "x";
    if (namespaced) m.namespace = "default";
    m.uid = "11111111-2222-3333-4444-555555555555";
    m.creationTimestamp = NOW;
    return object;
  }

  /** A new object as it is stored, and its causes. */
  create(tree: Tree, gates: readonly string[] = []): { object: Obj; causes: string[] } {
    const ctx = context(gates), object = this.read(tree, ctx);
    prepareCreate(this.ruled, object, ctx);
    return { object, causes: texts(validateCreate(this.ruled, object, { ...ctx, verb: "create", subresource: "" })) };
  }

  /** A changed object as it is stored, and its causes. */
  update(old: Obj, tree: Tree, subresource = "", gates: readonly string[] = []): { object: Obj; causes: string[] } {
    const ctx = context(gates), object = this.read(tree, ctx);
    old.metadata.resourceVersion = object.metadata.resourceVersion = "1";
    prepareUpdate(this.ruled, object, old, subresource, ctx);
    return { object, causes: texts(validateUpdate(this.ruled, object, old, { ...ctx, verb: "update", subresource })) };
  }
}

const texts = (e: ErrorList) => e.causes.map((c) => `${c.field} ${c.reason?.replace("FieldValue", "")}`).sort();

/** Registers a test that plays the rows. The good object itself must be without fault. */
export function table(t: Table): void {
  Deno.test(`rules of ${t.kind}`, () => {
    const bench = new Bench(t);
    assert.deepEqual(bench.create(t.good).causes, [], "the good object");
    for (const r of t.rows) {
      const on = r.on ?? "create",
        title = `${on} ${JSON.stringify(r.set).slice(0, 200)}`,
        before = changed(t.good, r.from ?? {});
      const tree = changed(before, r.set);
      if (on === "create") assert.deepEqual(bench.create(tree, r.gates).causes, [...r.causes].sort(), title);
      else {
        const old = bench.create(before, r.gates).object;
        if (before["status"]) old["status"] = bench.read(before, context([]))["status"];
        const { causes } = bench.update(old, tree, on === "update" ? "" : on, r.gates);
        assert.deepEqual(causes, [...r.causes].sort(), title);
      }
    }
  });
}
