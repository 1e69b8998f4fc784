/**
 * Rules of a definition's spec. What all versions have in common is checked once and its causes stand at the spec, as the
 * first version of the API had it.
 */
import { dnsSubdomain } from "../checks/formats.ts";
import type { Cause } from "../../status.ts";
import { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { isSet, items, same, type Tree } from "../tree.ts";
import { conversion } from "./conversion.ts";
import { columns, deprecation, label, names, selectableCount, selectableFields, subresources } from "./names.ts";
import { hasLooseSet, keyMembers, openApiSchema, type SchemaOptions } from "./open_api.ts";
import { anySchema, hasDefault } from "./schema_tree.ts";
import { isStructural, structural, unsupported } from "./structural.ts";
import { defaults } from "./schema_defaults.ts";

const SPEC = Path.of("spec"), VERSIONS = SPEC.child("versions"), NAMES = SPEC.child("names");
const SCOPES = ["Cluster", "Namespaced"], TYPES = ["string", "number", "integer", "boolean", "array", "object"];
const SHARED = ["schema", "subresources", "additionalPrinterColumns", "selectableFields"] as const;
const EXTENSIONS = [
  "x-kubernetes-embedded-resource",
  "x-kubernetes-int-or-string",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-list-type",
  "x-kubernetes-validations",
];
/** What a schema's root may say when the status is a subresource: the rest would be lost on its part. */
const AT_ROOT = new Set([
  "description",
  "type",
  "format",
  "title",
  "maximum",
  "exclusiveMaximum",
  "minimum",
  "exclusiveMinimum",
  "maxLength",
  "minLength",
  "pattern",
  "maxItems",
  "minItems",
  "uniqueItems",
  "multipleOf",
  "required",
  "items",
  "properties",
  "externalDocs",
  "example",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-validations",
]);

/** What reads the expressions of structural schemas. */
export interface Expressions {
  /** Tells of defaults that break rules; `form`: what is wrong with defaults otherwise. */
  defaults(s: Tree, path: Path, form: ErrorList, errors: ErrorList): void;
  /** Tells what is wrong with rules, but of the schemas that are `unsound`; `kept`: the version has the schema already, or all had it. */
  rules(s: Tree, path: Path, unsound: ReadonlySet<Tree>, kept: boolean, errors: ErrorList): void;
}

/** How schemas are checked. */
interface Options extends SchemaOptions {
  readonly structural: boolean;
  readonly expressions: Expressions | undefined;
}

const schemaOf = (v: Tree): Tree | undefined => v["schema"]?.openAPIV3Schema ?? undefined;
const schemas = (spec: Tree | undefined): Tree[] => items(spec?.["versions"]).flatMap((v) => schemaOf(v) ?? []);
const anywhere = (spec: Tree | undefined, is: (s: Tree) => boolean): boolean =>
  schemas(spec).some((s) => anySchema(s, is));

const hasUnknownType = (s: Tree) => !!s["type"] && !TYPES.includes(s["type"]);
const hasExtension = (s: Tree) =>
  isSet(s["x-kubernetes-preserve-unknown-fields"]) ||
  EXTENSIONS.some((m) => Array.isArray(s[m]) ? s[m].length > 0 : !!s[m]);

function hasUnsoundKeys(s: Tree): boolean {
  const found = new ErrorList();
  keyMembers(s, SPEC, found);
  return !found.empty;
}

function optionsOf(spec: Tree, old: Tree | undefined, expressions: Expressions | undefined): Options {
  return {
    expressions,
    structural: !spec["preserveUnknownFields"] || !schemas(old).some((s) => !isStructural(s)) ||
      anywhere(spec, (s) => hasDefault(s) || hasExtension(s)),
    knownTypes: !anywhere(old, hasUnknownType),
    atomicSets: !anywhere(old, hasLooseSet),
    soundMaps: !anywhere(old, hasUnsoundKeys),
  };
}

/** Which parts all versions have in common. */
function sharedParts(versions: readonly Tree[]): ReadonlySet<string> {
  const first = versions[0];
  return new Set(first ? SHARED.filter((m) => versions.every((v) => same(v[m], first[m]))) : []);
}

/** Checks the spec; `old`: the stored one. `isBundle`: as of {@linkcode conversion}. */
export function definitionSpec(
  spec: Tree,
  old: Tree | undefined,
  errors: ErrorList,
  isBundle?: (base64: string) => boolean,
  expressions?: Expressions,
): void {
  const versions = items(spec["versions"]), o = optionsOf(spec, old, expressions), shared = sharedParts(versions);
  const preserve = !!spec["preserveUnknownFields"], before = storedVersions(items(old?.["versions"]));
  group(spec["group"] ?? "", errors);
  if (!spec["scope"]) errors.required(SPEC.child("scope"));
  else if (!SCOPES.includes(spec["scope"])) errors.notSupported(SPEC.child("scope"), spec["scope"], SCOPES);
  neededSchemas(spec, old, errors);
  if (preserve && anywhere(spec, hasDefault)) {
    errors.invalid(SPEC.child("preserveUnknownFields"), true, "must be false with defaults in schemas");
  }
  for (const [i, v] of versions.entries()) {
    const at = VERSIONS.index(i);
    label(v["name"] ?? "", at.child("name"), errors);
    deprecation(v, at, errors);
    parts(v, at, at, (m) => !shared.has(m), hasStatus(v), before, o, errors);
  }
  versionList(versions, errors);
  for (const m of ["plural", "singular", "kind", "listKind"]) if (!spec["names"]?.[m]) errors.required(NAMES.child(m));
  names(spec["names"] ?? {}, NAMES, errors);
  const first = versions[0];
  if (first) parts(first, SPEC, SPEC, (m) => shared.has(m), versions.some(hasStatus), before, o, errors);
  conversion(spec["conversion"], preserve, old?.["conversion"], errors, isBundle);
}

function group(name: string, errors: ErrorList): void {
  const at = SPEC.child("group"), faults = name ? dnsSubdomain(name) : [];
  if (!name) errors.required(at);
  else if (faults.length) errors.invalid(at, name, faults.join(", "));
  else if (!name.includes(".")) errors.invalid(at, name, "must be a domain with at least one dot");
}

/** Each version has a schema, unless the stored definition already lacks one: then the served ones must have it. */
function neededSchemas(spec: Tree, old: Tree | undefined, errors: ErrorList): void {
  const all = !items(old?.["versions"]).some((v) => !schemaOf(v));
  for (const [i, v] of items(spec["versions"]).entries()) {
    const needed = all || (!spec["preserveUnknownFields"] && v["served"]);
    if (needed && !schemaOf(v)) errors.required(VERSIONS.index(i).child("schema", "openAPIV3Schema"));
  }
}

function versionList(versions: readonly Tree[], errors: ErrorList): void {
  const list = versions.map((v) => v["name"] ?? ""), first = list[0];
  if (new Set(list).size < list.length) errors.invalid(VERSIONS, list, "must have different names");
  if (versions.filter((v) => v["storage"]).length !== 1) {
    errors.invalid(VERSIONS, list, "must have one storage version");
  }
  if (first) label(first, SPEC.child("version"), errors);
}

const hasStatus = (v: Tree): boolean => isSet(v["subresources"]?.status);

/** The versions of the stored definition. */
interface StoredVersions {
  readonly byName: ReadonlyMap<string, Tree>;
  /** One of them, where all have one schema. */
  readonly alike: Tree | undefined;
}

const storedVersions = (list: readonly Tree[]): StoredVersions => ({
  byName: new Map(list.toReversed().map((v) => [v["name"], v])),
  alike: sharedParts(list).has("schema") ? list[0] : undefined,
});

/** Those parts of a version that are to be checked at a place. */
function parts(
  v: Tree,
  path: Path,
  schemaPath: Path,
  which: (m: string) => boolean,
  status: boolean,
  before: StoredVersions,
  o: Options,
  errors: ErrorList,
): void {
  const schema = schemaOf(v), top = path === SPEC, was = before.byName.get(v["name"]);
  if (which("schema") && schema) {
    const stored = was ?? before.alike;
    const kept = !!stored && same(schemaOf(stored), schema);
    schemaRules(schema, schemaPath.child(top ? "validation" : "schema"), status, kept, o, errors);
  }
  if (which("subresources")) subresources(v["subresources"], path.child("subresources"), errors);
  if (which("additionalPrinterColumns")) {
    columns(v["additionalPrinterColumns"], path.child("additionalPrinterColumns"), errors);
  }
  const fields = items(v["selectableFields"]), at = path.child("selectableFields");
  if (!which("selectableFields") || !fields.length) return;
  // A schema that all versions have in common stands elsewhere.
  if (!schema || !which("schema")) return errors.invalid(at, "", "must not be set without a schema in the same place");
  const many = !!was && selectableCount(was) > 8 && same(was["selectableFields"], fields);
  selectableFields(fields, schema, at, errors, many);
}

/** A version's schema. */
function schemaRules(
  s: Tree,
  path: Path,
  status: boolean,
  kept: boolean,
  o: Options,
  errors: ErrorList,
): void {
  const found = new ErrorList(), at = path.child("openAPIV3Schema");
  if (status) rootMembers(s, path, found);
  if (s["nullable"]) found.forbidden(path.child("openAPIV3Schema.nullable"), "must not be true at the root");
  const why = o.structural ? unsupported(s) : undefined;
  const sound = o.structural && !why && soundStructure(s, at, found, o.expressions);
  const unsound = openApiSchema(s, at, found, o);
  if (sound) o.expressions?.rules(s, at, unsound, kept, found);
  if (why && found.empty) found.invalid(at, "", why);
  errors.take(found.causes);
}

const textOf = (c: Cause): string => `${c.field}: ${c.message}`;

/** Whether a schema is structural, with good defaults. What keeps it from being structural is told in the order of places. */
function soundStructure(s: Tree, at: Path, errors: ErrorList, expressions: Expressions | undefined): boolean {
  const found = new ErrorList();
  structural(s, at, found);
  found.causes.sort((a, b) => textOf(a) < textOf(b) ? -1 : 1);
  if (found.empty) {
    const form = new ErrorList();
    defaults(s, at, form, true);
    found.take(form.causes);
    expressions?.defaults(s, at, form, found);
  }
  errors.take(found.causes);
  return found.empty;
}

/** Members that are as good as absent when they are empty or false. */
const TEXTS = new Set(["$schema", "description", "format", "id", "pattern", "title", "type"]);
const FLAGS = new Set([
  "exclusiveMaximum",
  "exclusiveMinimum",
  "nullable",
  "uniqueItems",
  "x-kubernetes-embedded-resource",
  "x-kubernetes-int-or-string",
]);

function rootMembers(s: Tree, path: Path, errors: ErrorList): void {
  const set = Object.keys(s).filter((m) =>
    isSet(s[m]) && !(s[m] === "" && TEXTS.has(m)) && !(s[m] === false && FLAGS.has(m))
  );
  if (s["type"] && s["type"] !== "object" && !set.some((m) => m === "id" || m.startsWith("$"))) {
    return errors.invalid(path.child("openAPIV3Schema.type"), s["type"], "must be object with a status subresource");
  }
  if (set.some((m) => !AT_ROOT.has(m))) {
    errors.invalid(path.child("openAPIV3Schema"), set, "must not say more at the root with a status subresource");
  }
}
