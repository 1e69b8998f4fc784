/** Manifests: pods that files and web pages bring, made what the API server would have made of them. */
import { createHash } from "node:crypto";
import type { Pod, Toleration } from "../../schema/api/core_v1.ts";
import { decodeBody } from "../../schema/codec/mod.ts";
import type { Kind, Obj } from "../../schema/model/types.ts";
import { rulesFor, setDefaults, validateCreate } from "../../schema/rules/mod.ts";
import type { RuleContext } from "../../schema/rules/types.ts";
import { schemeOf } from "../../schema/scheme.ts";
import { HASH } from "./annotations.ts";
import { apiReference } from "./references.ts";

/** Longest manifest, bytes. */
export const MAX_MANIFEST = 10 * 1024 * 1024;

/** Where a manifest comes from. */
export interface ManifestPlace {
  readonly source: "file" | "http";
  /** Its path, or its URL. */
  readonly place: string;
}

/** What manifests need of the agent. */
export interface ManifestContext {
  readonly nodeName: string;
  readonly rules: RuleContext;
}

/**
 * The pods of a manifest, YAML or JSON: a Pod, or of a web page a PodList too. Each has a name and a uid of this node.
 * @throws Error that says what is wrong with it
 */
export function readManifest(bytes: Uint8Array, from: ManifestPlace, ctx: ManifestContext): Pod[] {
  const scheme = schemeOf(ctx.rules.product);
  const kind = scheme.kind("v1", "Pod")!;
  const { object } = decodeBody(scheme, bytes, "yaml", { strict: false });
  const list = object.kind === "PodList" && from.source === "http";
  if (!list && object.kind !== "Pod") {
    throw new Error(`${from.place}: couldn't parse as pod (it is a ${object.kind}), please check config file`);
  }
  const pods = list ? object.items as Obj[] : [object];
  return pods.map((pod) => finished(pod, kind, from, ctx) as Pod);
}

function finished(pod: Obj, kind: Kind, from: ManifestPlace, ctx: ManifestContext): Obj {
  pod.apiVersion = "v1";
  pod.kind = "Pod";
  pod.metadata ??= {};
  setDefaults(pod, kind, ctx.rules);
  if (!pod.metadata.name) throw new Error("invalid pod: name is needed for the pod");
  own(pod, from, ctx);
  const resource = { kind, namespaced: true, rules: rulesFor("pods")! };
  const errors = validateCreate(resource, pod, { ...ctx.rules, verb: "create", subresource: "" });
  if (!errors.empty) {
    throw new Error(`invalid pod: [${errors.causes.map((c) => `${c.field}: ${c.message}`).join(", ")}]`);
  }
  const reference = apiReference(pod as Pod);
  if (reference) throw new Error(`static pods may not reference ${reference}`);
  return pod;
}

/** Makes the pod one of this node. */
function own(pod: Obj, from: ManifestPlace, { nodeName, rules: { product } }: ManifestContext): void {
  const { metadata } = pod;
  metadata.uid ||= uidOf(pod, from, nodeName);
  metadata.name = `${metadata.name}-${nodeName.toLowerCase()}`;
  metadata.namespace ||= "default";
  metadata.annotations = { ...metadata.annotations, [product.local(HASH)]: metadata.uid };
  pod.spec ??= {};
  pod.spec.nodeName = nodeName;
  // A static pod is not evicted for what is wrong with its node.
  if (from.source === "file") pod.spec.tolerations = tolerant(pod.spec.tolerations ?? []);
  pod.status = { phase: "Pending" };
}

const STAYS = { operator: "Exists", effect: "NoExecute" } as const;

function tolerant(tolerations: readonly Toleration[]): Toleration[] {
  const same = (t: Toleration) => !t.key && !t.value && t.operator === STAYS.operator && t.effect === STAYS.effect;
  return [...tolerations.filter((t) => !same(t)), { ...STAYS }];
}

/** Of another content, another place or another node: another uid. */
function uidOf(pod: Obj, { source, place }: ManifestPlace, nodeName: string): string {
  const where = source === "file" ? `host:${nodeName}file:${place}` : `url:${place}`;
  return createHash("sha256").update(JSON.stringify(pod, ordered)).update(where).digest("hex").slice(0, 32);
}

function ordered(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1));
}
