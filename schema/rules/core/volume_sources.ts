/**
 * Sources of volumes, in pods and in persistent volumes: one table row a source. The order of the rows is the order in which
 * they are looked at; a second source of the same volume is refused. Longer than most files: it is one table.
 */
import { hasMatch, patternOf } from "../../values/pattern.ts";
import { longer } from "../../values/utf8.ts";
import { format, range, required, requiredFormat } from "../checks/basic.ts";
import { dnsLabel, dnsSubdomain, dnsSubdomainCaseless, posixId } from "../checks/formats.ts";
import { descendingPath, noBacksteps, volumePath } from "../checks/paths.ts";
import type { ErrorList } from "../errors.ts";
import { localSet } from "../local.ts";
import type { Path } from "../path.ts";
import { count, isSet, items, type Tree } from "../tree.ts";
import type { ValidateContext } from "../types.ts";

/** A check that needs to know nothing but the source. */
type PlainCheck = (s: Tree, path: Path, errors: ErrorList, ctx: ValidateContext) => void;
/** A check of one source. `about`: what is known of the volume's holder. */
export type SourceCheck<A = unknown> = (s: Tree, path: Path, errors: ErrorList, ctx: ValidateContext, about: A) => void;
/** A row: the member, its check, and the names under which errors stand where they differ from the member's. */
export interface SourceRow<A = unknown> {
  readonly member: string;
  readonly check: SourceCheck<A>;
  /** Name in the path of a second source. */
  readonly refusedAs?: string;
  /** Name in the path of the source's own errors. */
  readonly checkedAs?: string;
  /** Is not refused beside another source. */
  readonly beside?: true;
}

/** Checks that exactly one source is there, and that one. `extra` adds checks by member. */
export function oneSource<A>(
  rows: readonly SourceRow<A>[],
  holder: Tree,
  path: Path,
  errors: ErrorList,
  ctx: ValidateContext,
  about: A,
  extra?: (member: string, source: Tree, first: boolean) => void,
): void {
  let found = 0;
  for (const row of rows) {
    const source = holder[row.member];
    if (!isSet(source)) continue;
    const first = found++ === 0;
    if (!first && !row.beside) {
      errors.forbidden(path.child(row.refusedAs ?? row.member), "must not specify more than 1 volume type");
    } else row.check(source, path.child(row.checkedAs ?? row.member), errors, ctx, about);
    extra?.(row.member, source, first);
  }
  if (!found) errors.required(path, "must specify a volume type");
}

const need = (...names: string[]): PlainCheck => (s, path, errors) => {
  for (const n of names) if (!s[n] || (Array.isArray(s[n]) && !s[n].length)) errors.required(path.child(n));
};

const MODE_FAULT = "must be a number between 0 and 0777 (octal), both inclusive";
/** Mode bits of a file. */
export function fileMode(mode: number | null | undefined, path: Path, errors: ErrorList): void {
  if (isSet(mode) && (mode < 0 || mode > 0o777)) errors.invalid(path, mode, MODE_FAULT);
}

/** The user who owns a file. */
export function fileUser(user: number | null | undefined, path: Path, errors: ErrorList): void {
  if (isSet(user)) { for (const f of posixId(user)) errors.invalid(path, user, f); }
}

/** A key that becomes a file. */
export function keyToPath(i: Tree, path: Path, errors: ErrorList): void {
  if (!i["key"]) errors.required(path.child("key"));
  if (!i["path"]) errors.required(path.child("path"));
  volumePath(i["path"] ?? "", path.child("path"), errors);
  fileMode(i["mode"], path.child("mode"), errors);
  fileUser(i["user"], path.child("user"), errors);
}

const keyed = (nameMember: string): PlainCheck => (s, path, errors) => {
  if (!s[nameMember]) errors.required(path.child(nameMember));
  fileMode(s["defaultMode"], path.child("defaultMode"), errors);
  fileUser(s["defaultUser"], path.child("defaultUser"), errors);
  for (const [n, i] of items(s["items"]).entries()) keyToPath(i, path.child("items").index(n), errors);
};

const HOST_PATH_TYPES = [
  "",
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
];
const hostPath: PlainCheck = (s, path, errors) => {
  if (!required(s["path"] || null, path.child("path"), errors)) return;
  noBacksteps(s["path"], path.child("path"), errors);
  if (isSet(s["type"]) && !HOST_PATH_TYPES.includes(s["type"])) {
    errors.notSupported(path.child("type"), s["type"], HOST_PATH_TYPES);
  }
};

/** It may begin anywhere: in other than linear time it would be looked for from each of many beginnings. */
const QUALIFIED = String.raw`iqn\.\d{4}-\d{2}\.[0-9A-Za-z\-.]+:[^,;*&$|\s]+$`;
const INITIATORS: Readonly<Record<string, (text: string) => boolean>> = {
  iqn: (text) => hasMatch(patternOf(QUALIFIED), text),
  eui: (text) => /^eui.[0-9A-Za-z]{16}$/.test(text),
  naa: (text) => /^naa.[0-9A-Za-z]{32}$/.test(text),
};
function initiatorName(text: string, path: Path, errors: ErrorList): void {
  const isOne = INITIATORS[text.slice(0, 3)];
  if (!isOne) errors.invalid(path, text, "must start with iqn, eui or naa");
  else if (!isOne(text)) errors.invalid(path, text, "must be a valid initiator name");
}

const iscsi: PlainCheck = (s, path, errors) => {
  if (!s["targetPortal"]) errors.required(path.child("targetPortal"));
  if (!s["iqn"]) errors.required(path.child("iqn"));
  else initiatorName(s["iqn"], path.child("iqn"), errors);
  range(s["lun"], 0, 255, path.child("lun"), errors);
  if ((s["chapAuthDiscovery"] || s["chapAuthSession"]) && !s["secretRef"]) errors.required(path.child("secretRef"));
  if (isSet(s["initiatorName"])) initiatorName(s["initiatorName"], path.child("initiatorname"), errors);
};
const iscsiOfVolume: PlainCheck = (s, path, errors, ctx) => {
  iscsi(s, path, errors, ctx);
  if (s["secretRef"] && !s["secretRef"].name) errors.required(path.child("secretRef", "name"));
};
/** Limit of `<volume name>:<target portal>`, where the initiator has a name. */
export const ISCSI_NAME_LIMIT = 64;

const fc: PlainCheck = (s, path, errors) => {
  const wwns = count(s["targetWWNs"]), wwids = count(s["wwids"]);
  if (!wwns && !wwids) errors.required(path.child("targetWWNs"), "must specify either targetWWNs or wwids");
  if (wwns && wwids) {
    errors.invalid(path.child("targetWWNs"), s["targetWWNs"], "must not be specified together with wwids");
  }
  if (!wwns) return;
  if (!isSet(s["lun"])) errors.required(path.child("lun"), "required if targetWWNs is specified");
  else range(s["lun"], 0, 255, path.child("lun"), errors);
};

const partitioned = (name: string): PlainCheck => (s, path, errors) => {
  if (!s[name]) errors.required(path.child(name));
  range(s["partition"], 0, 255, path.child("partition"), errors);
};

const nfs: PlainCheck = (s, path, errors) => {
  if (!s["server"]) errors.required(path.child("server"));
  if (!s["path"]) errors.required(path.child("path"));
  if (!s["path"]?.startsWith("/")) errors.invalid(path.child("path"), s["path"] ?? "", "must be an absolute path");
};

const HOST_PORT = /^(?:[^:[\]]*|\[[^[\]]*\]):[^:[\]]*$/;
const quobyte: PlainCheck = (s, path, errors) => {
  const hint = "must be host:port, several of them joined by commas";
  if (!s["registry"]) errors.required(path.child("registry"), hint);
  else if (longer(s["tenant"] ?? "", 64)) errors.required(path.child("tenant"), "must be a UUID of at most 64 bytes");
  else {
    for (const pair of s["registry"].split(",")) {
      if (!HOST_PORT.test(pair)) errors.invalid(path.child("registry"), s["registry"], hint);
    }
  }
  if (!s["volume"]) errors.required(path.child("volume"));
};

const glusterfsOfVolume: PlainCheck = (s, path, errors, ctx) => {
  need("endpoints", "path")(s, path, errors, ctx);
  const ns = s["endpointsNamespace"];
  if (ns === "") errors.invalid(path.child("endpointsNamespace"), ns, "must be the name of a namespace");
  else if (isSet(ns)) format(ns, path.child("endpointsNamespace"), errors, dnsLabel);
};

const flocker: PlainCheck = (s, path, errors) => {
  if (!s["datasetName"] && !s["datasetUUID"]) errors.required(path, "one of datasetName and datasetUUID is required");
  if (s["datasetName"] && s["datasetUUID"]) {
    errors.invalid(path, "resource", "datasetName and datasetUUID must not both be specified");
  }
  if (s["datasetName"]?.includes("/")) {
    errors.invalid(path.child("datasetName"), s["datasetName"], "must not contain '/'");
  }
};

const gitRepo: PlainCheck = (s, path, errors) => {
  if (!s["repository"]) errors.required(path.child("repository"));
  descendingPath(s["directory"] ?? "", path.child("directory"), errors);
};

const secretName: PlainCheck = (s, path, errors) => {
  if (s["secretRef"] && !s["secretRef"].name) errors.required(path.child("secretRef", "name"));
};
const secretInNamespace: PlainCheck = (s, path, errors, ctx) => {
  secretName(s, path, errors, ctx);
  if (s["secretRef"] && !s["secretRef"].namespace) errors.required(path.child("secretRef", "namespace"));
};
const both = (...checks: PlainCheck[]): PlainCheck => (s, path, errors, ctx) => {
  for (const c of checks) c(s, path, errors, ctx);
};

const reserved = localSet(".kubernetes.io", ".k8s.io");
const flexVolume: PlainCheck = (s, path, errors, ctx) => {
  if (!s["driver"]) errors.required(path.child("driver"));
  for (const k in s["options"] ?? {}) {
    const domain = `.${k.split("/", 1)[0]!.toLowerCase()}`;
    for (const r of reserved(ctx.product)) {
      if (domain.endsWith(r)) errors.invalid(path.child("options").key(k), k, "namespace is reserved");
    }
  }
};

const azureFileOfVolume: PlainCheck = (s, path, errors, ctx) => {
  need("secretName", "shareName")(s, path, errors, ctx);
  if (s["secretNamespace"] === "") errors.required(path.child("secretNamespace"));
};

const CACHING = ["None", "ReadOnly", "ReadWrite"], DISK_KINDS = ["Dedicated", "Managed", "Shared"];
const MANAGED = "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}";
const BLOB = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";
const azureDisk: PlainCheck = (s, path, errors) => {
  if (!s["diskName"]) errors.required(path.child("diskName"));
  const uri: string = s["diskURI"] ?? "", { kind, cachingMode } = s;
  if (!uri) errors.required(path.child("diskURI"));
  if (isSet(cachingMode) && !CACHING.includes(cachingMode)) {
    errors.notSupported(path.child("cachingMode"), cachingMode, CACHING);
  }
  if (!isSet(kind)) return;
  if (!DISK_KINDS.includes(kind)) errors.notSupported(path.child("kind"), kind, DISK_KINDS);
  if (kind === "Managed" && !uri.startsWith("/subscriptions/")) {
    errors.notSupported(path.child("diskURI"), uri, [MANAGED]);
  }
  if (kind !== "Managed" && !uri.startsWith("https://")) errors.notSupported(path.child("diskURI"), uri, [BLOB]);
};

const storageos: PlainCheck = (s, path, errors) => {
  requiredFormat(s["volumeName"], path.child("volumeName"), errors, dnsLabel);
  if (s["volumeNamespace"]) format(s["volumeNamespace"], path.child("volumeNamespace"), errors, dnsLabel);
};

/** Name of a storage driver. */
export function driverName(name: string, path: Path, errors: ErrorList): void {
  if (!name) return errors.required(path);
  if (longer(name, 63)) errors.tooLong(path, 63);
  format(name, path, errors, dnsSubdomainCaseless);
}

const csi: PlainCheck = (s, path, errors) => {
  driverName(s["driver"] ?? "", path.child("driver"), errors);
  const ref = s["nodePublishSecretRef"];
  if (!ref) return;
  if (!ref.name) errors.required(path.child("nodePublishSecretRef", "name"));
  else format(ref.name, path.child("name"), errors, dnsSubdomain);
};

const SECRETS = [
  "controllerPublishSecretRef",
  "controllerExpandSecretRef",
  "nodePublishSecretRef",
  "nodeExpandSecretRef",
];
const csiOfVolume: PlainCheck = (s, path, errors) => {
  driverName(s["driver"] ?? "", path.child("driver"), errors);
  if (!s["volumeHandle"]) errors.required(path.child("volumeHandle"));
  for (const ref of SECRETS) {
    if (!s[ref]) continue;
    requiredFormat(s[ref].name, path.child(ref, "name"), errors, dnsSubdomain);
    requiredFormat(s[ref].namespace, path.child(ref, "namespace"), errors, dnsLabel);
  }
};

const local: PlainCheck = (s, path, errors) => {
  if (!s["path"]) errors.required(path.child("path"));
  else noBacksteps(s["path"], path.child("path"), errors);
};

const common: readonly SourceRow[] = [
  { member: "vsphereVolume", check: need("volumePath") },
  { member: "photonPersistentDisk", check: need("pdID") },
  { member: "portworxVolume", check: need("volumeID") },
  { member: "azureDisk", check: azureDisk },
];
const disks: readonly SourceRow[] = [
  { member: "gcePersistentDisk", check: partitioned("pdName"), checkedAs: "persistentDisk" },
  { member: "awsElasticBlockStore", check: partitioned("volumeID") },
];

/** Rows of pods' volumes; `own` holds the checks that need to know the pod. */
export function podSources<A>(own: Readonly<Record<string, SourceCheck<A>>>): readonly SourceRow<A>[] {
  const row = (member: string): SourceRow<A> => ({ member, check: own[member]! });
  return [
    row("emptyDir"),
    { member: "hostPath", check: hostPath },
    { member: "gitRepo", check: gitRepo },
    ...disks,
    { member: "secret", check: keyed("secretName") },
    { member: "nfs", check: nfs },
    { member: "iscsi", check: iscsi },
    { member: "glusterfs", check: need("endpoints", "path") },
    { member: "flocker", check: flocker },
    { member: "persistentVolumeClaim", check: need("claimName") },
    { member: "rbd", check: need("monitors", "image") },
    { member: "cinder", check: both(need("volumeID"), secretName) },
    { member: "cephfs", check: need("monitors"), refusedAs: "cephFS" },
    { member: "quobyte", check: quobyte },
    { ...row("downwardAPI"), refusedAs: "downwarAPI" },
    { member: "fc", check: fc },
    { member: "flexVolume", check: flexVolume },
    { member: "configMap", check: keyed("name") },
    { member: "azureFile", check: need("secretName", "shareName") },
    ...common,
    { member: "storageos", check: both(storageos, secretName) },
    row("projected"),
    { member: "scaleIO", check: need("gateway", "system", "volumeName") },
    { member: "csi", check: csi },
    row("ephemeral"),
    row("image"),
  ];
}

/** Rows of persistent volumes. */
export const PERSISTENT_SOURCES: readonly SourceRow[] = [
  { member: "hostPath", check: hostPath },
  ...disks,
  { member: "glusterfs", check: glusterfsOfVolume },
  { member: "flocker", check: flocker },
  { member: "nfs", check: nfs },
  { member: "rbd", check: need("monitors", "image") },
  { member: "quobyte", check: quobyte },
  { member: "cephfs", check: need("monitors"), refusedAs: "cephFS" },
  { member: "iscsi", check: iscsiOfVolume },
  { member: "cinder", check: both(need("volumeID"), secretInNamespace) },
  { member: "fc", check: fc },
  { member: "flexVolume", check: flexVolume, beside: true },
  { member: "azureFile", check: azureFileOfVolume },
  ...common,
  { member: "scaleIO", check: need("gateway", "system", "volumeName") },
  { member: "local", check: local },
  { member: "storageos", check: both(storageos, secretInNamespace) },
  { member: "csi", check: csiOfVolume },
];
