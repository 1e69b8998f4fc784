/** Parts of pods whose feature is off: dropped unless the object that an update replaces has them. */
import { emptyMap, isSet, items, type Tree } from "../tree.ts";
import type { RuleContext } from "../types.ts";
import { allContainers, isSidecar } from "./pod_scope.ts";

/** Hears of a place: who holds the member, and what to do when its holder has nothing else. */
type Visit = (holder: Tree, member: string, emptied?: () => void) => void;

/** One feature: its gate, and the places of a spec where it shows. */
interface Feature {
  readonly gate: string;
  places(spec: Tree, visit: Visit): void;
}

const ofSpec = (member: string): Feature["places"] => (spec, visit) => visit(spec, member);
const ofContainers = (pick: (c: Tree, visit: Visit) => void): Feature["places"] => (spec, visit) => {
  for (const [, , c] of allContainers(spec)) pick(c, visit);
};
const ofProjections = (member: string): Feature["places"] => (spec, visit) => {
  for (const v of items(spec["volumes"])) for (const s of items(v["projected"]?.sources)) visit(s, member);
};
/** Users who own the files of volumes. */
const ofUsers: Feature["places"] = (spec, visit) => {
  for (const v of items(spec["volumes"])) {
    const sources: Tree[] = [v["secret"], v["configMap"], v["downwardAPI"], v["projected"]].filter(Boolean);
    for (const s of sources) visit(s, "defaultUser");
    for (const p of items(v["projected"]?.sources)) {
      for (const s of Object.values(p)) if (isSet(s)) sources.push(s), visit(s, "user");
    }
    for (const s of sources) for (const i of items(s["items"])) visit(i, "user");
  }
};

const PROBES = ["livenessProbe", "readinessProbe", "startupProbe"];
const HOOKS = ["postStart", "preStop"];
const ofProbes = (action: string, member: string) => (c: Tree, visit: Visit): void => {
  for (const p of PROBES) if (c[p]?.[action]) visit(c[p][action], member);
};
const ofHooks = (action: string, member: string) => (c: Tree, visit: Visit): void => {
  for (const h of HOOKS) if (c["lifecycle"]?.[h]?.[action]) visit(c["lifecycle"][h][action], member);
};

const ofSecurity = (member: string): Feature["places"] => (spec, visit) => {
  if (spec["securityContext"]) visit(spec["securityContext"], member);
};

const FEATURES: readonly Feature[] = [
  { gate: "UserNamespacesSupport", places: ofSpec("hostUsers") },
  { gate: "SupplementalGroupsPolicy", places: ofSecurity("supplementalGroupsPolicy") },
  { gate: "SELinuxChangePolicy", places: ofSecurity("seLinuxChangePolicy") },
  {
    gate: "MatchLabelKeysInPodTopologySpread",
    places: (s, visit) => {
      for (const c of items(s["topologySpreadConstraints"])) visit(c, "matchLabelKeys");
    },
  },
  { gate: "PodLevelResources", places: ofSpec("resources") },
  { gate: "HostnameOverride", places: ofSpec("hostnameOverride") },
  { gate: "GenericWorkload", places: ofSpec("schedulingGroup") },
  { gate: "EvictionRequestAPI", places: ofSpec("evictionResponders") },
  { gate: "PodCertificateRequest", places: ofProjections("podCertificate") },
  { gate: "ClusterTrustBundleProjection", places: ofProjections("clusterTrustBundle") },
  { gate: "AtomicWriteVolumeUserFields", places: ofUsers },
  {
    gate: "H2CContainerProbe",
    places: ofContainers((c, visit) => {
      ofProbes("httpGet", "protocol")(c, visit);
      ofHooks("httpGet", "protocol")(c, visit);
    }),
  },
  { gate: "GRPCContainerProbeTLS", places: ofContainers(ofProbes("grpc", "mode")) },
  {
    gate: "EmptyDirVolumeMode",
    places: (s, visit) => {
      for (const v of items(s["volumes"])) if (v["emptyDir"]) visit(v["emptyDir"], "mode");
    },
  },
  {
    gate: "ContainerStopSignals",
    places: ofContainers((c, visit) => {
      if (c["lifecycle"]) visit(c["lifecycle"], "stopSignal", () => delete c["lifecycle"]);
    }),
  },
  {
    gate: "ContainerRestartRules",
    places: (s, visit) => {
      for (const [list, , c] of allContainers(s)) {
        if (list !== "initContainers" || !isSidecar(c)) visit(c, "restartPolicy");
        visit(c, "restartPolicyRules");
      }
    },
  },
  {
    gate: "EnvFiles",
    places: ofContainers((c, visit) => {
      for (const e of items(c["env"])) if (e["valueFrom"]) visit(e["valueFrom"], "fileKeyRef");
    }),
  },
  {
    gate: "VolumeBindMountOptions",
    places: ofContainers((c, visit) => {
      for (const m of items(c["volumeMounts"])) visit(m, "bindMountOptions");
    }),
  },
];

function inUse(f: Feature, spec: Tree): boolean {
  let found = false;
  f.places(spec, (holder, member) => found ||= isSet(holder[member]));
  return found;
}

/** Drops what the server's gates do not allow. Cheap where every gate is on. */
export function dropDisabled(spec: Tree, old: Tree | undefined, ctx: RuleContext): void {
  for (const f of FEATURES) {
    if (ctx.gate(f.gate) || (old && inUse(f, old))) continue;
    f.places(spec, drop);
  }
  dropImages(spec, old, ctx);
  resetProcMounts(spec, old, ctx);
}

/** Volumes of images go with their mounts. */
function dropImages(spec: Tree, old: Tree | undefined, ctx: RuleContext): void {
  if (ctx.gate("ImageVolume") || items(old?.["volumes"]).some((v) => v["image"])) return;
  const gone = new Set(items(spec["volumes"]).filter((v) => v["image"]).map((v) => v["name"]));
  if (gone.size === 0) return;
  const without = (holder: Tree, list: string, stays: (item: Tree) => boolean) => {
    const left = items(holder[list]).filter(stays);
    if (left.length > 0) holder[list] = left;
    else delete holder[list];
  };
  without(spec, "volumes", (v) => !v["image"]);
  for (const c of [...items(spec["containers"]), ...items(spec["initContainers"])]) {
    if (c["volumeMounts"]) without(c, "volumeMounts", (m) => !gone.has(m["name"]));
  }
}

/** A way of mounting `/proc` is not removed but made the usual one: older servers filled it in. */
function resetProcMounts(spec: Tree, old: Tree | undefined, ctx: RuleContext): void {
  if (ctx.gate("ProcMountType")) return;
  const mounts = (s: Tree) => [...allContainers(s)].map(([, , c]) => c["securityContext"]).filter((c) => c?.procMount);
  if (old && mounts(old).some((c) => c.procMount !== "Default")) return;
  for (const c of mounts(spec)) c.procMount = "Default";
}

function drop(holder: Tree, member: string, emptied?: () => void): void {
  if (!(member in holder)) return;
  delete holder[member];
  if (emptyMap(holder)) emptied?.();
}

/** The same for a template. */
export function dropDisabledInTemplate(t: Tree | undefined, old: Tree | undefined, ctx: RuleContext): void {
  if (t?.["spec"]) dropDisabled(t["spec"], old?.["spec"], ctx);
}
