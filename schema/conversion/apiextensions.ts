/** Custom resource definitions of v1beta1: what all versions share stands once, beside them. The public server stores this form. */
import { jsonEqual } from "../merge/equal.ts";
import { isMap } from "../model/members.ts";
import type { Json, JsonMap } from "../model/types.ts";
import { edit, inverse, present, rename, type ShapeTable } from "./types.ts";

/** Members that stand at the spec where all versions share them → their name in a version of the hub. */
const HOISTED: Readonly<Record<string, string>> = {
  validation: "schema",
  subresources: "subresources",
  additionalPrinterColumns: "additionalPrinterColumns",
  selectableFields: "selectableFields",
};
const OF_VERSION = inverse(HOISTED);
const COLUMN = { JSONPath: "jsonPath" };
const PATH = inverse(COLUMN);
const COLUMNS = ["additionalPrinterColumns", "*"];

const versionsOf = (spec: JsonMap): JsonMap[] => Array.isArray(spec.versions) ? spec.versions.filter(isMap) : [];

function conversionToHub({ webhookClientConfig, conversionReviewVersions, ...rest }: JsonMap): JsonMap {
  if (rest.strategy !== "Webhook") return rest;
  return { ...rest, webhook: present({ clientConfig: webhookClientConfig, conversionReviewVersions }) };
}

function conversionFromHub({ webhook, ...rest }: JsonMap): JsonMap {
  if (!isMap(webhook)) return rest;
  const { clientConfig: webhookClientConfig, conversionReviewVersions } = webhook;
  return { ...rest, ...present({ webhookClientConfig, conversionReviewVersions }) };
}

/** Which fields are kept that no schema names: all, where nothing is said. */
function specToHub({ version, preserveUnknownFields = true, ...spec }: JsonMap): JsonMap {
  const shared = present(Object.fromEntries(Object.entries(HOISTED).map(([at, own]) => [own, spec[at]])));
  const own = versionsOf(spec);
  const all = own.length || !version ? own : [{ name: version, served: true, storage: true }];
  const rest = Object.fromEntries(Object.entries(spec).filter(([name]) => !Object.hasOwn(HOISTED, name)));
  const versions = all.map((v) => edit({ ...v, ...shared }, COLUMNS, (column) => rename(column, COLUMN)));
  return edit(
    { ...rest, versions, ...(preserveUnknownFields ? { preserveUnknownFields } : {}) },
    ["conversion"],
    conversionToHub,
  );
}

/** The value that every version has, if it is one. */
function sharedBy(versions: readonly JsonMap[], name: string): Json | undefined {
  const [first, ...others] = versions.map((v) => v[name]);
  return others.every((o) => jsonEqual(first, o)) ? first : undefined;
}

function specFromHub({ preserveUnknownFields = false, ...spec }: JsonMap): JsonMap {
  const all = versionsOf(spec).map((v) => edit(v, COLUMNS, (column) => rename(column, PATH)));
  const shared = present(Object.fromEntries(Object.keys(OF_VERSION).map((name) => [name, sharedBy(all, name)])));
  const versions = all.map((v) =>
    Object.fromEntries(Object.entries(v).filter(([name]) => !Object.hasOwn(shared, name)))
  );
  return edit(
    { ...spec, ...present({ version: all[0]?.name }), ...rename(shared, OF_VERSION), versions, preserveUnknownFields },
    ["conversion"],
    conversionFromHub,
  );
}

/** Rows of the group of definitions. */
export const DEFINITIONS: ShapeTable = {
  "apiextensions.k8s.io/v1beta1 CustomResourceDefinition": {
    toHub: (o) => edit(o, ["spec"], specToHub),
    fromHub: (o) => edit(o, ["spec"], specFromHub),
  },
};
