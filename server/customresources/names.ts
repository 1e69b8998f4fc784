/** Which names a definition gets: those that no other of its group has (specification, "Versioning": custom resources). */
import { aggregateText } from "../../schema/values/aggregate_text.ts";
import { type Condition, conditionOf, type Definition, holds, type Names, setCondition } from "./definition.ts";

/** Tells of a name whether another definition of the group has it. */
export interface Taken {
  resources(name: string): boolean;
  kinds(name: string): boolean;
}

/** Names of one value: where they are taken, and what is said when they are. */
const SINGLE = [
  ["plural", "resources", "PluralConflict"],
  ["singular", "resources", "SingularConflict"],
  ["kind", "kinds", "KindConflict"],
  ["listKind", "kinds", "ListKindConflict"],
] as const;

const inUse = (name: string): string => `${JSON.stringify(name)} is already in use`;

/** Names that can be had, and the conflict, when there is one. */
function accept(d: Definition, taken: Taken): { names: Partial<Names>; conflict: Condition | undefined } {
  const wanted = d.spec.names, had = d.status?.acceptedNames ?? {};
  const names: Partial<Names> = { ...had };
  let conflict: Condition | undefined;
  const refuse = (reason: string, message: string) =>
    conflict = { type: "NamesAccepted", status: "False", reason, message };
  for (const [name, set, reason] of SINGLE) {
    // The last conflict is the one that is told of; short names come before kinds.
    if (name === "kind") acceptShort(wanted, had, names, taken, refuse);
    const value = wanted[name] ?? "";
    if (value !== (had[name] ?? "") && taken[set](value)) refuse(reason, inUse(value));
    else names[name] = value;
  }
  assign(names, "categories", wanted.categories);
  return { names: ordered(names), conflict };
}

function acceptShort(
  wanted: Partial<Names>,
  had: Partial<Names>,
  names: Partial<Names>,
  taken: Taken,
  refuse: (reason: string, message: string) => void,
): void {
  const clash = (wanted.shortNames ?? []).filter((n) => !had.shortNames?.includes(n) && taken.resources(n));
  if (clash.length > 0) refuse("ShortNamesConflict", aggregateText(clash.map(inUse)));
  else assign(names, "shortNames", wanted.shortNames);
}

function assign(names: Partial<Names>, name: "shortNames" | "categories", value: string[] | undefined): void {
  if (value?.length) names[name] = [...value];
  else delete names[name];
}

const ORDER = ["plural", "singular", "shortNames", "kind", "listKind", "categories"] as const;

/** In declared order; the plural and the kind are always written. */
function ordered(names: Partial<Names>): Partial<Names> {
  const filled: Partial<Names> = { ...names, plural: names.plural ?? "", kind: names.kind ?? "" };
  const shown = ORDER.filter((n) => filled[n] !== undefined && (filled[n] !== "" || n === "plural" || n === "kind"));
  return Object.fromEntries(shown.map((n) => [n, filled[n]!]));
}

const ACCEPTED: Condition = {
  type: "NamesAccepted",
  status: "True",
  reason: "NoConflicts",
  message: "no conflicts found",
};
const ESTABLISHED: Condition = {
  type: "Established",
  status: "True",
  reason: "InitialNamesAccepted",
  message: "the initial names have been accepted",
};
const NOT_ACCEPTED: Condition = {
  type: "Established",
  status: "False",
  reason: "NotAccepted",
  message: "not all names are accepted",
};

const UNSOUND: Condition = {
  type: "Established",
  status: "False",
  reason: "InvalidCABundle",
  message: "the authorities of the conversion webhook are no certificates",
};

/**
 * Settles names and conditions of a definition, in place; what has been established stays so. `sound`: nothing but names
 * is in the way. `now`: RFC 3339.
 */
export function settleNames(d: Definition, taken: Taken, sound: boolean, now: string): void {
  const { names, conflict } = accept(d, taken);
  d.status ??= {};
  d.status.acceptedNames = names;
  setCondition(d, conflict ?? ACCEPTED, now);
  if (holds(d, "Established")) return;
  if (!conflict) setCondition(d, sound ? ESTABLISHED : UNSOUND, now);
  else if (!conditionOf(d, "Established")) setCondition(d, NOT_ACCEPTED, now);
}
