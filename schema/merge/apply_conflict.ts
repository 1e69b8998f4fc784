/** The refusal of an apply that would change fields of other managers (specification, "Errors", 409). */
import { type Cause, StatusError } from "../status.ts";
import { compareElements, type Path, pathText } from "./fieldpath.ts";
import type { FieldSet } from "./fieldset.ts";
import type { Owner } from "./owners.ts";
import { compareUtf8 } from "../values/utf8.ts";

/** Fields that an owner holds and an apply would change. */
export interface Conflict {
  readonly owner: Owner;
  readonly fields: FieldSet;
}

/** 409 `Conflict`, with a cause `FieldManagerConflict` for each field and owner. */
export class ApplyConflict extends StatusError {
  readonly conflicts: readonly Conflict[];
  constructor(conflicts: readonly Conflict[]) {
    const sorted = [...conflicts].sort((a, b) => compareUtf8(a.owner.manager, b.owner.manager));
    const causes = sorted.flatMap(causesOf);
    super(409, "Conflict", messageOf(sorted, causes.length), { causes });
    this.conflicts = sorted;
  }
}

/** In the order of clients: what is held at a level, then what is held below it. */
function fieldTexts(fields: FieldSet): string[] {
  return pathsOf(fields, []).map(pathText);
}

function pathsOf(fields: FieldSet, above: Path): Path[] {
  const nodes = [...fields.nodes].sort(([a], [b]) => compareElements(a, b));
  const held = nodes.filter(([, node]) => node.member).map(([element]) => [...above, element]);
  return [
    ...held,
    ...nodes.flatMap(([element, { children }]) => children ? pathsOf(children, [...above, element]) : []),
  ];
}

function causesOf({ owner, fields }: Conflict): Cause[] {
  const message = `conflict with ${ownerText(owner)}`;
  return fieldTexts(fields).map((field) => ({ reason: "FieldManagerConflict", message, field }));
}

/** One conflict on one line, several as a list by owner: as clients show them. */
function messageOf(conflicts: readonly Conflict[], count: number): string {
  const [first] = conflicts;
  if (count === 1 && first) {
    return `Apply failed with 1 conflict: conflict with ${ownerText(first.owner)}: ${fieldTexts(first.fields)[0]}`;
  }
  const lists = conflicts.map(({ owner, fields }) =>
    [`conflicts with ${ownerText(owner)}:`, ...fieldTexts(fields).map((field) => `- ${field}`)].join("\n")
  );
  return `Apply failed with ${count} conflicts: ${lists.join("\n")}`;
}

/** `"m1"`, `"m1" with subresource "status" using apps/v1`. */
function ownerText(o: Owner): string {
  const sub = o.subresource ? ` with subresource ${JSON.stringify(o.subresource)}` : "";
  const using = o.operation === "Update" ? ` using ${o.apiVersion}` : "";
  return JSON.stringify(o.manager) + sub + using;
}
