/**
 * Configurations of admission that stand in files of the server (`staticManifestsDir`, gate `ManifestBasedAdmissionControlConfig`):
 * what no request can change, and what holds before there is anything in the store. They depend on nothing that a request
 * can change either: no services, no parameters.
 */
import { decodeObject } from "../../../schema/codec/mod.ts";
import { parseYaml } from "../../../schema/codec/yaml.ts";
import { isMap } from "../../../schema/model/members.ts";
import type { Json, JsonMap, Kind, Obj } from "../../../schema/model/types.ts";
import { MANIFESTS_GATE, manifestSuffix } from "../../../schema/rules/admissionregistration/manifest_names.ts";
import { rulesFor, setDefaults, validateCreate } from "../../../schema/rules/mod.ts";
import { isSet, items, type Tree } from "../../../schema/rules/tree.ts";
import type { RuleContext } from "../../../schema/rules/types.ts";
import type { Scheme } from "../../../schema/scheme.ts";
import { documentsOf, filesOf } from "./folder.ts";

/** What they are read by. */
export interface ManifestContext {
  readonly scheme: Scheme;
  readonly rules: RuleContext;
}

const GROUP = "admissionregistration.k8s.io";

/** Kinds that files may hold, by the plugin that they are of. The bindings of policies come second. */
export const MANIFEST_KINDS = {
  MutatingAdmissionWebhook: ["MutatingWebhookConfiguration"],
  ValidatingAdmissionWebhook: ["ValidatingWebhookConfiguration"],
  MutatingAdmissionPolicy: ["MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"],
  ValidatingAdmissionPolicy: ["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"],
} as const;

/** Plugins that read manifests. */
export type ManifestPlugin = keyof typeof MANIFEST_KINDS;

interface Row {
  /** Public id of the resource. */
  readonly id: string;
  /** What it may not have here. */
  fault(obj: Obj, suffix: string): string | undefined;
}

const spec = (obj: Obj): Tree => obj["spec"] as Tree;

function hooksFault(obj: Obj): string | undefined {
  const hook = items<Tree>(obj["webhooks"]).find((h) => isSet(h["clientConfig"].service));
  return hook &&
    `webhook ${JSON.stringify(hook["name"])}: clientConfig.service cannot be used here, but clientConfig.url`;
}

const policyFault = (obj: Obj): string | undefined =>
  isSet(spec(obj)["paramKind"]) ? "spec.paramKind cannot be used here" : undefined;

function bindingFault(obj: Obj, suffix: string): string | undefined {
  const { policyName, paramRef } = spec(obj);
  if (!policyName.endsWith(suffix)) {
    return `spec.policyName ${JSON.stringify(policyName)} must end with ${JSON.stringify(suffix)}`;
  }
  return isSet(paramRef) ? "spec.paramRef cannot be used here" : undefined;
}

const ROWS: Readonly<Record<string, Row>> = {
  MutatingWebhookConfiguration: { id: `mutatingwebhookconfigurations.${GROUP}`, fault: hooksFault },
  ValidatingWebhookConfiguration: { id: `validatingwebhookconfigurations.${GROUP}`, fault: hooksFault },
  MutatingAdmissionPolicy: { id: `mutatingadmissionpolicies.${GROUP}`, fault: policyFault },
  MutatingAdmissionPolicyBinding: { id: `mutatingadmissionpolicybindings.${GROUP}`, fault: bindingFault },
  ValidatingAdmissionPolicy: { id: `validatingadmissionpolicies.${GROUP}`, fault: policyFault },
  ValidatingAdmissionPolicyBinding: { id: `validatingadmissionpolicybindings.${GROUP}`, fault: bindingFault },
};

/**
 * The objects of a folder's text, by kind and in the order of their names: decoded strictly, in any version that there is, with their
 * defaults, as version 1.
 * @throws Error that names the file of the first that cannot be used
 */
export function readManifests(
  text: string,
  plugin: ManifestPlugin,
  ctx: ManifestContext,
): ReadonlyMap<string, readonly Obj[]> {
  const found = new Map<string, Map<string, Obj>>(MANIFEST_KINDS[plugin].map((kind) => [kind, new Map()]));
  for (const file of filesOf(text)) {
    try {
      for (const document of documentsOf(file)) {
        for (const obj of objectsOf(document, ctx)) take(found, obj, ctx);
      }
    } catch (cause) {
      throw new Error(`manifests of ${plugin}: ${JSON.stringify(file.name)}: ${(cause as Error).message}`, { cause });
    }
  }
  const out = new Map<string, readonly Obj[]>();
  for (const [kind, named] of found) out.set(kind, [...named].sort(([a], [b]) => a < b ? -1 : 1).map(([, obj]) => obj));
  allBound(out, plugin);
  return out;
}

/** The objects of a document: itself, or those that it lists. */
function* objectsOf(document: string, ctx: ManifestContext): Generator<Obj> {
  const { tree, duplicates } = parseYaml(document, { duplicates: true });
  if (duplicates.length) throw new Error(duplicates[0]);
  if (tree !== null) yield* listed(tree, ctx);
}

function* listed(tree: Json, ctx: ManifestContext): Generator<Obj> {
  if (!isMap(tree)) throw new Error("is no object");
  const { apiVersion, kind, items } = tree;
  if (typeof kind !== "string" || !kind.endsWith("List") || !Array.isArray(items)) return yield decoded(tree, ctx);
  // Those of a list of their kind need not say what they are.
  const type = kind === "List" ? {} : { apiVersion: apiVersion!, kind: kind.slice(0, -"List".length) };
  for (const item of items) yield* listed(isMap(item) ? { ...type, ...item } : item, ctx);
}

function decoded(tree: JsonMap, { scheme, rules }: ManifestContext): Obj {
  const apiVersion = rules.product.local(String(tree["apiVersion"] ?? "")), name = String(tree["kind"] ?? "");
  const kind = scheme.kind(apiVersion, name), what = `${name || "an object without a kind"} of ${apiVersion || '""'}`;
  if (!kind || !Object.hasOwn(ROWS, name) || kind.publicGroup !== GROUP) throw new Error(`${what} is not supported`);
  const { object, unknown } = decodeObject(kind, { ...tree, apiVersion }, { strict: true });
  if (unknown.length) throw new Error(`strict decoding error: ${unknown.join(", ")}`);
  object.metadata ??= {};
  setDefaults(object, kind, rules);
  return scheme.convert(object, firstVersion(scheme, rules, name));
}

const firstVersion = (scheme: Scheme, { product }: RuleContext, name: string): Kind =>
  scheme.kind(product.local(`${GROUP}/v1`), name)!;

/** Puts an object beside the others of its kind, if it may stand there. */
function take(found: ReadonlyMap<string, Map<string, Obj>>, obj: Obj, { scheme, rules }: ManifestContext): void {
  const named = found.get(obj.kind), { name = "" } = obj.metadata, suffix = manifestSuffix(rules.product);
  if (!named) throw new Error(`${obj.kind} is not supported here, but ${[...found.keys()].join(" and ")}`);
  if (!name.endsWith(suffix)) throw new Error(`name ${JSON.stringify(name)} must end with ${JSON.stringify(suffix)}`);
  const who = `${obj.kind} ${JSON.stringify(name)}`, row = ROWS[obj.kind]!;
  if (named.has(name)) throw new Error(`${who} is there twice`);
  const kind = firstVersion(scheme, rules, obj.kind);
  // Their names are refused of requests alone.
  const gate = (gate: string) => gate !== MANIFESTS_GATE && rules.gate(gate);
  const ruled = { kind, namespaced: false, rules: rulesFor(row.id)! };
  const { causes } = validateCreate(ruled, obj, { ...rules, gate, verb: "create", subresource: "" });
  const fault = causes[0] ? `${causes[0].field}: ${causes[0].message}` : row.fault(obj, suffix);
  if (fault) throw new Error(`${who}: ${fault}`);
  named.set(name, obj);
}

/** Every binding is of a policy that stands beside it. @throws Error for one that is not */
function allBound(found: ReadonlyMap<string, readonly Obj[]>, plugin: ManifestPlugin): void {
  const [policies, bindings] = MANIFEST_KINDS[plugin],
    names = new Set(found.get(policies)!.map((p) => p.metadata.name));
  for (const { kind, metadata, ...rest } of bindings ? found.get(bindings)! : []) {
    const { policyName } = rest["spec"] as Tree;
    if (names.has(policyName)) continue;
    const who = `${kind} ${JSON.stringify(metadata.name)}`;
    throw new Error(`manifests of ${plugin}: ${who}: there is no policy ${JSON.stringify(policyName)} beside it`);
  }
}
