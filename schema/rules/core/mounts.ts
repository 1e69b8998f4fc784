/** Mounts and devices of containers. */
import { descendingPath } from "../checks/paths.ts";
import type { Path } from "../path.ts";
import { isSet, items, repeats, type Tree } from "../tree.ts";
import type { PodScope } from "./pod_scope.ts";

const PROPAGATION = ["Bidirectional", "HostToContainer", "None"];
const BIND_OPTIONS = ["nodev", "noexec", "nosuid"];
const RECURSIVE = ["Disabled", "Enabled", "IfPossible"];

/** The place of each volume by its name: the last one where there are several. */
const placesOf = (list: Tree[] | undefined, member: "mountPath" | "devicePath"): ReadonlyMap<string, string> =>
  new Map(items(list).map((x) => [x["name"] ?? "", x[member] ?? ""]));

/** Volumes that a container mounts. Places below an item stand at the list itself, as clients know them. */
export function volumeMounts(c: Tree, path: Path, scope: PodScope): void {
  const mounts = items(c["volumeMounts"]), devices = placesOf(c["volumeDevices"], "devicePath"), { errors } = scope;
  if (!mounts.length) return;
  const places = new Set<string>(), taken = new Set(devices.values());
  for (const [i, m] of mounts.entries()) {
    const name: string = m["name"] ?? "", place: string = m["mountPath"] ?? "";
    const at = path.index(i);
    if (!name) errors.required(at.child("name"));
    if (!scope.volumes.has(name)) errors.notFound(at.child("name"), name);
    if (!place) errors.required(at.child("mountPath"));
    if (places.has(place)) errors.invalid(at.child("mountPath"), place, "must be unique");
    places.add(place);
    if (devices.has(name)) errors.invalid(at.child("name"), name, "must not already exist in volumeDevices");
    if (taken.has(place)) {
      errors.invalid(at.child("mountPath"), place, "must not already exist as a path in volumeDevices");
    }
    if (m["subPath"]) descendingPath(m["subPath"], path.child("subPath"), errors);
    if (m["subPathExpr"]) {
      if (m["subPath"]) {
        errors.invalid(at.child("subPathExpr"), m["subPathExpr"], "must not be set together with subPath");
      }
      descendingPath(m["subPathExpr"], path.child("subPathExpr"), errors);
    }
    propagation(m["mountPropagation"], c, path.child("mountPropagation"), scope);
    recursive(m, path.child("recursiveReadOnly"), scope);
    if (m["bindMountOptions"]) bindOptions(m["bindMountOptions"], name, at.child("bindMountOptions"), scope);
  }
}

function propagation(mode: string | undefined, c: Tree, path: Path, { errors }: PodScope): void {
  if (!isSet(mode)) return;
  if (!PROPAGATION.includes(mode)) errors.notSupported(path, mode, PROPAGATION);
  if (mode === "Bidirectional" && !c["securityContext"]?.privileged) {
    errors.forbidden(path, "Bidirectional mount propagation is available only to privileged containers");
  }
}

function recursive(m: Tree, path: Path, { errors }: PodScope): void {
  const mode = m["recursiveReadOnly"];
  if (!isSet(mode) || mode === "Disabled") return;
  if (!RECURSIVE.includes(mode)) return errors.notSupported(path, mode, RECURSIVE);
  if (!m["readOnly"]) errors.forbidden(path, "may only be specified when readOnly is true");
  if (isSet(m["mountPropagation"]) && m["mountPropagation"] !== "None") {
    errors.forbidden(path, "may only be specified when mountPropagation is None or not specified");
  }
}

function bindOptions(options: readonly string[], volume: string, path: Path, { errors, volumes }: PodScope): void {
  const again = repeats(options);
  for (const [i, o] of options.entries()) {
    if (!BIND_OPTIONS.includes(o)) errors.notSupported(path.index(i), o, BIND_OPTIONS);
    if (again.has(i)) errors.duplicate(path.index(i), o);
  }
  if (options.length && volumes.get(volume)?.["image"]) {
    errors.invalid(path, options, "must not be used with image volumes");
  }
}

/** Block devices that a container gets. */
export function volumeDevices(c: Tree, path: Path, scope: PodScope): void {
  const devices = items(c["volumeDevices"]), mounts = placesOf(c["volumeMounts"], "mountPath"), { errors } = scope;
  const names = new Set<string>(), places = new Set<string>(), taken = new Set(mounts.values());
  for (const [i, d] of devices.entries()) {
    const name: string = d["name"] ?? "", place: string = d["devicePath"] ?? "";
    const at = path.index(i), volume = scope.volumes.get(name);
    if (!name) errors.required(at.child("name"));
    if (names.has(name)) errors.invalid(at.child("name"), name, "must be unique");
    if (!volume) errors.notFound(at.child("name"), name);
    else if (!volume["persistentVolumeClaim"] && !volume["ephemeral"]) {
      errors.invalid(at.child("name"), name, "block mode needs a volume of type persistentVolumeClaim or ephemeral");
    }
    if (!place) errors.required(at.child("devicePath"));
    if (places.has(place)) errors.invalid(at.child("devicePath"), place, "must be unique");
    if (place.split("/").includes("..")) errors.invalid(at.child("devicePath"), place, "must not contain '..'");
    else places.add(place);
    if (mounts.has(name)) errors.invalid(at.child("name"), name, "must not already exist in volumeMounts");
    if (taken.has(place)) {
      errors.invalid(at.child("devicePath"), place, "must not already exist as a path in volumeMounts");
    }
    if (name) names.add(name);
  }
}
