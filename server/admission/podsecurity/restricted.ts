/** Rules that the level `restricted` adds: what good practice asks of a pod. */
import { items, type Tree } from "../../../schema/rules/tree.ts";
import { goodSeccomp, seccomp } from "./baseline.ts";
import { containersOf, containersWith, namedContainers, plural, quoted, type Rule, setters, unique } from "./pod.ts";

/** Privileges may not grow. */
export const allowPrivilegeEscalation: Rule = (pod) => {
  const names = containersWith(pod, (s) => s["allowPrivilegeEscalation"] !== false);
  if (names.length === 0) return undefined;
  return {
    reason: "allowPrivilegeEscalation != false",
    detail: `${namedContainers(names)} must set securityContext.allowPrivilegeEscalation=false`,
  };
};

/** All capabilities are dropped, and none but one is added. */
export const restrictedCapabilities: Rule = (pod) => {
  const beyond = (s: Tree): string[] => items<string>(s["capabilities"]?.add).filter((c) => c !== "NET_BIND_SERVICE");
  const keeping = containersWith(pod, (s) => !items<string>(s["capabilities"]?.drop).includes("ALL"));
  const adding = containersWith(pod, (s) => beyond(s).length > 0);
  const details: string[] = [];
  if (keeping.length) details.push(`${namedContainers(keeping)} must set securityContext.capabilities.drop=["ALL"]`);
  if (adding.length) {
    const added = unique(containersOf(pod).flatMap((c) => beyond(c["securityContext"] ?? {})));
    details.push(`${namedContainers(adding)} must not include ${quoted(added)} in securityContext.capabilities.add`);
  }
  return details.length ? { reason: "unrestricted capabilities", detail: details.join("; ") } : undefined;
};

const GOOD_VOLUMES = [
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "image",
  "persistentVolumeClaim",
  "projected",
  "secret",
];
const OTHER_VOLUMES = [
  "hostPath",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "gitRepo",
  "nfs",
  "iscsi",
  "glusterfs",
  "rbd",
  "flexVolume",
  "cinder",
  "cephfs",
  "flocker",
  "fc",
  "azureFile",
  "vsphereVolume",
  "quobyte",
  "azureDisk",
  "photonPersistentDisk",
  "portworxVolume",
  "scaleIO",
  "storageos",
];

/** Volumes of the cluster's own kinds. */
export const volumeTypes: Rule = ({ spec }) => {
  const bad = items<Tree>(spec["volumes"]).filter((v) => !GOOD_VOLUMES.some((t) => v[t]));
  if (bad.length === 0) return undefined;
  const types = unique(bad.map((v) => OTHER_VOLUMES.find((t) => v[t]) ?? "unknown"));
  const detail = `${plural(bad.length, "volume")} ${quoted(bad.map((v) => v["name"]))} ${
    plural(bad.length, "uses", "use")
  } ${plural(types.length, "restricted volume type")} ${quoted(types)}`;
  return { reason: "restricted volume types", detail };
};

/** Not as root: said by the pod or by every container. */
export const runAsNonRoot: Rule = (pod) => {
  const reason = "runAsNonRoot != true";
  const who = setters(pod, (s) => s["runAsNonRoot"] === false);
  if (who !== "") return { reason, detail: `${who} must not set securityContext.runAsNonRoot=false` };
  if (pod.spec["securityContext"]?.runAsNonRoot === true) return undefined;
  const silent = containersWith(pod, (s) => typeof s["runAsNonRoot"] !== "boolean");
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${namedContainers(silent)} must set securityContext.runAsNonRoot=true` };
};

/** Not as user 0. */
export const runAsUser: Rule = (pod) => {
  const who = setters(pod, (s) => s["runAsUser"] === 0);
  return who === "" ? undefined : { reason: "runAsUser=0", detail: `${who} must not set runAsUser=0` };
};

/** A seccomp profile: said by the pod or by every container. */
export const requiredSeccomp: Rule = (pod) => {
  const wrong = seccomp(pod);
  if (wrong) return wrong;
  if (goodSeccomp(pod.spec["securityContext"]?.seccompProfile?.type)) return undefined;
  const silent = containersWith(pod, (s) => !s["seccompProfile"]);
  if (silent.length === 0) return undefined;
  return {
    reason: "seccompProfile",
    detail: `pod or ${
      namedContainers(silent)
    } must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
};
