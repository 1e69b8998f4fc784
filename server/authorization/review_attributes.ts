/** Between authorization attributes and the spec of access reviews. */
import type { JsonMap } from "../../schema/model/types.ts";
import { type FieldRequirement, formatFieldSelector, parseFieldSelector } from "../../schema/values/fields.ts";
import { formatSelector, parseSelector, type Requirement, requirement } from "../../schema/values/labels.ts";
import type { User } from "../request.ts";
import type { AuthorizationAttributes } from "./types.ts";

interface Selector {
  readonly rawSelector?: string;
  readonly requirements?: readonly { key: string; operator: string; values?: string[] }[];
}

/** A selector's text. `partial`: something of it could not be read and was left out, which asks for more, never for less. */
interface Read {
  readonly text: string;
  readonly partial: boolean;
}

const FIELD_OPERATORS: ReadonlyMap<string, "=" | "!="> = new Map([["In", "="], ["NotIn", "!="]]);
const LABEL_OPERATORS: ReadonlyMap<string, "in" | "notin" | "exists" | "!"> = new Map([
  ["In", "in"],
  ["NotIn", "notin"],
  ["Exists", "exists"],
  ["DoesNotExist", "!"],
]);

function attempt<T>(f: () => T): T | undefined {
  try {
    return f();
  } catch {
    return undefined;
  }
}

function fieldText(s: Selector): Read {
  if (s.rawSelector) {
    const terms = attempt(() => parseFieldSelector(s.rawSelector!));
    return { text: terms ? s.rawSelector : "", partial: !terms };
  }
  const all = (s.requirements ?? []).map((r): FieldRequirement | undefined => {
    const op = FIELD_OPERATORS.get(r.operator);
    return op && r.values?.length === 1 ? { field: r.key, op, value: r.values[0]! } : undefined;
  });
  const good = all.filter((r) => r !== undefined);
  return { text: formatFieldSelector(good), partial: good.length < all.length };
}

function labelText(s: Selector): Read {
  if (s.rawSelector) {
    const terms = attempt(() => parseSelector(s.rawSelector!));
    return { text: terms ? s.rawSelector : "", partial: !terms };
  }
  const all = (s.requirements ?? []).map((r): Requirement | undefined => {
    const op = LABEL_OPERATORS.get(r.operator);
    return op ? attempt(() => requirement(r.key, op, r.values ?? [])) : undefined;
  });
  const good = all.filter((r) => r !== undefined);
  return { text: formatSelector(good), partial: good.length < all.length };
}

const text = (v: unknown) => (typeof v === "string" ? v : "");

/** What a review asks for, and what of its selectors could not be read. */
export function attributesOf(
  user: User,
  spec: { readonly resourceAttributes?: JsonMap; readonly nonResourceAttributes?: JsonMap },
): { readonly attributes: AuthorizationAttributes; readonly faults: readonly string[] } {
  const r = spec.resourceAttributes;
  const base = { user, version: "", resource: "", subresource: "", group: "", namespace: "", name: "", path: "" };
  if (!r) {
    const { path, verb } = spec.nonResourceAttributes ?? {};
    return { attributes: { ...base, isResource: false, path: text(path), verb: text(verb) }, faults: [] };
  }
  const field = r.fieldSelector ? fieldText(r.fieldSelector as Selector) : undefined;
  const label = r.labelSelector ? labelText(r.labelSelector as Selector) : undefined;
  const faults = Object.entries({ fieldSelector: field, labelSelector: label }).flatMap(([name, read]) =>
    read?.partial ? [`spec.resourceAttributes.${name} ${read.text ? "partially " : ""}ignored due to parse error`] : []
  );
  const attributes: AuthorizationAttributes = {
    ...base,
    isResource: true,
    verb: text(r.verb),
    group: text(r.group),
    version: text(r.version) || "*",
    resource: text(r.resource),
    subresource: text(r.subresource),
    namespace: text(r.namespace),
    name: text(r.name),
    ...(field?.text ? { fieldSelector: field.text } : {}),
    ...(label?.text ? { labelSelector: label.text } : {}),
  };
  return { attributes, faults };
}

const given = (entries: Record<string, string>) =>
  Object.fromEntries(Object.entries(entries).filter(([, v]) => v !== ""));

function fieldRequirements(selector: string): JsonMap[] {
  return (attempt(() => parseFieldSelector(selector)) ?? []).map(({ field, op, value }) => ({
    key: field,
    operator: op === "=" ? "In" : "NotIn",
    values: [value],
  }));
}

const LABEL_NAMES: Readonly<Record<string, string>> = {
  "=": "In",
  "==": "In",
  "in": "In",
  "!=": "NotIn",
  "notin": "NotIn",
  "exists": "Exists",
  "!": "DoesNotExist",
};

function labelRequirements(selector: string): JsonMap[] {
  return (attempt(() => parseSelector(selector)) ?? []).flatMap((r) => {
    const operator = LABEL_NAMES[r.operator];
    return operator ? [{ key: r.key, operator, ...(r.values.length ? { values: [...r.values] } : {}) }] : [];
  });
}

/** The spec of a SubjectAccessReview (`v1`) that asks for the attributes. */
export function specOf(a: AuthorizationAttributes): JsonMap {
  const { name, uid, groups, extra } = a.user;
  const who: JsonMap = {
    ...given({ user: name, uid: uid ?? "" }),
    ...(groups.length ? { groups: [...groups] } : {}),
    ...(extra && Object.keys(extra).length ? { extra: extra as JsonMap } : {}),
  };
  if (!a.isResource) return { nonResourceAttributes: given({ path: a.path, verb: a.verb }), ...who };
  const { namespace, verb, group, version, resource, subresource } = a;
  const resourceAttributes: JsonMap = given({ namespace, verb, group, version, resource, subresource, name: a.name });
  const fields = a.fieldSelector ? fieldRequirements(a.fieldSelector) : [];
  const labels = a.labelSelector ? labelRequirements(a.labelSelector) : [];
  if (fields.length) resourceAttributes.fieldSelector = { requirements: fields };
  if (labels.length) resourceAttributes.labelSelector = { requirements: labels };
  return { resourceAttributes, ...who };
}
