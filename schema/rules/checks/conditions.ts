/** Conditions of the common form (`meta/v1`). */
import { longer } from "../../values/utf8.ts";
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";
import { items, repeats, type Tree } from "../tree.ts";
import { format, nonNegative, oneOf } from "./basic.ts";
import { qualifiedName } from "./formats.ts";

const STATUSES = ["False", "True", "Unknown"];
const REASON = /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const REASON_LIMIT = 1024, MESSAGE_LIMIT = 32 * 1024;

/** The form of a condition's reason. */
export function conditionReason(reason: string, path: Path, errors: ErrorList): void {
  if (REASON.test(reason)) return;
  errors.invalid(
    path,
    reason,
    "must start with a letter, hold letters, digits, '_', ',' and ':', and not end with those two",
  );
}

/** A list of conditions, each type once. */
export function conditions(list: readonly Tree[] | null | undefined, path: Path, errors: ErrorList): void {
  const all = items(list);
  const again = repeats(all, (c) => c["type"] ?? "");
  for (let i = 0; i < all.length; i++) {
    const type = all[i]!["type"] ?? "";
    if (again.has(i)) errors.duplicate(path.index(i).child("type"), type);
    condition(all[i]!, path.index(i), errors);
  }
}

function condition(c: Tree, path: Path, errors: ErrorList): void {
  format(c["type"] ?? "", path.child("type"), errors, qualifiedName);
  oneOf(c["status"] ?? "", STATUSES, path.child("status"), errors);
  nonNegative(c["observedGeneration"], path.child("observedGeneration"), errors);
  if (!c["lastTransitionTime"]) errors.required(path.child("lastTransitionTime"));
  const reason: string = c["reason"] ?? "", at = path.child("reason");
  if (!reason) errors.required(at);
  else {
    conditionReason(reason, at, errors);
    if (longer(reason, REASON_LIMIT)) errors.tooLong(at, REASON_LIMIT);
  }
  if (longer(c["message"] ?? "", MESSAGE_LIMIT)) errors.tooLong(path.child("message"), MESSAGE_LIMIT);
}

/** Whether a condition of that type is true. */
export function isTrue(list: readonly Tree[] | null | undefined, type: string): boolean {
  return items(list).find((c) => c["type"] === type)?.["status"] === "True";
}
