/** The annotation that client-side apply keeps, when its user goes over to server-side apply. */
import { parseJson } from "../codec/json.ts";
import { isMap, member } from "../model/members.ts";
import type { JsonMap } from "../model/types.ts";
import { ApplyConflict } from "./apply_conflict.ts";
import { compareTyped } from "./compare.ts";
import { fieldSetOf } from "./field_set_of.ts";
import { jsonText } from "./fieldpath.ts";
import type { FieldSet } from "./fieldset.ts";
import type { Versioned } from "./_updater.ts";
import { typedErrors } from "./validate_typed.ts";

/** The manager for which the annotation is heeded. */
export const CLIENT = "kubectl";
/** Public name of the annotation. */
export const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
/** Most bytes of all annotations together. */
const ANNOTATIONS_MAX = 256 * 1024;
const utf8 = new TextEncoder();

/** The annotation's text; empty when there is none. */
export function lastApplied(object: JsonMap, annotation: string): string {
  const metadata = member(object, "metadata");
  const annotations = isMap(metadata) ? member(metadata, "annotations") : undefined;
  const text = isMap(annotations) ? member(annotations, annotation) : undefined;
  return typeof text === "string" ? text : "";
}

/**
 * What is left of a conflict when fields that the client itself applied before, and nobody changed since, are its own;
 * undefined when nothing is left.
 */
export function conflictBeyondLastApplied(
  e: ApplyConflict,
  live: Versioned,
  annotation: string,
): ApplyConflict | undefined {
  const own = fieldsOfLastApplied(live, annotation);
  if (!own) return e;
  const rest = e.conflicts.map((c) => ({ owner: c.owner, fields: c.fields.difference(own) })).filter((c) =>
    !c.fields.empty
  );
  return rest.length ? new ApplyConflict(rest) : undefined;
}

function fieldsOfLastApplied(live: Versioned, annotation: string): FieldSet | undefined {
  const config = parse(lastApplied(live.value, annotation));
  if (!config || config.apiVersion !== live.apiVersion || typedErrors(live.atom, config).length) return undefined;
  const changed = compareTyped(live.atom, config, live.value);
  return fieldSetOf(live.atom, config).difference(changed.modified).difference(changed.added).difference(
    changed.removed,
  );
}

function parse(text: string): JsonMap | undefined {
  try {
    const { tree } = parseJson(text);
    return isMap(tree) ? tree : undefined;
  } catch {
    return undefined;
  }
}

/** The object with the annotation telling the configuration just applied, or without it when annotations grow too large. */
export function withLastApplied(object: JsonMap, config: JsonMap, annotation: string): JsonMap {
  const metadata = object.metadata as JsonMap;
  const annotations: JsonMap = { ...metadata.annotations as JsonMap, [annotation]: textOf(config, annotation) };
  if (sizeOf(annotations) > ANNOTATIONS_MAX) delete annotations[annotation];
  return { ...object, metadata: { ...metadata, annotations } };
}

function sizeOf(annotations: JsonMap): number {
  let size = 0;
  for (const [k, v] of Object.entries(annotations)) size += utf8.encode(k).length + utf8.encode(String(v)).length;
  return size;
}

function textOf(config: JsonMap, annotation: string): string {
  const metadata = member(config, "metadata");
  if (!isMap(metadata) || !isMap(metadata.annotations)) return jsonText(config) + "\n";
  const annotations = { ...metadata.annotations };
  delete annotations[annotation];
  return jsonText({ ...config, metadata: { ...metadata, annotations } }) + "\n";
}
