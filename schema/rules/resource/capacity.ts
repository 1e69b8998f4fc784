/** Rules of how much of a device's capacity one request may take. */
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";
import { count, isSet, items, type Tree } from "../tree.ts";
import { parseQuantity, type Quantity } from "../../values/quantity.ts";

const MAX_VALUES = 10, MAX_INT64 = 9223372036854775807n;

/**
 * A policy of a capacity of that size: either chosen values or a range, with a default that fits. Without `fractions` whole
 * units are compared and counted.
 */
export function requestPolicy(size: string, p: Tree, path: Path, errors: ErrorList, fractions: boolean): void {
  const chosen = count(p["validValues"]) > 0;
  if (chosen && p["validRange"]) {
    return errors.forbidden(path, "must not have both validValues and validRange");
  }
  if (!chosen && !p["validRange"]) return;
  if (!isSet(p["default"])) return errors.required(path.child("default"), "needed by validValues and validRange");
  const max = parseQuantity(size), standard = parseQuantity(p["default"]);
  if (chosen) {
    validValues(items<string>(p["validValues"]), standard, max, path.child("validValues"), errors, fractions);
  } else validRange(p["validRange"], standard, max, path.child("validRange"), errors, fractions);
}

function validValues(
  texts: readonly string[],
  standard: Quantity,
  max: Quantity,
  path: Path,
  errors: ErrorList,
  fractions: boolean,
): void {
  const same = (a: Quantity, b: Quantity) => fractions ? a.cmp(b) === 0 : a.value() === b.value();
  const list = texts.map(parseQuantity);
  for (let i = 1; i < list.length; i++) {
    if (list[i - 1]!.cmp(list[i]!) > 0) errors.invalid(path.index(i), texts[i], "must be in ascending order");
  }
  if (list.length > MAX_VALUES) errors.tooMany(path, list.length, MAX_VALUES);
  else {
    for (const [i, q] of list.entries()) {
      if (q.cmp(max) > 0) errors.invalid(path.index(i), texts[i], `must not be larger than the capacity of ${max}`);
      if (list.findIndex((o) => same(o, q)) < i) errors.duplicate(path.index(i), texts[i]);
    }
  }
  if (list.length > MAX_VALUES || !list.some((q) => q.cmp(standard) === 0)) {
    errors.invalid(path, String(standard), "default must be one of these values");
  }
}

function validRange(
  r: Tree,
  standard: Quantity,
  size: Quantity,
  path: Path,
  errors: ErrorList,
  fractions: boolean,
): void {
  if (!isSet(r["min"])) return errors.required(path.child("min"));
  const min = parseQuantity(r["min"]), max = isSet(r["max"]) ? parseQuantity(r["max"]) : undefined;
  const fail = (name: string, q: Quantity, why: string) => errors.invalid(path.child(name), String(q), why);
  if (min.cmp(size) > 0) fail("min", min, `must not be larger than the capacity of ${size}`);
  if (standard.cmp(min) < 0) fail("default", standard, `must not be less than ${min}`);
  if (max) {
    if (min.cmp(max) > 0) fail("max", min, `must not be less than ${min}`);
    if (max.cmp(size) > 0) fail("max", max, `must not be larger than the capacity of ${size}`);
    if (standard.cmp(max) > 0) fail("default", standard, `must not be larger than ${max}`);
  }
  const step = isSet(r["step"]) ? parseQuantity(r["step"]) : undefined;
  const named = { default: standard, min, ...(max ? { max } : {}) }, all = { ...named, ...(step ? { step } : {}) };
  const milli = fractions && Object.values(all).some((q) => !q.exactAt(0));
  const fine = Object.entries(all).filter(([, q]) => milli && !fitsMilli(q));
  for (const [name, q] of fine) fail(name, q, "must be a whole number of thousandths in 64 bits");
  if (step && fine.length === 0) steps(step, named, size, fail, milli);
}

const fitsMilli = (q: Quantity) => q.exactAt(-3) && BigInt.asIntN(64, q.milliValue()) === q.milliValue();

/** From the least amount on, only whole steps; counted in thousandths where fractions are among the amounts. */
function steps(
  step: Quantity,
  ends: { default: Quantity; min: Quantity; max?: Quantity },
  size: Quantity,
  fail: (name: string, q: Quantity, why: string) => void,
  milli: boolean,
): void {
  if (step.sign() <= 0) return fail("step", step, "must be greater than 0");
  if (ends.min.add(step).cmp(size) > 0) fail("step", step, `one step must fit into the capacity of ${size}`);
  const unsafe = Object.entries({ ...ends, step }).filter(([, q]) => !milli && (q.sign() < 0 || q.value() > MAX_INT64));
  for (const [name, q] of unsafe) fail(name, q, `must be between 0 and ${MAX_INT64}`);
  if (unsafe.length) return;
  const amount = (q: Quantity) => milli ? q.milliValue() : q.value();
  for (const q of [ends.default, ends.max]) {
    if (q && (amount(q) - amount(ends.min)) % amount(step) !== 0n) {
      fail("step", q, `must be a number of steps of ${step} from ${ends.min}`);
    }
  }
}
