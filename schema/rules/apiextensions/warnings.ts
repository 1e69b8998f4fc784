/** What authors of definitions are told: formats that nobody checks, and sets of more than single values. */
import type { Obj } from "../../model/types.ts";
import { items, type Tree } from "../tree.ts";
import { below, isSchema } from "./schema_tree.ts";

/** Formats of texts, without the dashes that all of them may have. */
const TEXT_FORMATS = new Set(
  ("bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn hexcolor " +
    "rgbcolor byte password date duration datetime k8sshortname k8slongname").split(" "),
);
const NUMBER_FORMATS: ReadonlyMap<string, readonly string[]> = new Map([
  ["integer", ["int32", "int64"]],
  ["number", ["float", "double"]],
]);

function isKnown(format: string, type: string): boolean {
  if (!type || type === "string") return TEXT_FORMATS.has(format.replaceAll("-", ""));
  return NUMBER_FORMATS.get(type)?.includes(format) ?? false;
}

function collect(s: Tree, formats: string[], sets: Set<string>): void {
  if (s["format"] && !isKnown(s["format"], s["type"] ?? "")) formats.push(s["format"]);
  const item = s["x-kubernetes-list-type"] === "set" && isSchema(s["items"]) ? s["items"]["type"] : undefined;
  if (item === "object" || item === "array") sets.add(item);
  for (const b of below(s)) collect(b, formats, sets);
}

function findings(obj: Obj | undefined): { formats: string[]; sets: Set<string> } {
  const formats: string[] = [], sets = new Set<string>();
  for (const v of items(obj?.["spec"]?.versions)) {
    if (v["schema"]?.openAPIV3Schema) collect(v["schema"].openAPIV3Schema, formats, sets);
  }
  return { formats, sets };
}

/** Warnings of what the stored definition does not have yet. */
export function definitionWarnings(obj: Obj, old: Obj | undefined): string[] {
  const now = findings(obj), was = findings(old), before = new Set(was.formats);
  return [
    ...now.formats.filter((f) => !before.has(f)).map((f) => `unrecognized format ${JSON.stringify(f)}`),
    ...[...now.sets].filter((t) => !was.sets.has(t)).sort().map((t) =>
      `x-kubernetes-list-type: set for items of type "${t}" is not supported by server-side apply or CEL validation rules`
    ),
  ];
}
