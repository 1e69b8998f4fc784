/** Rules of storage classes. */
import type { Obj } from "../../model/types.ts";
import { format, oneOf } from "../checks/basic.ts";
import { qualifiedName } from "../checks/formats.ts";
import { requirementWarnings } from "../core/node_labels.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { isSet, items, repeats, type Tree } from "../tree.ts";
import type { KindRules } from "../types.ts";
import { parameters, provisioner } from "./parameters.ts";

const PROVISIONER = Path.of("provisioner"), PARAMETERS = Path.of("parameters"), RECLAIM = Path.of("reclaimPolicy");
const BINDING = Path.of("volumeBindingMode"), TOPOLOGIES = Path.of("allowedTopologies");
const RECLAIM_POLICIES = ["Delete", "Retain"], BINDING_MODES = ["Immediate", "WaitForFirstConsumer"];

/** A term's expressions as one text, in which their order and that of their values does not matter. */
function meaning(term: Tree): string {
  const byKey = new Map<string, string[]>();
  for (const e of items(term["matchLabelExpressions"])) {
    if (!byKey.has(e["key"] ?? "")) byKey.set(e["key"] ?? "", [...new Set(items<string>(e["values"]))].sort());
  }
  return JSON.stringify([...byKey].sort());
}

function term(t: Tree, path: Path, errors: ErrorList): void {
  const keys = new Set<string>();
  for (const [i, e] of items(t["matchLabelExpressions"]).entries()) {
    const at = path.child("matchLabelExpressions").index(i), values = items<string>(e["values"]);
    if (!values.length) errors.required(at.child("values"));
    for (const j of repeats(values)) errors.duplicate(at.child("values").index(j), values[j]);
    const key: string = e["key"] ?? "";
    format(key, at.child("key"), errors, qualifiedName);
    if (keys.has(key)) errors.duplicate(at.child("key"), "");
    keys.add(key);
  }
}

const NOTHING = "[]";

/** Terms with the same meaning are duplicates. An empty one counts as a duplicate once for every term. */
function topologies(list: readonly Tree[], errors: ErrorList): void {
  const seen = new Map<string, number>();
  for (let i = 0; i < list.length; i++) {
    term(list[i]!, TOPOLOGIES.index(i), errors);
    const m = meaning(list[i]!);
    const before = seen.get(m) ?? 0, times = before + (m === NOTHING ? list.length : 0);
    for (let n = 0; n < times && !errors.full; n++) {
      errors.duplicate(TOPOLOGIES.index(i).child("matchLabelExpressions"), "");
    }
    seen.set(m, before + 1);
  }
}

/** Rules of `storageclasses.storage.k8s.io`. What may not change is in the tags. */
export const STORAGE_CLASS: KindRules = {
  validate(obj: Obj, errors) {
    provisioner(obj["provisioner"] ?? "", PROVISIONER, errors);
    parameters(obj["parameters"], false, PARAMETERS, errors);
    if (obj["reclaimPolicy"]) oneOf(obj["reclaimPolicy"], RECLAIM_POLICIES, RECLAIM, errors);
    if (!isSet(obj["volumeBindingMode"])) errors.required(BINDING);
    else oneOf(obj["volumeBindingMode"], BINDING_MODES, BINDING, errors);
    topologies(items(obj["allowedTopologies"]), errors);
  },
  warnings: (obj, _old, ctx) =>
    items(obj["allowedTopologies"]).flatMap((t, i) =>
      requirementWarnings(t["matchLabelExpressions"], TOPOLOGIES.index(i).child("matchLabelExpressions"), ctx)
    ),
};
