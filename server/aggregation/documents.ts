/** What extension servers say that they serve: read from aggregated discovery, or from their documents of old. */
import type { JsonMap } from "../../schema/model/types.ts";
import type { Reach, Told } from "./reach.ts";
import type { Registration } from "./registrations.ts";

/** A group version as aggregated discovery has it, without its freshness. */
export interface VersionDocument {
  readonly version: string;
  readonly resources?: readonly JsonMap[];
}

/** What was read last, to be asked for again. */
export interface Fetched {
  readonly document: VersionDocument;
  /** Of the aggregated document; empty: there is none. */
  readonly etag: string;
}

/** Within this time a server says what it serves, ms. */
const LIMIT_MS = 5000;
const GROUPS = ["apidiscovery.k8s.io", "apidiscovery.orch.io"];
const VERSIONS = ["v2", "v2beta1"];

/** Asks for what a server serves in its group version. @throws Error when it does not say, NoAddress */
export async function fetchDocument(
  reach: Reach,
  registration: Registration,
  group: string,
  last: Fetched | undefined,
): Promise<Fetched> {
  // Servers of either dialect stand behind servers of either.
  const types = VERSIONS.flatMap((v) =>
    new Set([group, ...GROUPS]).values().map((g) => `application/json;g=${g};v=${v};as=APIGroupDiscoveryList`).toArray()
  );
  const known = last?.etag ? [["if-none-match", last.etag] as const] : [];
  const told = await reach.ask(registration, "/apis", [["accept", types.join(",")], ...known], LIMIT_MS);
  if (told.status === 304 && last) return last;
  if (told.status === 503) throw new Error("the service answered 503");
  if (told.status === 200 && isAggregated(told)) {
    return {
      document: fromAggregated(JSON.parse(told.text), registration),
      etag: told.headers.get("etag") ?? "",
    };
  }
  return { document: await fetchList(reach, registration), etag: "" };
}

function isAggregated({ headers }: Told): boolean {
  const [type, ...parameters] = (headers.get("content-type") ?? "").split(";").map((p) => p.trim());
  const of = new Map(parameters.map((p) => p.split("=", 2) as [string, string]));
  return type === "application/json" && of.get("as") === "APIGroupDiscoveryList" &&
    GROUPS.includes(of.get("g") ?? "") && VERSIONS.includes(of.get("v") ?? "");
}

const list = (value: unknown): JsonMap[] => Array.isArray(value) ? value as JsonMap[] : [];

function fromAggregated(document: JsonMap, { group, version }: Registration): VersionDocument {
  const own = list(document["items"]).find((g) => (g["metadata"] as JsonMap | undefined)?.["name"] === group);
  const found = list(own?.["versions"]).find((v) => v["version"] === version);
  const resources = list(found?.["resources"]).map(whole);
  return { version, ...(resources.length ? { resources } : {}) };
}

/** A resource with its parts. @throws Error for a member of another type */
const whole = (row: JsonMap): JsonMap => ({
  ...known(row),
  ...(row["subresources"] ? { subresources: list(row["subresources"]).map(known) } : {}),
});

const isText = (value: unknown): boolean => typeof value === "string";
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isKind = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.values(value).every(isText);
const areKinds = (value: unknown): boolean => Array.isArray(value) && value.every(isKind);

/** Members of resources and their parts, and what they must be: all clients are given them, beside those of other servers. */
const MEMBERS: Readonly<Record<string, (value: unknown) => boolean>> = {
  resource: isText,
  subresource: isText,
  responseKind: isKind,
  scope: isText,
  singularResource: isText,
  verbs: areTexts,
  shortNames: areTexts,
  categories: areTexts,
  acceptedTypes: areKinds,
};

/** The members that are known. @throws Error for one of another type */
function known(row: JsonMap): JsonMap {
  const out: JsonMap = {};
  for (const [member, fits] of Object.entries(MEMBERS)) {
    const value = row[member] ?? null;
    if (value === null) continue;
    if (!fits(value)) throw new Error(`discovery has a ${member} of another type`);
    out[member] = value;
  }
  // Clients of old look into kinds that are not there.
  out["responseKind"] ??= NO_KIND;
  return out;
}

const NO_KIND: JsonMap = { group: "", version: "", kind: "" };

async function fetchList(reach: Reach, registration: Registration): Promise<VersionDocument> {
  const { group, version } = registration, path = `/apis/${group}/${version}`;
  const { status, text } = await reach.ask(registration, path, [["accept", "application/json"]], LIMIT_MS);
  if (status !== 200) throw new Error(`${path} was answered with ${status}`);
  const resources = fromList(list((JSON.parse(text) as JsonMap)["resources"])).map(whole);
  return { version, ...(resources.length ? { resources } : {}) };
}

/** A resource whose subresources are still to come. */
type Parent = JsonMap & { subresources?: JsonMap[] };

/** Resources of a list of old. @throws Error when a part is of another scope than what it is a part of */
export function fromList(rows: readonly JsonMap[]): JsonMap[] {
  const parents = new Map<string, Parent>();
  for (const row of rows) if (!nameOf(row).includes("/")) parents.set(nameOf(row), resourceOf(row));
  for (const row of rows) {
    const [name = "", ...rest] = nameOf(row).split("/");
    if (rest.length === 0) continue;
    const parent: Parent = parents.get(name) ?? { resource: name, responseKind: NO_KIND, scope: scopeOf(row) };
    parents.set(name, parent);
    if (parent["scope"] !== scopeOf(row)) throw new Error(`${nameOf(row)} is of another scope than ${name}`);
    (parent.subresources ??= []).push({
      subresource: rest.join("/"),
      responseKind: kindOf(row),
      verbs: (row["verbs"] ?? []) as string[],
    });
  }
  return [...parents.values()];
}

const nameOf = (row: JsonMap): string => String(row["name"] ?? "");
const scopeOf = (row: JsonMap): string => row["namespaced"] === true ? "Namespaced" : "Cluster";
const kindOf = (row: JsonMap): JsonMap => ({
  group: row["group"] ?? "",
  version: row["version"] ?? "",
  kind: row["kind"] ?? "",
});

function resourceOf(row: JsonMap): Parent {
  const some = (name: string) => list(row[name]).length ? { [name]: row[name]! } : {};
  return {
    resource: nameOf(row),
    responseKind: kindOf(row),
    scope: scopeOf(row),
    singularResource: String(row["singularName"] ?? ""),
    verbs: (row["verbs"] ?? []) as string[],
    ...some("shortNames"),
    ...some("categories"),
  };
}
