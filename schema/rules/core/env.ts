/** Variables of containers, and references from them to parts of the pod. */
import { maskTrailingDash } from "../../values/names.ts";
import { format, requiredFormat } from "../checks/basic.ts";
import { configKey, dnsLabel, dnsSubdomain, envName, qualifiedName } from "../checks/formats.ts";
import { noBacksteps } from "../checks/paths.ts";
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";
import { items, type Tree } from "../tree.ts";

/** Fields of a pod that a variable may show. */
const ENV_FIELDS: readonly string[] = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];
/** Fields of a pod that a file may show. */
export const VOLUME_FIELDS: readonly string[] = [
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
];
const KNOWN_FIELDS = new Set([
  ...ENV_FIELDS,
  ...VOLUME_FIELDS,
  "spec.restartPolicy",
  "spec.schedulerName",
  "status.phase",
]);

const RESOURCES = ["cpu", "ephemeral-storage", "memory"].flatMap((r) => [`limits.${r}`, `requests.${r}`]);
const HUGE = /^(?:limits|requests)\.hugepages-/;
const CPU_DIVISORS = new Set(["1m", "1"]);
const BYTE_DIVISORS = new Set([
  "1",
  ...["k", "M", "G", "T", "P", "E"].flatMap((s) => [`1${s}`, `1${s === "k" ? "K" : s}i`]),
]);

/** Variables of a container. */
export function variables(list: readonly Tree[] | undefined, path: Path, errors: ErrorList): void {
  const vars = items(list);
  for (let i = 0; i < vars.length; i++) {
    const v = vars[i]!, from = v["valueFrom"];
    if (!v["name"]) errors.required(path.index(i).child("name"));
    else if (envName(v["name"]).length) format(v["name"], path.index(i).child("name"), errors, envName);
    if (from) valueFrom(from, v["value"], path.index(i).child("valueFrom"), errors);
  }
}

function valueFrom(from: Tree, value: unknown, path: Path, errors: ErrorList): void {
  let found = 0;
  for (const [member, check] of Object.entries(SOURCES)) {
    if (!from[member]) continue;
    found++;
    check(from[member], path.child(member), errors);
  }
  if (!found) errors.invalid(path, "", `must specify one of: ${Object.keys(SOURCES).join(", ")}`);
  else if (value) errors.invalid(path, "", "must not be specified when `value` is not empty");
  else if (found > 1) errors.invalid(path, "", "must not have more than one field specified at a time");
}

const keyOf = (ref: Tree, path: Path, errors: ErrorList): void => {
  format(ref["name"] ?? "", path.child("name"), errors, dnsSubdomain);
  requiredFormat(ref["key"], path.child("key"), errors, configKey);
};

const SOURCES: Readonly<Record<string, (ref: Tree, path: Path, errors: ErrorList) => void>> = {
  fieldRef: (ref, path, errors) => fieldRef(ref, ENV_FIELDS, path, errors),
  resourceFieldRef: (ref, path, errors) => resourceFieldRef(ref, path, errors, false),
  configMapKeyRef: keyOf,
  secretKeyRef: keyOf,
  fileKeyRef: (ref, path, errors) => {
    requiredFormat(ref["key"], path.child("key"), errors, envName);
    requiredFormat(ref["volumeName"], path.child("volumeName"), errors, dnsLabel);
    if (!ref["path"]) errors.required(path.child("path"));
    else noBacksteps(ref["path"], path.child("path"), errors);
  },
};

/** A reference to a field of the pod, one of `allowed` or a label or annotation by key. */
export function fieldRef(ref: Tree, allowed: readonly string[], path: Path, errors: ErrorList): void {
  if (!ref["apiVersion"]) return errors.required(path.child("apiVersion"));
  const field: string = ref["fieldPath"] ?? "";
  if (!field) return errors.required(path.child("fieldPath"));
  const bracket = field.endsWith("']") ? field.indexOf("['") : -1;
  if (bracket > 0 && bracket < field.length - 3) {
    const map = field.slice(0, bracket), key = field.slice(bracket + 2, -2);
    if (ref["apiVersion"] !== "v1" || (map !== "metadata.annotations" && map !== "metadata.labels")) {
      return errors.invalid(path.child("fieldPath"), field, "field does not support a key");
    }
    return format(map === "metadata.labels" ? key : key.toLowerCase(), path, errors, qualifiedName);
  }
  const name = field === "spec.host" ? "spec.nodeName" : field;
  if (ref["apiVersion"] !== "v1" || !KNOWN_FIELDS.has(name)) {
    return errors.invalid(path.child("fieldPath"), field, "field is not supported");
  }
  if (!allowed.includes(name)) errors.notSupported(path.child("fieldPath"), name, allowed);
}

/** A reference to a container's resource. `file`: the container must be named. */
export function resourceFieldRef(ref: Tree, path: Path, errors: ErrorList, file: boolean): void {
  const resource: string = ref["resource"] ?? "";
  if (file && !ref["containerName"]) errors.required(path.child("containerName"));
  else if (!resource) errors.required(path.child("resource"));
  else if (!RESOURCES.includes(resource) && !HUGE.test(resource)) {
    errors.notSupported(path.child("resource"), resource, RESOURCES);
  }
  const divisor: string = ref["divisor"] ?? "0";
  if (divisor === "0") return;
  const known = RESOURCES.includes(resource) || HUGE.test(resource);
  const divisors = resource.endsWith(".cpu") ? CPU_DIVISORS : BYTE_DIVISORS;
  if (known && !divisors.has(divisor)) {
    errors.invalid(path.child("divisor"), resource, `divisor must be one of ${[...divisors].join(", ")}`);
  }
}

/** Objects whose keys become variables. */
export function variableSources(list: readonly Tree[] | undefined, path: Path, errors: ErrorList): void {
  for (const [i, s] of items(list).entries()) {
    const at = path.index(i);
    if (s["prefix"]) format(s["prefix"], at.child("prefix"), errors, envName);
    let found = 0;
    for (const member of ["configMapRef", "secretRef"]) {
      if (!s[member]) continue;
      found++;
      const name: string = s[member].name ?? "";
      if (!name) errors.required(at.child(member, "name"));
      else format(maskTrailingDash(name), at.child(member, "name"), errors, dnsSubdomain);
    }
    if (!found) errors.invalid(path, "", "must specify one of: `configMapRef` or `secretRef`");
    else if (found > 1) errors.invalid(path, "", "must not have more than one field specified at a time");
  }
}
