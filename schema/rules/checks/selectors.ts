/** Label selectors and node selectors. */
import type { ErrorList } from "../errors.ts";
import { validateLabels } from "../object_meta.ts";
import type { Path } from "../path.ts";
import { count, items, type Tree } from "../tree.ts";
import { format } from "./basic.ts";
import { dnsSubdomain, labelValue, qualifiedName } from "./formats.ts";

/** What a selector is forgiven because the stored one already has it. */
export interface SelectorOptions {
  readonly allowInvalidValues?: boolean;
  /** Operators that are not known pass, where a wider check follows. */
  readonly allowUnknownOperator?: boolean;
}

const NO_OPTIONS: SelectorOptions = {};

/** A label selector. Absent is good. */
export function labelSelector(s: Tree | null | undefined, path: Path, errors: ErrorList, o = NO_OPTIONS): void {
  if (!s) return;
  if (s["matchLabels"]) validateLabels(s["matchLabels"], path.child("matchLabels"), errors);
  const list = items(s["matchExpressions"]);
  for (let i = 0; i < list.length; i++) {
    selectorRequirement(list[i]!, path.child("matchExpressions").index(i), errors, o);
  }
}

/** Checks how many values the operators that all selectors have are given; false: it is another operator. */
function numberOfValues(r: Tree, path: Path, errors: ErrorList): boolean {
  const values = count(r["values"]), at = path.child("values");
  switch (r["operator"]) {
    case "In":
    case "NotIn":
      if (!values) errors.required(at, "must be specified when `operator` is 'In' or 'NotIn'");
      return true;
    case "Exists":
    case "DoesNotExist":
      if (values) errors.forbidden(at, "must not be specified when `operator` is 'Exists' or 'DoesNotExist'");
      return true;
  }
  return false;
}

const unknownOperator = (r: Tree, path: Path, errors: ErrorList): void =>
  errors.invalid(path.child("operator"), r["operator"] ?? "", "not a valid selector operator");

/** One requirement of a label selector. */
export function selectorRequirement(r: Tree, path: Path, errors: ErrorList, o: SelectorOptions): void {
  if (!numberOfValues(r, path, errors) && !o.allowUnknownOperator) unknownOperator(r, path, errors);
  format(r["key"] ?? "", path.child("key"), errors, qualifiedName);
  if (!o.allowInvalidValues) labelValues(r["values"], path, errors);
}

function labelValues(values: readonly string[] | undefined, path: Path, errors: ErrorList): void {
  const list = items<string>(values);
  for (let i = 0; i < list.length; i++) {
    if (labelValue(list[i]!).length) format(list[i]!, path.child("values").index(i), errors, labelValue);
  }
}

/** Whether an expression of the selector, or of a term of a node selector, has a value that is no label value. */
export function hasInvalidValue(s: Tree | null | undefined): boolean {
  return items(s?.["matchExpressions"]).some((e) => items<string>(e["values"]).some((v) => labelValue(v).length > 0));
}

/** A node selector: at least one term. */
export function nodeSelector(s: Tree, path: Path, errors: ErrorList, allowInvalidValues = false): void {
  const terms = items(s["nodeSelectorTerms"]), at = path.child("nodeSelectorTerms");
  if (!terms.length) errors.required(at, "must have at least one node selector term");
  for (let i = 0; i < terms.length; i++) nodeSelectorTerm(terms[i]!, at.index(i), errors, allowInvalidValues);
}

/** A term of a node selector. */
export function nodeSelectorTerm(t: Tree, path: Path, errors: ErrorList, allowInvalidValues: boolean): void {
  for (const [i, r] of items(t["matchExpressions"]).entries()) {
    nodeRequirement(r, path.child("matchExpressions").index(i), errors, allowInvalidValues);
  }
  for (const [i, r] of items(t["matchFields"]).entries()) {
    fieldRequirement(r, path.child("matchFields").index(i), errors);
  }
}

function nodeRequirement(r: Tree, path: Path, errors: ErrorList, allowInvalidValues: boolean): void {
  if (r["operator"] === "Gt" || r["operator"] === "Lt") {
    if (count(r["values"]) !== 1) {
      errors.required(path.child("values"), "must be a single value when `operator` is 'Lt' or 'Gt'");
    }
  } else if (!numberOfValues(r, path, errors)) unknownOperator(r, path, errors);
  format(r["key"] ?? "", path.child("key"), errors, qualifiedName);
  if (!allowInvalidValues) labelValues(r["values"], path, errors);
}

function fieldRequirement(r: Tree, path: Path, errors: ErrorList): void {
  if (r["operator"] !== "In" && r["operator"] !== "NotIn") {
    errors.invalid(path.child("operator"), r["operator"] ?? "", "not a valid selector operator");
  } else if (count(r["values"]) !== 1) {
    errors.required(path.child("values"), "must be one value when `operator` is 'In' or 'NotIn' for a node field");
  }
  if (r["key"] !== "metadata.name") {
    return errors.invalid(path.child("key"), r["key"] ?? "", "not a valid field selector key");
  }
  for (const [i, v] of items<string>(r["values"]).entries()) {
    format(v, path.child("values").index(i), errors, dnsSubdomain);
  }
}
