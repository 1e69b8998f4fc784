/** Which expressions of a policy do not fit the kinds that it names (kind ValidatingAdmissionPolicy, `status.typeChecking`). */
import { CelError, compile, DYN, located, type Type, variableType } from "../../../schema/cel/mod.ts";
import type { Kind, Obj } from "../../../schema/model/types.ts";
import { admissionEnvironment } from "../../../schema/rules/checks/cel_environments.ts";
import { typeOfKind } from "../../../schema/rules/checks/cel_kinds.ts";
import { isSet, items, type Tree } from "../../../schema/rules/tree.ts";
import { splitApiVersion } from "../../../schema/scheme.ts";
import type { Catalog } from "../../catalog/catalog.ts";

/** A warning as the status has it. */
export interface ExpressionWarning {
  /** `spec.validations[0].expression`. */
  readonly fieldRef: string;
  /** A line for each kind that the expression does not fit, with the place of the fault. */
  readonly warning: string;
}

/** Most kinds that one rule is checked with. */
const MAX_KINDS = 10;

/** Checks the validations of a policy with every kind that its rules name without wildcards. */
export function typeCheck(policy: Obj, catalog: Catalog): ExpressionWarning[] {
  const spec = policy["spec"] as Tree, kinds = kindsOf(spec, catalog), out: ExpressionWarning[] = [];
  const checks = kinds.map((kind) => checkFor(kind, spec, catalog));
  for (const [i, v] of items(spec["validations"]).entries()) {
    for (const member of ["expression", "messageExpression"]) {
      if (!v[member]) continue;
      const faults = checks.map((check) => check(v[member])).filter((fault) => fault !== undefined);
      if (faults.length > 0) out.push({ fieldRef: `spec.validations[${i}].${member}`, warning: faults.join("\n") });
    }
  }
  return out;
}

type Check = (expression: string) => string | undefined;

function checkFor(kind: Kind, spec: Tree, catalog: Catalog): Check {
  const variables = new Map<string, Type>(), params = isSet(spec["paramKind"]);
  const env = new Map(admissionEnvironment({ params, authorizer: true, variables }));
  const type = typeOfKind(kind) ?? DYN;
  env.set("object", type).set("oldObject", type);
  if (params) env.set("params", paramType(spec["paramKind"], catalog));
  for (const v of items(spec["variables"])) {
    const name: string = v["name"];
    variables.set(name, DYN);
    fault(v["expression"], () => variables.set(name, variableType(compile(v["expression"], env).type)));
  }
  const { group, version } = splitApiVersion(kind.apiVersion);
  return (expression) => {
    const found = fault(expression, () => compile(expression, env));
    return found && `${group}/${version}, Kind=${kind.kind}: ${found}\n`;
  };
}

function paramType({ apiVersion = "", kind = "" }: Tree, catalog: Catalog): Type {
  const { group, version } = splitApiVersion(apiVersion), served = catalog.byKind(group, kind, version);
  return served && typeOfKind(served.kind) || DYN;
}

/** What is wrong with an expression, and where. */
function fault(expression: string, work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (e) {
    if (!(e instanceof CelError)) throw e;
    return located(expression, e);
  }
}

/** Kinds that the rules name one by one, in order. */
function kindsOf(spec: Tree, catalog: Catalog): Kind[] {
  const found = new Map<string, Kind>();
  for (const rule of items(spec["matchConstraints"]?.resourceRules)) {
    const count = takeKinds(rule, catalog, found);
    if (count >= MAX_KINDS) break;
  }
  return [...found].sort(([a], [b]) => a < b ? -1 : 1).map(([, kind]) => kind);
}

function takeKinds(rule: Tree, catalog: Catalog, found: Map<string, Kind>): number {
  const groups = items<string>(rule["apiGroups"]).toSorted(), versions = items<string>(rule["apiVersions"]).toSorted();
  const resources = items<string>(rule["resources"]).toSorted();
  let count = 0;
  for (const group of groups) {
    for (const version of versions) {
      for (const resource of resources) {
        const kind = catalog.find(group, version, resource)?.kind;
        if (!kind) continue; // of wildcards and subresources, too
        found.set(`${group}\0${version}\0${kind.kind}`, kind);
        if (++count === MAX_KINDS) return count;
      }
    }
  }
  return count;
}
