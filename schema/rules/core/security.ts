/** Security contexts of pods and containers. */
import { format, oneOf } from "../checks/basic.ts";
import { hasControl } from "../../values/control.ts";
import { isSysctlName } from "../../values/sysctls.ts";
import { longer } from "../../values/utf8.ts";
import { dnsSubdomain, posixId } from "../checks/formats.ts";
import { descendingPath } from "../checks/paths.ts";
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";
import { isSet, items, type Tree } from "../tree.ts";
import { isHostSysctl, type PodScope, SYS_ADMIN } from "./pod_scope.ts";

function id(value: number | undefined, path: Path, errors: ErrorList): void {
  if (isSet(value)) { for (const f of posixId(value)) errors.invalid(path, value, f); }
}

const PROC_MOUNTS = ["Default", "Unmasked"];
const PROFILES = ["Localhost", "RuntimeDefault", "Unconfined"];

/** A container's security context. */
export function containerSecurity(sc: Tree, path: Path, scope: PodScope): void {
  const { errors, ctx } = scope;
  if (sc["privileged"] && !ctx.allowPrivileged) {
    errors.forbidden(path.child("privileged"), "disallowed by cluster policy");
  }
  id(sc["runAsUser"], path.child("runAsUser"), errors);
  id(sc["runAsGroup"], path.child("runAsGroup"), errors);
  if (isSet(sc["procMount"])) {
    oneOf(sc["procMount"], PROC_MOUNTS, path.child("procMount"), errors);
    if (scope.hostUsers && sc["procMount"] === "Unmasked") {
      errors.invalid(path.child("procMount"), sc["procMount"], "`hostUsers` must be false to use `Unmasked`");
    }
  }
  if (sc["seccompProfile"]) seccomp(sc["seccompProfile"], path.child("seccompProfile"), errors);
  if (sc["allowPrivilegeEscalation"] === false) {
    if (sc["privileged"]) {
      errors.invalid(path, sc, "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
    }
    for (const c of items<string>(sc["capabilities"]?.add)) {
      if (c === SYS_ADMIN && !scope.forgiven.sysAdmin) {
        errors.invalid(path, sc, "cannot set `allowPrivilegeEscalation` to false and add CAP_SYS_ADMIN");
      }
    }
  }
  if (sc["windowsOptions"]) windows(sc["windowsOptions"], path.child("windowsOptions"), errors);
  if (sc["appArmorProfile"]) appArmor(sc["appArmorProfile"], path.child("appArmorProfile"), errors);
}

/** Labels by mount options need a gate, unless the pod said before how it is labelled. */
function allowedOf(member: string, allowed: readonly string[], { ctx, forgiven }: PodScope): readonly string[] {
  const restricted = member === "seLinuxChangePolicy" && !ctx.gate("SELinuxMount") && !forgiven.labelPolicy;
  return restricted ? ["Recursive"] : allowed;
}

/** A pod's security context. Whether the host's namespaces are shared stands in the spec itself. */
export function podSecurity(scope: PodScope, path: Path): void {
  const sc: Tree | undefined = scope.spec["securityContext"], { errors } = scope;
  if (!sc) return;
  for (const m of ["fsGroup", "runAsUser", "runAsGroup"]) if (isSet(sc[m])) id(sc[m], path.child(m), errors);
  for (const [i, g] of items<number>(sc["supplementalGroups"]).entries()) {
    id(g, path.child("supplementalGroups").index(i), errors);
  }
  if (scope.spec["shareProcessNamespace"] && scope.spec["hostPID"]) {
    errors.invalid(path.sibling("shareProcessNamespace"), true, "must not be set together with hostPID");
  }
  sysctls(sc, path.child("sysctls"), scope);
  for (const [member, allowed] of POLICIES) {
    if (isSet(sc[member])) oneOf(sc[member], allowedOf(member, allowed, scope), path.child(member), errors);
  }
  if (sc["seccompProfile"]) seccomp(sc["seccompProfile"], path.child("seccompProfile"), errors);
  if (sc["windowsOptions"]) windows(sc["windowsOptions"], path.child("windowsOptions"), errors);
  if (sc["appArmorProfile"]) appArmor(sc["appArmorProfile"], path.child("appArmorProfile"), errors);
}

const POLICIES = [
  ["fsGroupChangePolicy", ["Always", "OnRootMismatch"]],
  ["supplementalGroupsPolicy", ["Merge", "Strict"]],
  ["seLinuxChangePolicy", ["MountOption", "Recursive"]],
] as const;

function sysctls(sc: Tree, path: Path, scope: PodScope): void {
  const seen = new Set<string>();
  for (const [i, s] of items(sc["sysctls"]).entries()) {
    const name: string = s["name"] ?? "", at = path.index(i).child("name");
    if (!name) scope.errors.required(at);
    else if (!isSysctlName(name)) {
      scope.errors.invalid(at, name, "must be a name of a kernel parameter");
    } else if (seen.has(name)) scope.errors.duplicate(at, name);
    if (!scope.forgiven.hostSysctls && isHostSysctl(name, scope.spec)) {
      scope.errors.invalid(at, name, "must not be specified when the pod shares the host's namespace");
    }
    seen.add(name);
  }
}

function seccomp(p: Tree, path: Path, errors: ErrorList): void {
  if (!p["type"]) errors.required(path.child("type"), "type is required when seccompProfile is set");
  else oneOf(p["type"], PROFILES, path.child("type"), errors);
  const local = p["localhostProfile"], at = path.child("localhostProfile");
  if (p["type"] === "Localhost") {
    if (!isSet(local)) errors.required(at, "must be set when the type is Localhost");
    else descendingPath(local, at, errors);
  } else if (isSet(local)) errors.invalid(at, local, "can only be set when the type is Localhost");
}

const PATH_LIMIT = 4095;

function appArmor(p: Tree, path: Path, errors: ErrorList): void {
  const local: string | undefined = p["localhostProfile"], at = path.child("localhostProfile");
  switch (p["type"]) {
    case "Localhost":
      if (!isSet(local)) return errors.required(at, "must be set when the type is Localhost");
      if (local.trim() !== local) errors.invalid(at, local, "must not be padded with whitespace");
      else if (!local) errors.required(at, "must be set when the type is Localhost");
      if (longer(local, PATH_LIMIT)) errors.tooLong(at, PATH_LIMIT);
      return;
    case "RuntimeDefault":
    case "Unconfined":
      if (isSet(local)) errors.invalid(at, local, "can only be set when the type is Localhost");
      return;
    default:
      if (!p["type"]) errors.required(path.child("type"), "type is required when appArmorProfile is set");
      else errors.notSupported(path.child("type"), p["type"], PROFILES);
  }
}

const NETBIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/u;
const LABEL = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
const USER_DOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);
const CREDENTIAL_LIMIT = 64 * 1024;

function windows(w: Tree, path: Path, errors: ErrorList): void {
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName: user } = w;
  if (isSet(name)) format(name, path.child("gmsaCredentialSpecName"), errors, dnsSubdomain);
  if (spec === "") errors.invalid(path.child("gmsaCredentialSpec"), spec, "must not be empty");
  else if (isSet(spec) && longer(spec, CREDENTIAL_LIMIT)) {
    errors.invalid(path.child("gmsaCredentialSpec"), "", "must be at most 64 KiB");
  }
  if (isSet(user)) { for (const f of userFaults(user)) errors.invalid(path.child("runAsUserName"), user, f); }
}

function userFaults(text: string): string[] {
  if (!text) return ["must not be empty"];
  if (hasControl(text)) return ["must not contain control characters"];
  const parts = text.split("\\");
  if (parts.length > 2) return ["must not contain more than one backslash"];
  const user = parts.at(-1)!, domain = parts.length === 2 ? parts[0]! : undefined;
  const faults: string[] = [];
  if (domain !== undefined && longer(domain, 255)) faults.push("domain must be shorter than 256 bytes");
  if (domain !== undefined && !NETBIOS.test(domain) && !USER_DOMAIN.test(domain)) {
    faults.push("domain must be a NetBIOS or DNS name");
  }
  if (!user) faults.push("user must not be empty");
  else if (longer(user, 104)) faults.push("user must be at most 104 bytes");
  if (/^[. ]+$/.test(user)) faults.push("user must not be only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) faults.push('user must not contain any of "/\\:;|=,+*?<>@[]');
  return faults;
}
