/** What a pod's operating system allows. */
import { wasSentEmpty } from "../../codec/emptied.ts";
import type { Path } from "../path.ts";
import { isSet, items, type Tree } from "../tree.ts";
import { allContainers, type PodScope } from "./pod_scope.ts";

const SYSTEMS = ["linux", "windows"];

/** Rules of `spec.os`, and of containers that are processes of a Windows host. */
export function systemRules(scope: PodScope, path: Path): void {
  hostProcesses(scope, path);
  const { spec, errors } = scope, os = spec["os"];
  if (!os) return;
  if (!os.name) return errors.required(path.child("os", "name"));
  if (!SYSTEMS.includes(os.name)) return errors.notSupported(path.child("os"), os.name, SYSTEMS);
  if (os.name === "linux") linux(scope, path);
  else windows(scope, path);
}

function linux({ spec, errors }: PodScope, path: Path): void {
  const why = "windows options cannot be set for a linux pod";
  if (spec["securityContext"]?.windowsOptions) errors.forbidden(path.child("securityContext", "windowsOptions"), why);
  for (const [list, i, c] of allContainers(spec)) {
    if (c["securityContext"]?.windowsOptions) {
      errors.forbidden(path.child(list).index(i).child("securityContext", "windowsOptions"), why);
    }
  }
}

/** A list that counts as given when it is empty. */
const GROUPS = "supplementalGroups";
const OF_POD = [
  "appArmorProfile",
  "seLinuxOptions",
  "seccompProfile",
  "fsGroup",
  "fsGroupChangePolicy",
  "sysctls",
  "runAsUser",
  "runAsGroup",
  GROUPS,
  "supplementalGroupsPolicy",
  "seLinuxChangePolicy",
];
const OF_CONTAINER = [
  "appArmorProfile",
  "seLinuxOptions",
  "seccompProfile",
  "capabilities",
  "readOnlyRootFilesystem",
  "privileged",
  "allowPrivilegeEscalation",
  "procMount",
  "runAsUser",
  "runAsGroup",
];

const given = (v: unknown) => isSet(v) && !(Array.isArray(v) && v.length === 0);

function windows({ spec, errors }: PodScope, path: Path): void {
  const why = "cannot be set for a windows pod";
  const sc: Tree = spec["securityContext"] ?? {};
  for (const m of ["hostUsers", "shareProcessNamespace"]) if (isSet(spec[m])) errors.forbidden(path.child(m), why);
  for (const m of ["hostPID", "hostIPC"]) if (spec[m]) errors.forbidden(path.child(m), why);
  for (const m of OF_POD) {
    if (given(sc[m]) || (m === GROUPS && wasSentEmpty(sc, m))) errors.forbidden(path.child("securityContext", m), why);
  }
  for (const [list, i, c] of allContainers(spec)) {
    for (const m of OF_CONTAINER) {
      if (given(c["securityContext"]?.[m])) {
        errors.forbidden(path.child(list).index(i).child("securityContext", m), why);
      }
    }
  }
}

/** Either every container is a process of the host or none is. */
function hostProcesses({ spec, errors, ctx }: PodScope, path: Path): void {
  const ofPod: boolean | undefined = spec["securityContext"]?.windowsOptions?.hostProcess;
  let all = 0, host = 0;
  for (const [list, i, c] of containersOf(spec)) {
    all++;
    const own: boolean | undefined = c["securityContext"]?.windowsOptions?.hostProcess;
    if (isSet(ofPod) && isSet(own) && ofPod !== own) {
      errors.invalid(
        path.child(list).index(i).child("securityContext", "windowsOptions", "hostProcess"),
        own,
        `must be the pod's value if both are specified, which is ${ofPod}`,
      );
    }
    if (own ?? ofPod) host++;
  }
  if (!host) return;
  if (host !== all) errors.invalid(path, "", "if one container is a process of the host then all must be");
  if (!spec["hostNetwork"]) {
    errors.invalid(path.child("hostNetwork"), false, "must be true if containers are processes of the host");
  }
  if (!ctx.allowPrivileged) errors.forbidden(path, "processes of the host are disallowed by cluster policy");
}

/** All containers, but nothing for the many pods where no container can be a process of the host. */
function containersOf(spec: Tree): Iterable<readonly [string, number, Tree]> {
  const any = spec["securityContext"]?.windowsOptions ||
    ["containers", "initContainers", "ephemeralContainers"].some((l) =>
      items(spec[l]).some((c) => c["securityContext"]?.windowsOptions)
    );
  return any ? allContainers(spec) : [];
}
