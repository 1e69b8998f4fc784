/** Parts of pods whose feature is off: dropped unless the object that an update replaces has them. */
import { emptyMap, isSet, items, type Tree } from "../tree.ts";
import type { RuleContext } from "../types.ts";
import { allContainers, isSidecar } from "./pod_scope.ts";

/** Where a member stands, and what to do when its holder has nothing else. */
type Place = readonly [holder: Tree, member: string, emptied?: () => void];

/** One feature: its gate, and the places of a spec where it shows. */
interface Feature {
  readonly gate: string;
  places(spec: Tree): Iterable<Place>;
}

const ofSpec = (member: string) => (spec: Tree) => [[spec, member] as const];
function* ofContainers(spec: Tree, pick: (c: Tree) => Iterable<Place>) {
  for (const [, , c] of allContainers(spec)) yield* pick(c);
}
function* ofProjections(spec: Tree, member: string) {
  for (const v of items(spec["volumes"])) for (const s of items(v["projected"]?.sources)) yield [s, member] as const;
}
/** Users who own the files of volumes. */
function* ofUsers(spec: Tree): Iterable<Place> {
  for (const v of items(spec["volumes"])) {
    const sources = [v["secret"], v["configMap"], v["downwardAPI"], v["projected"]].filter(Boolean);
    for (const s of sources) yield [s, "defaultUser"];
    for (const p of items(v["projected"]?.sources)) {
      for (const s of Object.values(p)) if (isSet(s)) sources.push(s), yield [s, "user"];
    }
    for (const s of sources) for (const i of items(s["items"])) yield [i, "user"];
  }
}

const PROBES = ["livenessProbe", "readinessProbe", "startupProbe"];
const probes = (c: Tree, action: string): Tree[] => PROBES.map((p) => c[p]?.[action]).filter(Boolean);
const hooks = (c: Tree, action: string): Tree[] =>
  ["postStart", "preStop"].map((h) => c["lifecycle"]?.[h]?.[action]).filter(Boolean);

const FEATURES: readonly Feature[] = [
  { gate: "PodLevelResources", places: ofSpec("resources") },
  { gate: "HostnameOverride", places: ofSpec("hostnameOverride") },
  { gate: "GenericWorkload", places: ofSpec("schedulingGroup") },
  { gate: "EvictionRequestAPI", places: ofSpec("evictionResponders") },
  { gate: "PodCertificateRequest", places: (s) => ofProjections(s, "podCertificate") },
  { gate: "ClusterTrustBundleProjection", places: (s) => ofProjections(s, "clusterTrustBundle") },
  { gate: "AtomicWriteVolumeUserFields", places: ofUsers },
  {
    gate: "H2CContainerProbe",
    places: (s) =>
      ofContainers(s, (c) => [...probes(c, "httpGet"), ...hooks(c, "httpGet")].map((h) => [h, "protocol"] as const)),
  },
  {
    gate: "GRPCContainerProbeTLS",
    places: (s) => ofContainers(s, (c) => probes(c, "grpc").map((g) => [g, "mode"] as const)),
  },
  {
    gate: "EmptyDirVolumeMode",
    *places(s) {
      for (const v of items(s["volumes"])) if (v["emptyDir"]) yield [v["emptyDir"], "mode"];
    },
  },
  {
    gate: "ContainerStopSignals",
    places: (s) =>
      ofContainers(s, (c) => c["lifecycle"] ? [[c["lifecycle"], "stopSignal", () => delete c["lifecycle"]]] : []),
  },
  {
    gate: "ContainerRestartRules",
    *places(s) {
      for (const [list, , c] of allContainers(s)) {
        if (list !== "initContainers" || !isSidecar(c)) yield [c, "restartPolicy"];
        yield [c, "restartPolicyRules"];
      }
    },
  },
  {
    gate: "EnvFiles",
    places: (s) =>
      ofContainers(s, (c) => items(c["env"]).filter((e) => e["valueFrom"]).map((e) => [e["valueFrom"], "fileKeyRef"])),
  },
  {
    gate: "VolumeBindMountOptions",
    places: (s) => ofContainers(s, (c) => items(c["volumeMounts"]).map((m) => [m, "bindMountOptions"])),
  },
];

const inUse = (f: Feature, spec: Tree): boolean => {
  for (const [holder, member] of f.places(spec)) if (isSet(holder[member])) return true;
  return false;
};

/** Drops what the server's gates do not allow. Cheap where every gate is on. */
export function dropDisabled(spec: Tree, old: Tree | undefined, ctx: RuleContext): void {
  for (const f of FEATURES) {
    if (ctx.gate(f.gate) || (old && inUse(f, old))) continue;
    for (const [holder, member, emptied] of f.places(spec)) {
      if (!(member in holder)) continue;
      delete holder[member];
      if (emptyMap(holder)) emptied?.();
    }
  }
}

/** The same for a template. */
export function dropDisabledInTemplate(t: Tree | undefined, old: Tree | undefined, ctx: RuleContext): void {
  if (t?.["spec"]) dropDisabled(t["spec"], old?.["spec"], ctx);
}
