/** Volumes of pods. */
import { format, oneOf } from "../checks/basic.ts";
import { dnsLabel, dnsSubdomain, qualifiedName } from "../checks/formats.ts";
import { volumePath } from "../checks/paths.ts";
import { labelSelector } from "../checks/selectors.ts";
import { isOwnSigner, signerName, trustBundleName } from "../checks/signers.ts";
import { ErrorList } from "../errors.ts";
import { ANNOTATIONS_LIMIT, validateTemplateMeta } from "../object_meta.ts";
import type { Path } from "../path.ts";
import { isSet, items, type Tree } from "../tree.ts";
import { parseQuantity } from "../../values/quantity.ts";
import { byteLength } from "../../values/utf8.ts";
import { claimSpec } from "./claim_spec.ts";
import { fieldRef, resourceFieldRef, VOLUME_FIELDS } from "./env.ts";
import type { PodScope } from "./pod_scope.ts";
import { pullPolicy } from "./pull_policy.ts";
import {
  fileMode,
  fileUser,
  ISCSI_NAME_LIMIT,
  keyToPath,
  oneSource,
  podSources,
  type SourceRow,
} from "./volume_sources.ts";

/** All volumes of a pod. Good ones are put into the scope, so that mounts can be looked up. */
export function volumes(scope: PodScope, path: Path): void {
  const list = items(scope.spec["volumes"]);
  if (!list.length) return;
  const podName = scope.meta?.name;
  const created = new Set(podName ? list.filter((v) => v["ephemeral"]).map((v) => `${podName}-${v["name"]}`) : []);
  for (const [i, v] of list.entries()) {
    const at = path.index(i), errors = new ErrorList(), name: string = v["name"] ?? "";
    const own: PodScope = { ...scope, errors };
    oneSource(
      SOURCES,
      v,
      at,
      errors,
      scope.ctx,
      own,
      (member, source, first) => afterSource(own, member, source, first, name, at),
    );
    if (!name) errors.required(at.child("name"));
    else format(name, at.child("name"), errors, dnsLabel);
    if (scope.volumes.has(name)) errors.duplicate(at.child("name"), name);
    if (errors.empty) scope.volumes.set(name, v);
    else scope.errors.take(errors.causes);
    if (created.has(v["persistentVolumeClaim"]?.claimName)) {
      scope.errors.invalid(
        at.child("persistentVolumeClaim", "claimName"),
        v["persistentVolumeClaim"].claimName,
        "must not be a claim that is made for an ephemeral volume",
      );
    }
  }
}

function afterSource(scope: PodScope, member: string, source: Tree, first: boolean, name: string, at: Path): void {
  if (
    member === "iscsi" && isSet(source["initiatorName"]) &&
    byteLength(`${name}:${source["targetPortal"] ?? ""}`) > ISCSI_NAME_LIMIT
  ) {
    scope.errors.invalid(
      at.child("name"),
      name,
      `<volume name>:<iscsi.targetPortal> must be at most ${ISCSI_NAME_LIMIT} bytes`,
    );
  }
  if (member === "ephemeral" && first && scope.meta?.name && name) {
    format(`${scope.meta.name}-${name}`, at.child("name"), scope.errors, dnsSubdomain);
  }
}

const SOURCES: readonly SourceRow<PodScope>[] = podSources<PodScope>({
  emptyDir: (s, path, errors) => {
    if (isSet(s["sizeLimit"]) && parseQuantity(s["sizeLimit"]).sign() < 0) {
      errors.forbidden(path.child("sizeLimit"), "must be a valid resource quantity");
    }
    if (isSet(s["mode"]) && (s["mode"] < 0 || s["mode"] > 0o1777)) {
      errors.invalid(path.child("mode"), s["mode"], "must be a number between 0 and 01777 (octal), both inclusive");
    }
  },
  downwardAPI: (s, path, errors) => {
    fileMode(s["defaultMode"], path.child("defaultMode"), errors);
    fileUser(s["defaultUser"], path.child("defaultUser"), errors);
    for (const f of items(s["items"])) downwardFile(f, path, errors);
  },
  projected: (s, path, errors, _, scope) => projected(s, path, errors, scope),
  ephemeral: (s, path, errors, _, scope) => ephemeral(s, path, errors, scope),
  image: (s, path, errors, _, scope) => {
    if (scope.isPod && !s["reference"]) errors.required(path.child("reference"));
    pullPolicy(s["pullPolicy"], path.child("pullPolicy"), errors);
  },
});

function downwardFile(f: Tree, path: Path, errors: ErrorList): void {
  if (!f["path"]) errors.required(path.child("path"));
  volumePath(f["path"] ?? "", path.child("path"), errors);
  if (f["fieldRef"]) {
    fieldRef(f["fieldRef"], VOLUME_FIELDS, path.child("fieldRef"), errors);
    if (f["resourceFieldRef"]) {
      errors.invalid(path, "resource", "fieldRef and resourceFieldRef must not both be specified");
    }
  } else if (f["resourceFieldRef"]) {
    resourceFieldRef(f["resourceFieldRef"], path.child("resourceFieldRef"), errors, true);
  } else errors.required(path, "one of fieldRef and resourceFieldRef is required");
  fileMode(f["mode"], path.child("mode"), errors);
  fileUser(f["user"], path.child("user"), errors);
}

function ephemeral(s: Tree, path: Path, errors: ErrorList, scope: PodScope): void {
  const t = s["volumeClaimTemplate"], at = path.child("volumeClaimTemplate");
  if (!t) return errors.required(at);
  validateTemplateMeta(t.metadata ?? {}, at.child("metadata"), errors);
  claimSpec(t.spec ?? {}, at.child("spec"), errors, scope.ctx);
}

/** Everything that a projected volume can gather, and that no two files have one path. */
function projected(s: Tree, path: Path, errors: ErrorList, scope: PodScope): void {
  fileMode(s["defaultMode"], path.child("defaultMode"), errors);
  fileUser(s["defaultUser"], path.child("defaultUser"), errors);
  const paths = new Set<string>();
  const claim = (p: string | undefined) => {
    if (p === undefined) return;
    if (paths.has(p)) errors.invalid(path, p, "conflicting duplicate paths");
    else paths.add(p);
  };
  for (const [i, source] of items(s["sources"]).entries()) {
    const at = path.child("sources").index(i);
    let found = 0;
    for (const [member, check] of Object.entries(PROJECTIONS)) {
      if (!isSet(source[member])) continue;
      found++;
      check(source[member], at.child(member), { errors, claim, volume: path, scope });
      fileUser(source[member].user, at.child(member, "user"), errors);
    }
    if (found > 1) errors.forbidden(at, "must not specify more than 1 type of source");
  }
}

interface Projection {
  readonly errors: ErrorList;
  readonly claim: (path: string | undefined) => void;
  /** Place of the whole volume. */
  readonly volume: Path;
  readonly scope: PodScope;
}

const keyedProjection = (s: Tree, path: Path, { errors, claim }: Projection): void => {
  if (!s["name"]) errors.required(path.child("name"));
  for (const [n, i] of items(s["items"]).entries()) {
    keyToPath(i, path.child("items").index(n), errors);
    claim(i["path"] || undefined);
  }
};

const PROJECTIONS: Readonly<Record<string, (s: Tree, path: Path, p: Projection) => void>> = {
  secret: keyedProjection,
  configMap: keyedProjection,
  downwardAPI: (s, path, { errors, claim }) => {
    for (const f of items(s["items"])) {
      downwardFile(f, path, errors);
      claim(f["path"] || undefined);
    }
  },
  serviceAccountToken: (s, path, { errors, volume, scope }) => {
    const seconds = s["expirationSeconds"] ?? 0;
    if (seconds < 600) errors.invalid(path.child("expirationSeconds"), seconds, "must be at least 10 minutes");
    if (seconds > 2 ** 32) errors.invalid(path.child("expirationSeconds"), seconds, "must be at most 2^32 seconds");
    if (!s["path"]) errors.required(volume.child("path"));
    else if (!scope.forgiven.tokenPaths) volumePath(s["path"], volume.child("path"), errors);
  },
  clusterTrustBundle: trustBundle,
  podCertificate,
};

function trustBundle(s: Tree, path: Path, { errors, claim }: Projection): void {
  const named = isSet(s["name"]), signed = isSet(s["signerName"]);
  if (named && signed) errors.invalid(path, s, "only one of name and signerName may be used");
  else if (named) {
    if (!s["name"]) errors.required(path.child("name"), "must be an object's name");
    format(s["name"], path.child("name"), errors, trustBundleName);
    if (isSet(s["labelSelector"])) {
      errors.invalid(path.child("labelSelector"), s["labelSelector"], "must not be set if name is");
    }
  } else if (signed) {
    if (!s["signerName"]) errors.required(path.child("signerName"), "must be a signer's name");
    signerName(s["signerName"], path.child("signerName"), errors);
    labelSelector(s["labelSelector"], path.child("labelSelector"), errors);
  } else errors.required(path, "either name or signerName must be specified");
  if (!s["path"]) errors.required(path.child("path"));
  volumePath(s["path"] ?? "", path.child("path"), errors);
  claim(s["path"] ?? "");
}

const KEY_TYPES = ["RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"];
const HOUR = 3600, DAY = 86400;
const LONGEST = 91 * DAY;

function podCertificate(s: Tree, path: Path, { errors, claim, scope }: Projection): void {
  signerName(s["signerName"] ?? "", path.child("signerName"), errors);
  oneOf(s["keyType"], KEY_TYPES, path.child("keyType"), errors);
  const seconds = s["maxExpirationSeconds"];
  if (isSet(seconds)) {
    const most = isOwnSigner(s["signerName"] ?? "", scope.ctx) ? DAY : LONGEST;
    const at = path.child("maxExpirationSeconds"), must = "if provided, maxExpirationSeconds must be";
    if (seconds < HOUR) errors.invalid(at, seconds, `${must} >= ${HOUR}`);
    if (seconds > most) errors.invalid(at, seconds, `${must} <= ${most}`);
  }
  let found = 0;
  for (const member of ["credentialBundlePath", "keyPath", "certificateChainPath"]) {
    if (!s[member]) continue;
    found++;
    volumePath(s[member], path.child(member), errors);
    claim(s[member]);
  }
  if (!found) errors.required(path, "specify at least one of credentialBundlePath, keyPath and certificateChainPath");
  const own: Tree = s["userAnnotations"] ?? {}, at = path.child("userAnnotations");
  let size = 0;
  for (const k in own) {
    size += byteLength(k) + byteLength(own[k]);
    if (!k) errors.required(at);
    else if (qualifiedName(k.toLowerCase()).length) format(k.toLowerCase(), at, errors, qualifiedName);
    else if (!k.includes("/")) errors.invalid(at, k, "must be a key with a domain");
  }
  if (size > ANNOTATIONS_LIMIT) errors.tooLong(at, ANNOTATIONS_LIMIT);
}
