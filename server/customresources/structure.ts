/** Whether the schemas of a definition are structural, as a condition. */
import { structural, unsupported } from "../../schema/rules/apiextensions/structural.ts";
import { ErrorList } from "../../schema/rules/errors.ts";
import { Path } from "../../schema/rules/path.ts";
import { aggregate } from "../../schema/status.ts";
import { type Condition, conditionOf, type Definition, setCondition } from "./definition.ts";

const TYPE = "NonStructuralSchema";

/**
 * Settles the condition in place: only definitions that were made before v1 have it, which kept what no schema knows. Others are
 * not looked at. `now`: RFC 3339.
 */
export function settleStructure(d: Definition, now: string): void {
  const found = d.spec.preserveUnknownFields ? faultOf(d) : undefined;
  if (found) setCondition(d, { type: TYPE, ...found }, now);
  else if (conditionOf(d, TYPE)) d.status!.conditions = d.status!.conditions!.filter((c) => c.type !== TYPE);
}

function faultOf(d: Definition): Omit<Condition, "type"> {
  const errors = new ErrorList();
  errors.invalid(Path.of("spec", "preserveUnknownFields"), true, "must be false");
  for (const [i, { name, schema }] of d.spec.versions.entries()) {
    const tree = schema?.openAPIV3Schema;
    if (!tree) continue;
    const why = unsupported(tree);
    if (why) {
      return { status: "Unknown", reason: "StructuralError", message: `the schema of version ${name}: ${why}` };
    }
    structural(tree, Path.of("spec", "versions").index(i).child("schema", "openAPIV3Schema"), errors);
  }
  return { status: "True", reason: "Violations", message: aggregate(errors.causes) };
}
