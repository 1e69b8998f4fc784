/** RuntimeClass: a pod gets the overhead and the scheduling constraints of its runtime class. */
import { compareQuantity } from "../../../schema/values/quantity.ts";
import { wasSentEmpty } from "../../../schema/codec/emptied.ts";
import { emptyMap, type Tree } from "../../../schema/rules/tree.ts";
import { copyTree } from "../../../schema/values/copy.ts";
import { held } from "../facts.ts";
import { on } from "../handles.ts";
import { refusal } from "../refuse.ts";
import type { Attributes, Plugin, PluginContext } from "../types.ts";
import { mergeTolerations } from "./_tolerations.ts";

const CLASSES = "runtimeclasses.node.k8s.io";
const MISMATCH = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

/** See the top of the file. */
export function runtimeClass(ctx: PluginContext): Plugin {
  const byName = held(ctx.lister, CLASSES);
  const withClass = (a: Attributes, use: (spec: Tree, found: Tree | undefined) => void): void | Promise<void> => {
    const spec: Tree = (a.object as Tree)["spec"];
    const name: string | undefined = spec["runtimeClassName"] ?? undefined;
    if (name === undefined) return use(spec, undefined);
    const found = byName(name);
    if (found) return use(spec, found);
    return ctx.live.get(CLASSES, "", name).then((live) => {
      if (!live) throw refusal(a, `pod rejected: RuntimeClass "${name}" not found`);
      use(spec, live);
    });
  };
  return {
    name: "RuntimeClass",
    handles: on(["CREATE"], ["pods"]),
    admit: (a) =>
      withClass(a, (spec, found) => {
        if (found?.["overhead"]) setOverhead(a, spec, found["overhead"].podFixed ?? {});
        if (found?.["scheduling"]) setScheduling(a, spec, found["scheduling"]);
      }),
    validate: (a) =>
      withClass(a, (spec, found) => {
        if (found?.["overhead"]) {
          if (!sameAmounts(found["overhead"].podFixed, spec["overhead"])) throw refusal(a, MISMATCH);
        } else if (spec["overhead"] || wasSentEmpty(spec, "overhead")) {
          throw refusal(a, "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
        }
      }),
  };
}

function sameAmounts(a: Tree = {}, b: Tree = {}): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length &&
    keys.every((k) => b[k] !== undefined && compareQuantity(a[k], b[k]) === 0);
}

function setOverhead(a: Attributes, spec: Tree, overhead: Tree): void {
  if (!emptyMap(spec["overhead"]) && !sameAmounts(overhead, spec["overhead"])) throw refusal(a, MISMATCH);
  spec["overhead"] = copyTree(overhead);
}

function setScheduling(a: Attributes, spec: Tree, scheduling: Tree): void {
  const given: Tree = spec["nodeSelector"] ?? {};
  const wanted: Tree = scheduling["nodeSelector"] ?? {};
  for (const key in wanted) {
    if (!Object.hasOwn(given, key) || given[key] === wanted[key]) continue;
    throw refusal(
      a,
      `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${wanted[key]}; ` +
        `pod.spec.nodeSelector[${key}] = ${given[key]}`,
    );
  }
  if (!emptyMap(wanted)) spec["nodeSelector"] = { ...given, ...wanted };
  const tolerations = mergeTolerations(spec["tolerations"] ?? [], copyTree(scheduling["tolerations"] ?? []));
  if (tolerations.length > 0) spec["tolerations"] = tolerations;
}
