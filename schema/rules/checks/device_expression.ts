/** Expressions that select devices: what they may say, and what they may cost. */
import { ANY, BOOL, BOUNDLESS, CelError, compile, type SizeAt, type Type } from "../../cel/mod.ts";
import { longer } from "../../values/utf8.ts";
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";
import { wrong } from "./cel.ts";
import { DEVICE_ENVIRONMENT } from "./cel_environments.ts";

/** Longest expression, bytes. */
const MAX_LENGTH = 10 * 1024;
/** Most that one evaluation may cost, and all that make attributes for one claim together. */
export const MAX_COST = 1_000_000;

/** Most characters or members of what stands at a place below the device. */
interface Bound {
  readonly most: number;
  readonly fields?: Readonly<Record<string, Bound>>;
  readonly keys?: Bound;
  readonly values?: Bound;
}

const DOMAIN: Bound = { most: 63 }, ID: Bound = { most: 32 }, VALUE: Bound = { most: 64 }, SCALAR: Bound = { most: 0 };
const byName = (values: Bound): Bound => ({ most: 32, keys: ID, values });
const byDomain = (values: Bound): Bound => ({ most: 32, keys: DOMAIN, values: byName(values) });
const DEVICE: Bound = {
  most: 0,
  fields: {
    driver: { most: 63 },
    allowMultipleAllocations: SCALAR,
    attributes: byDomain(VALUE),
    capacity: byDomain(SCALAR),
  },
};

const sizeAt: SizeAt = (steps, root) => {
  let at: Bound | undefined = root === "device" ? DEVICE : undefined;
  if (!at) return undefined;
  for (const step of steps) {
    if (step === "@items" || step === "@values") at = at.values;
    else if (step === "@keys") at = at.keys;
    // Any name in a map of attributes is one of an attribute.
    else at = at.fields?.[step] ?? (at.values === VALUE ? VALUE : undefined);
    if (!at) return undefined;
  }
  return { least: 0, most: Math.min(at.most, BOUNDLESS) };
};

/** A condition on a device. It may also be an attribute, which shows only later to be a boolean. */
export function deviceExpression(text: string | undefined, path: Path, errors: ErrorList): void {
  checked(text ?? "", path, errors, (type) => {
    if (type.k !== BOOL.k && type !== ANY) throw new CelError("must evaluate to bool or an attribute");
  });
}

/** An attribute that is made of a device, of whatever type: that shows when it is made. Returns what it may cost. */
export function derivedExpression(expression: string, path: Path, errors: ErrorList): number {
  return checked(expression, path, errors, () => {});
}

function checked(expression: string, path: Path, errors: ErrorList, fits: (type: Type) => void): number {
  if (longer(expression, MAX_LENGTH)) errors.tooLong(path, MAX_LENGTH);
  else if (!expression.trim()) errors.invalid(path, expression, "must be an expression");
  else {
    try {
      const program = compile(expression, DEVICE_ENVIRONMENT);
      fits(program.type);
      const cost = program.costAtMost(sizeAt);
      if (cost > MAX_COST) errors.forbidden(path, "too complex, exceeds the cost limit");
      return cost;
    } catch (e) {
      wrong(e, expression, path, errors);
    }
  }
  return 0;
}
