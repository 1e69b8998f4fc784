/** Rules of the versions that servers store resources in. */
import type { Obj } from "../../model/types.ts";
import { format, keep } from "../checks/basic.ts";
import { dns1035Label, dnsSubdomain, qualifiedName } from "../checks/formats.ts";
import { keepAllButStatus } from "../checks/status_meta.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { isSet, items, repeats, type Tree } from "../tree.ts";
import type { KindRules } from "../types.ts";

const STATUS = Path.of("status"),
  SERVERS = STATUS.child("storageVersions"),
  COMMON = STATUS.child("commonEncodingVersion");

/** `<group>.<resource>`. */
function nameFaults(name: string): string[] {
  const dot = name.lastIndexOf(".");
  if (dot < 0) return ["must be <group>.<resource>"];
  return [...dnsSubdomain(name.slice(0, dot)), ...dns1035Label(name.slice(dot + 1))];
}

/** `<version>` or `<group>/<version>`. */
function isVersion(text: string): boolean {
  const parts = text.split("/"), [version, group] = parts.toReversed();
  return parts.length <= 2 && dns1035Label(version!).length === 0 &&
    (group === undefined || !dnsSubdomain(group).length);
}

function server(s: Tree, path: Path, errors: ErrorList): void {
  const encoding: string = s["encodingVersion"] ?? "", decodable = items<string>(s["decodableVersions"]);
  format(s["apiServerID"] ?? "", path.child("apiServerID"), errors, dnsSubdomain);
  if (!isVersion(encoding)) errors.invalid(path.child("encodingVersion"), encoding, "must be a version of an API");
  const at = path.child("decodableVersions");
  for (const [i, v] of decodable.entries()) {
    if (!isVersion(v)) errors.invalid(at.index(i), v, "must be a version of an API");
  }
  const known = new Set(decodable);
  if (!known.has(encoding)) errors.invalid(at, decodable, "must include encodingVersion");
  for (const [i, v] of items<string>(s["servedVersions"]).entries()) {
    const place = path.child("servedVersions").index(i);
    if (!isVersion(v)) errors.invalid(place, v, "must be a version of an API");
    if (!known.has(v)) errors.invalid(place, v, "must be one of decodableVersions");
  }
}

/** The version that all servers encode in, if there is one. */
function commonVersion(list: readonly Tree[]): string | undefined {
  const first: string | undefined = list[0] && (list[0]["encodingVersion"] ?? "");
  return list.every((s) => (s["encodingVersion"] ?? "") === first) ? first : undefined;
}

/** Conditions. Their causes stand at the status itself, as of a list. */
function conditions(list: readonly Tree[], errors: ErrorList): void {
  const again = repeats(list, (c) => c["type"]);
  for (const [i, c] of list.entries()) {
    const at = STATUS.index(i), type: string = c["type"] ?? "";
    if (again.has(i)) errors.invalid(at.child("type"), type, "must be unique");
    format(type, at.child("type"), errors, qualifiedName);
    format(c["status"] ?? "", at.child("status"), errors, qualifiedName);
    for (const m of ["reason", "message"]) if (!c[m]) errors.required(at.child(m));
  }
}

function status(s: Tree, errors: ErrorList): void {
  const list = items(s["storageVersions"]), given = s["commonEncodingVersion"], common = commonVersion(list);
  const seen = new Set<string>();
  for (const [i, v] of list.entries()) {
    const id: string = v["apiServerID"] ?? "", at = SERVERS.index(i);
    if (seen.has(id)) errors.duplicate(at.child("apiServerID"), id);
    seen.add(id);
    server(v, at, errors);
  }
  if ((isSet(given) ? given : undefined) !== common) {
    errors.invalid(COMMON, given, common === undefined ? "must not be set: servers do not agree" : `must be ${common}`);
  }
  conditions(items(s["conditions"]), errors);
}

/** Rules of `storageversions.internal.apiserver.k8s.io`. */
export const STORAGE_VERSION: KindRules = {
  name: nameFaults,
  unconditionalUpdate: false,
  meta: { compared: 0, whole: 0 },
  prepareCreate: (obj) => void (obj["status"] = {}),
  prepareUpdate: (obj, old) => keep(obj, old, "status"),
  subresources: {
    status: {
      meta: { compared: 0 },
      prepareUpdate: keepAllButStatus,
      validateUpdate: (obj: Obj, _old, errors) => status(obj["status"] ?? {}, errors),
    },
  },
};
