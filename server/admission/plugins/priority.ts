/** Priority: a pod gets the value of its class, or of the default one; there is one default class. */
import type { Obj } from "../../../schema/model/types.ts";
import type { Tree } from "../../../schema/rules/tree.ts";
import { derived, held } from "../facts.ts";
import { either, on } from "../handles.ts";
import { refusal } from "../refuse.ts";
import type { Attributes, Plugin, PluginContext } from "../types.ts";

const CLASSES = "priorityclasses.scheduling.k8s.io";

/** Of several default classes the one with the lowest value counts. */
function defaultClass(all: readonly Obj[]): Tree | undefined {
  let lowest: Tree | undefined;
  for (const c of all as readonly Tree[]) {
    if (c["globalDefault"] && (!lowest || c["value"] < lowest["value"])) lowest = c;
  }
  return lowest;
}

/** See the top of the file. */
export function priority(ctx: PluginContext): Plugin {
  const byName = held(ctx.lister, CLASSES);
  const theDefault = derived(ctx.lister, CLASSES, defaultClass);
  return {
    name: "Priority",
    handles: either(on(["CREATE", "UPDATE"], ["pods"]), on(["CREATE", "UPDATE"], [CLASSES])),
    admit(a) {
      if (a.resource.id !== "pods") return;
      const spec = (a.object as Tree)["spec"];
      if (a.operation === "UPDATE") return keep(spec, (a.oldObject as Tree)["spec"]);
      const named = spec.priorityClassName;
      const found: Tree | undefined = named ? byName(named) : theDefault();
      if (named && !found) {
        return ctx.live.get(CLASSES, "", named).then((live) => {
          if (!live) throw refusal(a, `no PriorityClass with name ${named} was found`);
          fill(a, spec, live);
        });
      }
      fill(a, spec, found);
    },
    validate(a) {
      if (a.resource.id !== CLASSES || !(a.object as Tree)["globalDefault"]) return;
      const now = theDefault();
      if (!now || (a.operation === "UPDATE" && now["metadata"].name === a.name)) return;
      throw refusal(
        a,
        `PriorityClass ${now["metadata"].name} is already marked as default. Only one default can exist`,
      );
    },
  };
}

/** What was computed on create stays: an update that leaves it out means no change. */
function keep(spec: Tree, old: Tree): void {
  for (const field of ["priority", "preemptionPolicy"]) {
    spec[field] ??= old[field];
    if (spec[field] === undefined) delete spec[field];
  }
}

function fill(a: Attributes, spec: Tree, found: Tree | undefined): void {
  const value: number = found?.["value"] ?? 0;
  const preemption: string = found ? found["preemptionPolicy"] : "PreemptLowerPriority";
  if (found) spec["priorityClassName"] = found["metadata"].name;
  if (spec["priority"] !== undefined && spec["priority"] !== value) {
    throw refusal(
      a,
      `the integer value of priority (${spec["priority"]}) must not be provided in pod spec; ` +
        `priority admission controller computed ${value} from the given PriorityClass name`,
    );
  }
  spec["priority"] = value;
  if (!preemption) return;
  if (spec["preemptionPolicy"] !== undefined && spec["preemptionPolicy"] !== preemption) {
    throw refusal(
      a,
      `the string value of PreemptionPolicy (${spec["preemptionPolicy"]}) must not be provided in pod spec; ` +
        `priority admission controller computed ${preemption} from the given PriorityClass name`,
    );
  }
  spec["preemptionPolicy"] = preemption;
}
