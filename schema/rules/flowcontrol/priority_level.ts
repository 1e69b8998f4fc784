/** Rules of priority levels: how many requests run at once, and what becomes of the others. */
import type { Obj } from "../../model/types.ts";
import { keep, nonNegative, oneOf, range } from "../checks/basic.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { same, type Tree } from "../tree.ts";
import type { KindRules } from "../types.ts";
import { MANDATORY_LEVELS } from "./mandatory.ts";
import { conditionTypes, FLOW_STATUS } from "./status.ts";

const SPEC = Path.of("spec"), EXEMPT = SPEC.child("exempt"), LIMITED = SPEC.child("limited");
const TYPES = ["Exempt", "Limited"], RESPONSES = ["Queue", "Reject"];
const MAX_QUEUES = 10_000_000, MAX_HASH_BITS = 60;

/** Bits of a hash that choosing a hand from a deck takes. */
function entropyBits(deck: number, hand: number): number {
  let bits = 0;
  for (let i = 0; i < hand; i++) bits += Math.log2(deck - i);
  return Math.ceil(bits);
}

function queuing(q: Tree, path: Path, errors: ErrorList): void {
  const queues: number = q["queues"] ?? 0,
    hand: number = q["handSize"] ?? 0,
    length: number = q["queueLengthLimit"] ?? 0;
  if (length <= 0) errors.invalid(path.child("queueLengthLimit"), length, "must be greater than 0");
  range(queues, 1, MAX_QUEUES, path.child("queues"), errors);
  const at = path.child("handSize");
  if (hand <= 0) errors.invalid(at, hand, "must be greater than 0");
  else if (hand > queues) errors.invalid(at, hand, "must be less than or equal to the number of queues");
  else if (hand > MAX_HASH_BITS || entropyBits(queues, hand) > MAX_HASH_BITS) {
    errors.invalid(at, hand, `choosing from ${queues} queues must not take more than ${MAX_HASH_BITS} bits`);
  }
}

function limitResponse(r: Tree, path: Path, errors: ErrorList): void {
  const at = path.child("queuing"), type: string = r["type"] ?? "";
  if (!type) errors.required(path.child("type"));
  else if (oneOf(type, RESPONSES, path.child("type"), errors)) {
    if (type === "Queue") {
      if (!r["queuing"]) errors.required(at, "needed when the type is 'Queue'");
      else queuing(r["queuing"], at, errors);
    } else if (r["queuing"]) errors.forbidden(at, "must not be set unless the type is 'Queue'");
    return;
  }
  errors.settle(path);
}

function shares(level: Tree, path: Path, errors: ErrorList): void {
  nonNegative(level["nominalConcurrencyShares"], path.child("nominalConcurrencyShares"), errors);
  range(level["lendablePercent"], 0, 100, path.child("lendablePercent"), errors);
}

function levelSpec(spec: Tree, name: string, errors: ErrorList): void {
  const type: string = spec["type"] ?? "", at = SPEC.child("type"), { limited, exempt } = spec;
  if ((name === "exempt") !== (type === "Exempt")) {
    errors.invalid(at, type, "must be 'Exempt' if and only if the name is 'exempt'");
  }
  if (!type || !TYPES.includes(type)) {
    errors.settle(SPEC);
    return type ? errors.notSupported(at, type, TYPES) : errors.required(at);
  }
  if (type === "Exempt") {
    if (limited) errors.forbidden(LIMITED, "must not be set unless the type is 'Limited'");
    if (exempt) shares(exempt, EXEMPT, errors);
    return;
  }
  if (exempt) errors.forbidden(EXEMPT, "must not be set when the type is 'Limited'");
  if (!limited) return errors.required(LIMITED, "needed when the type is 'Limited'");
  shares(limited, LIMITED, errors);
  nonNegative(limited.borrowingLimitPercent, LIMITED.child("borrowingLimitPercent"), errors);
  limitResponse(limited.limitResponse ?? {}, LIMITED.child("limitResponse"), errors);
}

function validate(obj: Obj, errors: ErrorList): void {
  const spec: Tree = obj["spec"] ?? {}, name = obj.metadata.name ?? "";
  levelSpec(spec, name, errors);
  const wanted = Object.hasOwn(MANDATORY_LEVELS, name) ? MANDATORY_LEVELS[name] : undefined;
  if (wanted && !same(name === "exempt" ? { ...spec, exempt: null } : spec, wanted)) {
    errors.invalid(SPEC, spec, `the spec of '${name}' is fixed`);
  }
  conditionTypes(obj["status"]?.conditions, errors);
}

/** Rules of `prioritylevelconfigurations.flowcontrol.apiserver.k8s.io`. */
export const PRIORITY_LEVEL: KindRules = {
  generation: ["spec"],
  meta: { compared: 0 },
  prepareCreate: (obj) => void (obj["status"] = {}),
  prepareUpdate: (obj, old) => keep(obj, old, "status"),
  validate,
  subresources: { status: FLOW_STATUS },
};
