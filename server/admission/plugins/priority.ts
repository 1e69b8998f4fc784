/** Priority: a pod, or group of pods, gets the value of its class, or of the default one; there is one default class. */
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

/** What has a priority besides pods: what messages call it, and the gates that switch its priority on. */
interface Group {
  readonly name: string;
  readonly gate: string;
  /** Gate of its preemption policy. */
  readonly preemption?: string;
}

const PREEMPTION = "PodGroupPreemptionPolicy";
const GROUPS: Readonly<Record<string, Group>> = {
  "podgroups.scheduling.k8s.io": { name: "pod group", gate: "GenericWorkload", preemption: PREEMPTION },
  "podgroups.scheduling.k8s.io/v1alpha2": { name: "pod group", gate: "WorkloadAwarePreemption" },
  "compositepodgroups.scheduling.k8s.io": {
    name: "composite pod group",
    gate: "CompositePodGroup",
    preemption: PREEMPTION,
  },
};
const groupOf = ({ id, storageKind }: Attributes["resource"]): Group | undefined =>
  GROUPS[`${id}/${storageKind.version}`] ?? GROUPS[id];
const GROUP_IDS = Object.keys(GROUPS).filter((id) => !id.includes("/"));

/** See the top of the file. */
export function priority(ctx: PluginContext): Plugin {
  const byName = held(ctx.lister, CLASSES);
  const theDefault = derived(ctx.lister, CLASSES, defaultClass);
  /** Uses the class that a spec names, or the default one; there may be none. */
  const withClass = (a: Attributes, named: string, use: (found: Tree | undefined) => void): void | Promise<void> => {
    const found: Tree | undefined = named ? byName(named) : theDefault();
    if (!named || found) return use(found);
    return ctx.live.get(CLASSES, "", named).then((live) => {
      if (!live) throw refusal(a, `no PriorityClass with name ${named} was found`);
      use(live);
    });
  };
  const admitGroup = (a: Attributes, group: Group): void | Promise<void> => {
    if (!ctx.gate(group.gate)) return;
    const spec = (a.object as Tree)["spec"] ??= {};
    const preempts = group.preemption !== undefined && ctx.gate(group.preemption);
    return withClass(a, spec.priorityClassName, (found) => fillGroup(a, spec, found, group, preempts));
  };
  return {
    name: "Priority",
    handles: either(on(["CREATE", "UPDATE"], ["pods", CLASSES]), on(["CREATE"], GROUP_IDS)),
    admit(a) {
      if (a.resource.id === CLASSES) return;
      const spec = (a.object as Tree)["spec"];
      if (a.resource.id !== "pods") return admitGroup(a, groupOf(a.resource)!);
      if (a.operation === "UPDATE") return keep(spec, (a.oldObject as Tree)["spec"]);
      return withClass(a, spec.priorityClassName, (found) => fill(a, spec, found));
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

const valueOf = (found: Tree | undefined): number => found?.["value"] ?? 0;
const policyOf = (found: Tree | undefined): string => found ? found["preemptionPolicy"] : "PreemptLowerPriority";

function fill(a: Attributes, spec: Tree, found: Tree | undefined): void {
  const value = valueOf(found);
  if (found) spec["priorityClassName"] = found["metadata"].name;
  if (spec["priority"] !== undefined && spec["priority"] !== value) {
    throw refusal(
      a,
      `the integer value of priority (${spec["priority"]}) must not be provided in pod spec; ` +
        `priority admission controller computed ${value} from the given PriorityClass name`,
    );
  }
  spec["priority"] = value;
  fillPolicy(a, spec, policyOf(found), "pod");
}

function fillGroup(a: Attributes, spec: Tree, found: Tree | undefined, { name }: Group, preempts: boolean): void {
  const value = valueOf(found);
  if (spec["priority"] !== undefined && spec["priority"] !== null && spec["priority"] !== value) {
    throw refusal(
      a,
      `priority set in the ${name} (${spec["priority"]}) must match the priority computed (${value}) ` +
        "based on the priority class set in the spec",
    );
  }
  spec["priority"] = value;
  if (found) spec["priorityClassName"] = found["metadata"].name;
  if (preempts) fillPolicy(a, spec, policyOf(found), name);
}

function fillPolicy(a: Attributes, spec: Tree, policy: string, of: string): void {
  if (!policy) return;
  if (spec["preemptionPolicy"] !== undefined && spec["preemptionPolicy"] !== policy) {
    throw refusal(
      a,
      `the string value of PreemptionPolicy (${spec["preemptionPolicy"]}) must not be provided in ${of} spec; ` +
        `priority admission controller computed ${policy} from the given PriorityClass name`,
    );
  }
  spec["preemptionPolicy"] = policy;
}
