/** Shapes of scheduling v1alpha2, which later versions do not share: the way to the workload, and modes that were words. */
import { isMap } from "../model/members.ts";
import type { JsonMap } from "../model/types.ts";
import { edit, inverse, present, rename, type ShapeTable, type VersionShape } from "./types.ts";

const MODES: Readonly<Record<string, string>> = { Pod: "single", PodGroup: "all" };
const WORDS = inverse(MODES);
const REFERENCE = { podGroupTemplateName: "templateName" };

function modeToHub({ disruptionMode: mode, ...rest }: JsonMap): JsonMap {
  const member = typeof mode === "string" ? MODES[mode] : undefined;
  return present({ ...rest, disruptionMode: member ? { [member]: {} } : undefined });
}

function modeFromHub({ disruptionMode: mode, ...rest }: JsonMap): JsonMap {
  const member = isMap(mode) ? Object.keys(mode)[0] : undefined;
  return present({ ...rest, disruptionMode: member === undefined ? undefined : WORDS[member] });
}

function specToHub({ podGroupTemplateRef: ref, ...rest }: JsonMap): JsonMap {
  const workload = isMap(ref) && isMap(ref.workload) ? rename(ref.workload, REFERENCE) : undefined;
  return modeToHub(present({ ...rest, workloadRef: workload }));
}

function specFromHub({ workloadRef: ref, ...rest }: JsonMap): JsonMap {
  const workload = isMap(ref) ? rename(ref, inverse(REFERENCE)) : undefined;
  return modeFromHub(present({ ...rest, podGroupTemplateRef: workload && { workload } }));
}

const shape = (
  path: readonly string[],
  toHub: (o: JsonMap) => JsonMap,
  fromHub: (o: JsonMap) => JsonMap,
): VersionShape => ({
  toHub: (o) => edit(o, path, toHub),
  fromHub: (o) => edit(o, path, fromHub),
});

/** Rows of the scheduling group. */
export const SCHEDULING: ShapeTable = {
  "scheduling.k8s.io/v1alpha2 PodGroup": shape(["spec"], specToHub, specFromHub),
  "scheduling.k8s.io/v1alpha2 Workload": shape(["spec", "podGroupTemplates", "*"], modeToHub, modeFromHub),
};
