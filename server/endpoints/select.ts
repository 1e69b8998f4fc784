/** Selectors of list, watch and deletecollection, compiled to one test over a cache entry. */
import { parseFieldSelector } from "../../schema/values/fields.ts";
import { formatSelector, labelTest, parseSelector, type Requirement } from "../../schema/values/labels.ts";
import { ValueError } from "../../schema/values/error.ts";
import { badRequest } from "../../schema/status.ts";
import type { Entry, FieldMatch } from "../cache/mod.ts";
import { stepsOf, valueAt } from "../../schema/customresources/mod.ts";
import type { Obj } from "../../schema/model/types.ts";
import type { ServedResource } from "../catalog/types.ts";
import { fieldNamed, isSelectable, selectableFields, valueText } from "../registry/fields.ts";
import { type Shard, shardMatches } from "./shard.ts";

/** What selectors look at: of an entry, or of an object that is made up for a list. */
export type Selectable = Pick<Entry, "name" | "namespace" | "uid" | "labels" | "fields">;

/** What a request selects. */
export interface Selection {
  /** Undefined: everything. */
  readonly matches: ((e: Selectable) => boolean) | undefined;
  /**
   * What is left to be asked of objects in the version of the request, where making that takes a call. Undefined: nothing.
   */
  readonly converted: ((object: Obj) => boolean) | undefined;
  /** The one name that can match. Of a watch by its path it is asked for beside {@linkcode matches}. */
  readonly name: string | undefined;
  /** One field that must have a value, for the cache's index. */
  readonly field: FieldMatch | undefined;
  /** One label that must have a value, for the same. */
  readonly label: FieldMatch | undefined;
  /** Selects by label, field or shard: counts of what remains are not given. */
  readonly selective: boolean;
  /** Names what {@linkcode matches} asks; equal texts ask the same. */
  readonly key: string;
}

/**
 * Compiles selectors.
 * @throws StatusError 400 for one that cannot be read or a field that cannot be selected by
 */
export function selection(
  served: ServedResource,
  text: { labelSelector: string; fieldSelector: string },
  name = "",
  shard?: Shard,
): Selection {
  const labels = labelRequirements(text.labelSelector);
  const fields = fieldTerms(served, text.fieldSelector);
  const pinned = fields.find((f) => f.field === "metadata.name" && f.op === "=")?.value;
  if (name !== "" && fields.length > 0 && pinned !== name) {
    throw badRequest("fieldSelector metadata.name doesn't match requested name");
  }
  const tests: ((e: Selectable) => boolean)[] = [];
  if (labels.length > 0) {
    const labelled = labelTest(labels);
    tests.push((e) => labelled(e.labels));
  }
  const later = served.kind.custom?.converter ? fields.filter((f) => !f.field.startsWith("metadata.")) : [];
  for (const f of fields) if (!later.includes(f)) tests.push(fieldTest(f));
  if (shard) tests.push((e) => shardMatches(shard, e));
  const indexed = later.length > 0 ? undefined : fields.find((f) => f.op === "=" && !f.field.startsWith("metadata."));
  return {
    matches: tests.length === 0 ? undefined : tests.length === 1 ? tests[0]! : (e) => tests.every((t) => t(e)),
    converted: later.length > 0 ? objectTest(later) : undefined,
    name: name || pinned,
    field: indexed && { name: indexed.field, value: indexed.value },
    label: labels.map(labelMatch).find((match) => match !== undefined),
    selective: labels.length > 0 || fields.length > 0 || shard !== undefined,
    key: [formatSelector(labels), text.fieldSelector, shard?.text ?? ""].join("\n"),
  };
}

/** The value that a requirement asks of its label, if it is one. */
function labelMatch({ key: name, operator, values }: Requirement): FieldMatch | undefined {
  const one = operator === "=" || operator === "==" || operator === "in";
  return one && values.length === 1 ? { name, value: values[0]! } : undefined;
}

interface Term {
  readonly field: string;
  readonly op: "=" | "!=";
  readonly value: string;
}

function labelRequirements(text: string): Requirement[] {
  if (text === "") return [];
  try {
    return parseSelector(text);
  } catch (e) {
    throw e instanceof ValueError ? badRequest(e.message) : e;
  }
}

function fieldTerms(served: ServedResource, text: string): readonly Term[] {
  if (text === "") return [];
  let terms: readonly Term[];
  try {
    terms = parseFieldSelector(text).map((t) => ({ ...t, field: fieldNamed(served.resource.id, t.field) }));
  } catch (e) {
    throw e instanceof ValueError ? badRequest(e.message) : e;
  }
  for (const { field } of terms) {
    if (!isSelectable(served, field)) throw badRequest(notSelectable(served, field));
  }
  return terms;
}

function notSelectable({ resource, kind }: ServedResource, field: string): string {
  if (kind.custom || resource.selectable || selectableFields(resource.id).length > 0) {
    return `field label not supported: ${field}`;
  }
  return `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

function fieldTest({ field, op, value }: Term): (e: Selectable) => boolean {
  const equal = op === "=";
  if (field === "metadata.name") return (e) => (e.name === value) === equal;
  if (field === "metadata.namespace") return (e) => (e.namespace === value) === equal;
  return (e) => ((e.fields[field] ?? "") === value) === equal;
}

/** All terms, asked of an object itself. */
function objectTest(terms: readonly Term[]): (object: Obj) => boolean {
  const rows = terms.map(({ field, op, value }) => ({ steps: stepsOf(field), equal: op === "=", value }));
  return (object) => rows.every((r) => (valueText(valueAt(object, r.steps)) === r.value) === r.equal);
}
