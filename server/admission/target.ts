/** Which requests the rules of webhooks and policies are about, in which version, and what both are told of them. */
import type { Json, JsonMap, Kind } from "../../schema/model/types.ts";
import type { Product } from "../../schema/product.ts";
import { items, type Tree } from "../../schema/rules/tree.ts";
import type { Resource, ServedResource } from "../catalog/types.ts";
import type { Attributes } from "./types.ts";

/** What a request is to a webhook or a policy: a resource in a version, and the kind of what is sent. */
export interface Target {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: Kind;
}

/** What of a request decides which rules match it. */
export type Subject = Pick<Attributes, "operation" | "resource" | "version" | "subresource">;

const has = (list: readonly string[] | undefined, value: string): boolean =>
  items<string>(list).some((x) => x === "*" || x === value);

function names(list: readonly string[], resource: string, subresource: string): boolean {
  return items<string>(list).some((text) => {
    const slash = text.indexOf("/");
    const name = slash < 0 ? text : text.slice(0, slash), part = slash < 0 ? "" : text.slice(slash + 1);
    return (name === "*" || name === resource) && (part === "*" || part === subresource);
  });
}

/** Whether a rule is about a request, when that is of a resource in a version. */
function matchesRule(rule: Tree, s: Subject, resource: Resource, version: string): boolean {
  const scope: string = rule["scope"] ?? "*";
  return (scope === "*" || (scope === "Namespaced") === resource.namespaced) &&
    has(rule["operations"], s.operation) && has(rule["apiGroups"], resource.group) &&
    has(rule["apiVersions"], version) && names(rule["resources"], resource.name, s.subresource);
}

/** A resource as served in a version. */
function targetAs(resource: Resource, version: string, subresource: string): Target {
  const served = servedAs(resource, version);
  const kind = (subresource ? served?.subresources.get(subresource)?.kind : undefined) ?? served?.kind ??
    resource.storageKind;
  return { group: resource.group, version: served?.version ?? version, resource: resource.name, kind };
}

/** Writes of the server's own come in no version: they are of the one that is preferred. */
function servedAs(resource: Resource, version: string): ServedResource | undefined {
  return resource.served.find((s) => s.version === version) ?? resource.served[0];
}

/** The version of a request. */
const versionOf = (s: Subject): string => servedAs(s.resource, s.version)?.version ?? s.version;

/** What a request is about, in its own version. */
export const ownTarget = (s: Subject): Target => targetAs(s.resource, versionOf(s), s.subresource);

/**
 * As what a request meets one of the rules; undefined: it meets none. `same`: the resources that share the request's
 * objects, its own among them, as which it may meet a rule too.
 */
export function ruleTarget(
  rules: readonly Tree[],
  s: Subject,
  same: (() => readonly Resource[]) | undefined,
): Target | undefined {
  const own = versionOf(s);
  if (rules.some((r) => matchesRule(r, s, s.resource, own))) return targetAs(s.resource, own, s.subresource);
  if (!same) return undefined;
  for (const rule of rules) {
    for (const resource of same()) {
      const found = resource.served.find(({ version, subresources }) =>
        (s.subresource === "" || subresources.has(s.subresource)) && matchesRule(rule, s, resource, version)
      );
      if (found) return targetAs(resource, found.version, s.subresource);
    }
  }
  return undefined;
}

const given = (member: string, text: string): JsonMap => text === "" ? {} : { [member]: text };
const kindOf = ({ group, version, kind }: Kind): JsonMap => ({ group, version, kind });
const resourceOf = ({ group, version, resource }: Target): JsonMap => ({ group, version, resource });

/** What is told of a request that was matched as a target: what it is about and what it does. Nothing is said of empty texts. */
export function toldOf(a: Attributes, target: Target): JsonMap {
  const own = ownTarget(a);
  return {
    kind: kindOf(target.kind),
    resource: resourceOf(target),
    ...given("subResource", a.subresource),
    requestKind: kindOf(own.kind),
    requestResource: resourceOf(own),
    ...given("requestSubResource", a.subresource),
    ...given("name", a.name),
    ...given("namespace", a.namespace),
    operation: a.operation,
  };
}

const OPTIONS: Readonly<Record<string, string>> = { CREATE: "CreateOptions", UPDATE: "UpdateOptions" };

/** The options of a request as told. Who patches asks for an update, or for a creation. */
export function optionsOf(a: Attributes, product: Product): Json {
  if (a.operation === "CONNECT") return null;
  const { kind: _k, apiVersion: _v, ...rest } = a.options;
  return { kind: OPTIONS[a.operation] ?? "DeleteOptions", apiVersion: `${product.local("meta.k8s.io")}/v1`, ...rest };
}
