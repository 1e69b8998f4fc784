/** Policies with their bindings, compiled when they change; and those that a request meets. */
import type { Obj } from "../../../schema/model/types.ts";
import type { Tree } from "../../../schema/rules/tree.ts";
import { derived, namespaceNamed } from "../facts.ts";
import { fromManifests } from "../manifests/mod.ts";
import { MANIFEST_KINDS } from "../manifests/read.ts";
import type { Resource } from "../../catalog/types.ts";
import type { Target } from "../target.ts";
import type { Attributes, PluginContext } from "../types.ts";
import { isOwn } from "./exempt.ts";
import { type Asked, matchedTarget, Misconfigured } from "./matching.ts";
import { paramResource, paramsOf } from "./params.ts";
import { type Seen, seenBy } from "./seen.ts";

/** What all compiled policies have. */
export interface Policy {
  readonly name: string;
  readonly spec: Tree;
  /** What goes wrong with it refuses requests. */
  readonly fails: boolean;
}

/** A policy with its bindings. */
export interface Bound<P> {
  readonly policy: P;
  readonly bindings: readonly Obj[];
}

/** A policy that a request meets by one binding, or why it cannot be asked. */
export type Met<P> =
  | { readonly policy: P; readonly binding: Obj | undefined; readonly fault: string }
  | {
    readonly policy: P;
    readonly binding: Obj;
    readonly fault?: undefined;
    /** Its objects as what the request was matched. */
    readonly seen: Seen;
    /** With each of which the policy is asked; undefined: without. */
    readonly params: readonly (Obj | undefined)[];
  };

/** Compiled policies by uid and version; of those that are gone nothing is kept. */
function compiler<P>(compile: (p: Obj) => P): (all: readonly Obj[]) => readonly P[] {
  let known = new Map<string, P>();
  return (all) => {
    const next = new Map<string, P>();
    for (const p of all) {
      const key = `${p.metadata.uid} ${p.metadata.resourceVersion}`;
      next.set(key, known.get(key) ?? compile(p));
    }
    known = next;
    return [...next.values()];
  };
}

/** Policies that have bindings, with them. */
function bind<P extends Policy>(
  policies: readonly P[],
  bindings: ReadonlyMap<string, readonly Obj[]>,
): readonly Bound<P>[] {
  return policies.flatMap((policy) => {
    const own = bindings.get(policy.name);
    return own ? [{ policy, bindings: own }] : [];
  });
}

const byPolicy = (bindings: readonly Obj[]): Map<string, Obj[]> =>
  Map.groupBy(bindings, (b) => (b["spec"] as Tree | undefined)?.["policyName"]);

/**
 * Policies of a plugin that have bindings, those of manifests before those of the lister; about policies themselves those of
 * manifests alone.
 * @throws Error when the manifests cannot be used
 */
export function boundPolicies<P extends Policy>(
  ctx: PluginContext,
  plugin: "MutatingAdmissionPolicy" | "ValidatingAdmissionPolicy",
  compile: (p: Obj) => P,
): (resource: Resource) => readonly Bound<P>[] {
  const kind = plugin.slice(0, -"Policy".length).toLowerCase(), group = "admissionregistration.k8s.io";
  const policies = derived(ctx.lister, `${kind}policies.${group}`, compiler(compile));
  const bindings = derived(ctx.lister, `${kind}policybindings.${group}`, byPolicy);
  const [policyKind, bindingKind] = MANIFEST_KINDS[plugin];
  const first = fromManifests(ctx, plugin, (of) => bind(of(policyKind).map(compile), byPolicy(of(bindingKind))));
  let from: readonly unknown[] = [], bound: readonly Bound<P>[] = [];
  return (resource) => {
    if (isOwn(resource)) return first();
    const now = [first(), policies(), bindings()] as const;
    if (now.every((part, i) => part === from[i])) return bound;
    from = now;
    return bound = [...now[0], ...bind(now[1], now[2])];
  };
}

/** The namespace of a request's object; undefined for what is in none. */
export function namespaces(ctx: PluginContext): (a: Attributes) => Promise<Obj | undefined> {
  const named = namespaceNamed(ctx);
  return async (a) => a.resource.namespaced ? await named(a.namespace) : undefined;
}

/** What a request meets, in the order of policies and bindings. */
export async function metBy<P extends Policy>(
  ctx: PluginContext,
  a: Attributes,
  bound: readonly Bound<P>[],
  namespace: Obj | undefined,
): Promise<Met<P>[]> {
  const out: Met<P>[] = [], view = seenBy(a, ctx.kinds);
  let same: readonly Resource[] | undefined;
  const asked: Asked = { a, namespace, same: () => same ??= ctx.hooks.sharing(a.resource) };
  const faulty = (policy: P, binding: Obj | undefined, e: unknown): void => {
    if (!(e instanceof Misconfigured)) throw e;
    out.push({ policy, binding, fault: `failed to configure ${binding ? "binding" : "policy"}: ${e.message}` });
  };
  for (const { policy, bindings } of bound) {
    let target: Target | undefined;
    try {
      target = targetOf(ctx, policy, asked);
    } catch (e) {
      faulty(policy, undefined, e);
    }
    if (target === undefined) continue;
    for (const binding of bindings) {
      const own = (binding["spec"] ?? {}) as Tree;
      try {
        if (matchedTarget(own["matchResources"], asked) === undefined) continue;
        const params = await paramsOf(ctx, policy.spec, own, a);
        if (params.length > 0) out.push({ policy, binding, seen: await view(target), params });
      } catch (e) {
        faulty(policy, binding, e);
      }
    }
  }
  return out;
}

/** As what a policy is about a request. @throws Misconfigured */
function targetOf(ctx: PluginContext, { spec }: Policy, asked: Asked): Target | undefined {
  const target = matchedTarget(spec["matchConstraints"], asked);
  if (target === undefined || paramResource(ctx, spec) !== undefined) return target;
  const { apiVersion, kind } = spec["paramKind"], version = apiVersion.includes("/") ? apiVersion : `/${apiVersion}`;
  throw new Misconfigured(`failed to find resource referenced by paramKind: '${version}, Kind=${kind}'`);
}
