/** The refusal of an apply that would change fields of other managers (specification, "Errors", 409). */
import { type Cause, StatusError } from "../status.ts";
import { compareElements, pathText } from "./fieldpath.ts";
import type { FieldSet } from "./fieldset.ts";
import type { Owner } from "./owners.ts";
import { compareUtf8 } from "../values/utf8.ts";

/** Fields that an owner holds and an apply would change. */
export interface Conflict {
  readonly owner: Owner;
  readonly fields: FieldSet;
}

/** Fields that a refusal names, and characters of their paths: a body of 3 MiB may have a hundred thousand, each deep. */
const MOST_FIELDS = 1000, MOST_TEXT = 1 << 20;

/** 409 `Conflict`, with a cause `FieldManagerConflict` for each field and owner. Of many the first are named, the others counted. */
export class ApplyConflict extends StatusError {
  readonly conflicts: readonly Conflict[];
  constructor(conflicts: readonly Conflict[]) {
    const sorted = [...conflicts].sort((a, b) => compareUtf8(a.owner.manager, b.owner.manager));
    const named = namedOf(sorted), count = sorted.reduce((n, { fields }) => n + fields.size, 0);
    super(409, "Conflict", messageOf(named, count), { causes: named.flatMap(causesOf) });
    this.conflicts = sorted;
  }
}

/** Fields of one owner that are named. */
interface Named {
  /** As texts show it. */
  readonly owner: string;
  readonly fields: readonly string[];
}

function namedOf(conflicts: readonly Conflict[]): Named[] {
  let count = 0, size = 0;
  return conflicts.flatMap(({ owner, fields }) => {
    const texts: string[] = [];
    for (const text of fieldTexts(fields, "")) {
      if (count >= MOST_FIELDS || size > MOST_TEXT) break;
      count++;
      size += text.length;
      texts.push(text);
    }
    return texts.length > 0 ? [{ owner: ownerText(owner), fields: texts }] : [];
  });
}

/** In the order of clients: what is held at a level, then what is held below it. */
function* fieldTexts(fields: FieldSet, above: string): Generator<string> {
  const nodes = [...fields.nodes].sort(([a], [b]) => compareElements(a, b));
  for (const [element, { member }] of nodes) if (member) yield above + pathText([element]);
  for (const [element, { children }] of nodes) if (children) yield* fieldTexts(children, above + pathText([element]));
}

const causesOf = ({ owner, fields }: Named): Cause[] =>
  fields.map((field) => ({ reason: "FieldManagerConflict", message: `conflict with ${owner}`, field }));

/** One conflict on one line, several as a list by owner: as clients show them. */
function messageOf(named: readonly Named[], count: number): string {
  const [first] = named;
  if (count === 1 && first) {
    return `Apply failed with 1 conflict: conflict with ${first.owner}: ${first.fields[0]}`;
  }
  const lists = named.flatMap((
    { owner, fields },
  ) => [`conflicts with ${owner}:`, ...fields.map((text) => `- ${text}`)]);
  const more = count - named.reduce((n, { fields }) => n + fields.length, 0);
  return `Apply failed with ${count} conflicts: ${[...lists, ...more > 0 ? [`and ${more} more`] : []].join("\n")}`;
}

/** `"m1"`, `"m1" with subresource "status" using apps/v1`. */
function ownerText(o: Owner): string {
  const sub = o.subresource ? ` with subresource ${JSON.stringify(o.subresource)}` : "";
  const using = o.operation === "Update" ? ` using ${o.apiVersion}` : "";
  return JSON.stringify(o.manager) + sub + using;
}
