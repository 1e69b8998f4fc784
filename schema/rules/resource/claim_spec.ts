/** Rules of what a claim asks for. Sizes of lists and most requirednesses stand in the model. */
import { format } from "../checks/basic.ts";
import { derivedExpression, deviceExpression, MAX_COST } from "../checks/device_expression.ts";
import { dnsSubdomain } from "../checks/formats.ts";
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";
import { count, isSet, items, repeats, type Tree } from "../tree.ts";
import { deviceToleration, opaqueConfig, qualifiedAttribute, shortName } from "./names.ts";

/** Most items that lists of a claim may hold; longer ones are not looked at. */
const MAX_ITEMS = 32, MAX_ALTERNATIVES = 8;

/** Names of requests, with those of their alternatives. */
export type RequestNames = ReadonlyMap<string, ReadonlySet<string>>;

/** Names that constraints, configuration and results may refer to. */
export function requestNames(devices: Tree | undefined): RequestNames {
  return new Map(
    items(devices?.["requests"]).map((
      r,
    ) => [r["name"] ?? "", new Set(items(r["firstAvailable"]).map((s) => s["name"]))]),
  );
}

/** `<request>` or `<request>/<alternative>`. */
export function requestReference(name: string, path: Path, errors: ErrorList, known: RequestNames): void {
  const fault = "must be the name of a request, or of a request and its alternative joined by '/'";
  const [first = "", second, more] = name.split("/");
  if (more !== undefined) return errors.invalid(path, name, fault);
  shortName(first, path, errors);
  if (second !== undefined) shortName(second, path, errors);
  const found = second === undefined ? known.has(first) : known.get(first)?.has(second) ?? false;
  if (!found) errors.invalid(path, name, fault);
}

/** References of a list. */
export function requestReferences(list: readonly string[], path: Path, errors: ErrorList, known: RequestNames): void {
  if (count(list) > MAX_ITEMS) return;
  for (const [i, name] of items<string>(list).entries()) requestReference(name, path.index(i), errors, known);
}

/** Selectors of devices. `stored`: expressions are as they were. */
export function deviceSelectors(list: readonly Tree[], path: Path, errors: ErrorList, stored: boolean): void {
  if (count(list) > MAX_ITEMS) return;
  for (const [i, s] of items(list).entries()) {
    const at = path.index(i).child("cel");
    if (!s["cel"]) errors.required(at);
    else if (!stored) deviceExpression(s["cel"].expression, at.child("expression"), errors);
  }
}

/** Configuration of a list. */
export function configurations(
  list: readonly Tree[],
  path: Path,
  errors: ErrorList,
  stored: boolean,
  known?: RequestNames,
): void {
  if (count(list) > MAX_ITEMS) return;
  for (const [i, c] of items(list).entries()) {
    if (known) requestReferences(c["requests"], path.index(i).child("requests"), errors, known);
    opaqueConfig(c, path.index(i), errors, stored);
  }
}

const MODES = ["All", "ExactCount"];

/** Attributes that constraints compare, by the requests that they are about; without any they are about all. */
type Compared = ReadonlyMap<string, ReadonlySet<string>>;

function comparedAttributes(constraints: readonly Tree[]): Compared {
  const out = new Map<string, Set<string>>();
  for (const c of constraints) {
    const name: string | undefined = c["matchAttribute"] ?? c["distinctAttribute"];
    if (!isSet(name)) continue;
    for (const r of count(c["requests"]) ? items<string>(c["requests"]) : [""]) {
      if (!out.has(r)) out.set(r, new Set());
      out.get(r)!.add(name);
    }
  }
  return out;
}

/** What rules of a request need to know. */
interface Around {
  /** Expressions are as they were. */
  readonly stored: boolean;
  readonly compared: Compared;
  /** What the expressions of all requests may cost together, so far. */
  readonly spent: { cost: number };
}

/** Attributes that a request makes of devices. `requests`: its name, of an alternative the request's and its own. */
function derivedAttributes(
  list: readonly Tree[],
  requests: readonly string[],
  path: Path,
  errors: ErrorList,
  { stored, compared, spent }: Around,
): void {
  if (count(list) > MAX_ITEMS) return;
  const again = repeats(items(list), (a) => a["name"] ?? "");
  for (const [i, a] of items(list).entries()) {
    const at = path.index(i), name: string = a["name"] ?? "";
    if (name) {
      qualifiedAttribute(name, at.child("name"), errors);
      if (!["", ...requests].some((r) => compared.get(r)?.has(name))) {
        errors.invalid(at.child("name"), name, "must stand in a constraint on this request");
      }
    }
    if (again.has(i)) errors.duplicate(at, name);
    if (a["expression"] && !stored) spent.cost += derivedExpression(a["expression"], at.child("expression"), errors);
  }
}

/** What a request and each of its alternatives have in common. */
function exactRequest(r: Tree, names: readonly string[], path: Path, errors: ErrorList, around: Around): void {
  const deviceClass: string = r["deviceClassName"] ?? "", mode: string = r["allocationMode"] ?? "";
  if (!deviceClass) errors.required(path.child("deviceClassName"));
  else format(deviceClass, path.child("deviceClassName"), errors, dnsSubdomain);
  deviceSelectors(r["selectors"], path.child("selectors"), errors, around.stored);
  const n = BigInt(r["count"] ?? 0);
  if (mode === "All") {
    if (n !== 0n) errors.invalid(path.child("count"), r["count"], "must not be specified when allocationMode is 'All'");
  } else if (mode === "ExactCount") {
    if (n <= 0n) errors.invalid(path.child("count"), r["count"] ?? 0, "must be greater than 0");
  } else errors.notSupported(path.child("allocationMode"), mode, MODES);
  for (const [i, t] of items(r["tolerations"]).entries()) {
    deviceToleration(t, path.child("tolerations").index(i), errors);
  }
  derivedAttributes(r["derivedAttributes"], names, path.child("derivedAttributes"), errors, around);
}

function request(r: Tree, path: Path, errors: ErrorList, around: Around): void {
  const alternatives = items(r["firstAvailable"]), exact = isSet(r["exactly"]), name: string = r["name"] ?? "";
  shortName(name, path.child("name"), errors);
  if (!alternatives.length && !exact) return errors.required(path, "must have `exactly` or `firstAvailable`");
  if (alternatives.length && exact) {
    errors.invalid(path, null, "must not have both `exactly` and `firstAvailable`");
    return errors.settle(path);
  }
  if (exact) return exactRequest(r["exactly"], [name], path.child("exactly"), errors, around);
  if (alternatives.length > MAX_ALTERNATIVES) return;
  for (const [i, s] of alternatives.entries()) {
    const at = path.child("firstAvailable").index(i);
    shortName(s["name"], at.child("name"), errors);
    exactRequest(s, [name, `${name}/${s["name"] ?? ""}`], at, errors, around);
  }
}

function constraint(c: Tree, path: Path, errors: ErrorList, known: RequestNames): void {
  requestReferences(c["requests"], path.child("requests"), errors, known);
  if (isSet(c["matchAttribute"])) qualifiedAttribute(c["matchAttribute"], path.child("matchAttribute"), errors);
  else if (isSet(c["distinctAttribute"])) {
    qualifiedAttribute(c["distinctAttribute"], path.child("distinctAttribute"), errors);
  } else errors.required(path, "must have `matchAttribute` or `distinctAttribute`");
}

/** The spec of a claim, also in a template. */
export function claimSpec(spec: Tree | undefined, path: Path, errors: ErrorList, stored: boolean): void {
  const devices: Tree | undefined = spec?.["devices"];
  if (!devices) return;
  const requests = items(devices["requests"]), constraints = items(devices["constraints"]);
  const known = requestNames(devices), at = path.child("devices");
  const around: Around = { stored, compared: comparedAttributes(constraints), spent: { cost: 0 } };
  if (requests.length <= MAX_ITEMS) {
    for (const [i, r] of requests.entries()) request(r, at.child("requests").index(i), errors, around);
  }
  if (constraints.length <= MAX_ITEMS) {
    for (const [i, c] of constraints.entries()) constraint(c, at.child("constraints").index(i), errors, known);
  }
  configurations(devices["config"], at.child("config"), errors, stored, known);
  if (around.spent.cost > MAX_COST) {
    errors.forbidden(at, "too complex, all derived attributes together exceed the cost limit");
  }
}
