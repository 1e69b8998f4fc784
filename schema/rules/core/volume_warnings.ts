/** What authors should know of volumes: kinds that are gone, and files that hide one another. */
import type { Path } from "../path.ts";
import { count, items, type Tree } from "../tree.ts";
import type { RuleContext } from "../types.ts";
import { claimSpecWarnings } from "./claim_warnings.ts";
import { withoutEnd } from "../../values/ends.ts";

const GONE: Readonly<Record<string, string>> = {
  photonPersistentDisk: "deprecated in v1.11, without function since v1.16",
  scaleIO: "deprecated in v1.16, without function since v1.22",
  flocker: "deprecated in v1.22, without function since v1.25",
  storageos: "deprecated in v1.22, without function since v1.25",
  quobyte: "deprecated in v1.22, without function since v1.25",
  glusterfs: "deprecated in v1.25, without function since v1.26",
  cephfs: "deprecated in v1.28, without function since v1.31",
  rbd: "deprecated in v1.28, without function since v1.31",
};

/** Gone as well, but clients hear of these on pods only. */
const SILENT_WHEN_PERSISTENT = new Set(["flocker", "quobyte"]);

function sourceWarnings(source: Tree, path: Path): string[] {
  return Object.keys(source).filter((k) => source[k] && Object.hasOwn(GONE, k)).map((k) =>
    `${path.child(k)}: ${GONE[k]}`
  );
}

/** Warnings about the source of a persistent volume; `spec` is the volume's. */
export function persistentSourceWarnings(spec: Tree, path: Path): string[] {
  return sourceWarnings(Object.fromEntries(Object.entries(spec).filter(([k]) => !SILENT_WHEN_PERSISTENT.has(k))), path);
}

/** Warnings about the volumes of a pod. */
export function volumeWarnings(volumes: readonly Tree[], path: Path, ctx: RuleContext): string[] {
  return volumes.flatMap((v, i) => {
    const at = path.index(i), out = sourceWarnings(v, at), claim = v["ephemeral"]?.volumeClaimTemplate;
    if (v["gitRepo"]) {
      const off = ctx.gate("GitRepoVolumeDriver") ? "" : ", and disabled by default since v1.33";
      out.push(`${at.child("gitRepo")}: deprecated in v1.11${off}`);
    }
    if (claim) out.push(...claimSpecWarnings(claim.spec ?? {}, at.child("ephemeral", "volumeClaimTemplate", "spec")));
    return [...out, ...overlaps(v)];
  });
}

interface Place {
  path: string;
  source: string;
}

function overlaps(v: Tree): string[] {
  const projected: Tree | undefined = v["projected"];
  const [name, places] = projected ? ["Projected", items(projected["sources"]).flatMap(projectedPlaces)] : plain(v);
  const out: string[] = [];
  for (const s of items(projected?.["sources"])) {
    if (!Object.values(s).some(Boolean)) out.push(`volume "${v["name"]}" (Projected) has no sources provided`);
  }
  const some = colliding(places);
  for (const [i, a] of some.entries()) {
    for (let j = 0; j < i; j++) {
      const b = some[j]!;
      if (collide(a.path, b.path)) {
        out.push(`volume "${v["name"]}" (${name}): overlapping paths: ${show(a)} with ${show(b)}`);
      }
    }
  }
  return out;
}

/** Places looked at for warnings: more of them would tell nothing, and a list may be as long as a body can hold. */
const MOST_COLLIDING = 64;

/** The first of those that another one has the path of, or is within or around. */
function colliding(places: readonly Place[]): readonly Place[] {
  if (places.length < 8) return places;
  const times = new Map<string, number>(), around = new Set<string>();
  for (const { path } of places) {
    times.set(path, (times.get(path) ?? 0) + 1);
    for (const above of parents(path)) around.add(above);
  }
  const out: Place[] = [];
  for (const p of places) {
    if (times.get(p.path)! > 1 || around.has(p.path) || parents(p.path).some((above) => times.has(above))) out.push(p);
    if (out.length === MOST_COLLIDING) break;
  }
  return out;
}

/** Directories above a path that are looked at. */
const DEEPEST = 64;

/** The directories that a path is in. */
function parents(path: string): string[] {
  const out: string[] = [];
  for (let i = path.indexOf("/"); i >= 0 && out.length < DEEPEST; i = path.indexOf("/", i + 1)) {
    out.push(path.slice(0, i));
  }
  return out;
}

const show = (p: Place) => p.source ? `"${p.path}" (${p.source})` : `"${p.path}"`;

const collide = (a: string, b: string): boolean =>
  a !== "" && b !== "" && (`${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`));

const place = (path: unknown, source: string): Place => ({ path: withoutEnd(String(path ?? ""), "/"), source });
const listed = (source: Tree, name: string): Place[] => items(source["items"]).map((x) => place(x["path"], name));

function plain(v: Tree): readonly [string, readonly Place[]] {
  const { configMap, secret, downwardAPI } = v;
  if (configMap) return [`ConfigMap "${configMap.name ?? ""}"`, listed(configMap, "")];
  if (secret) return [`Secret "${secret.secretName ?? ""}"`, listed(secret, "")];
  return ["DownwardAPI", downwardAPI ? listed(downwardAPI, "") : []];
}

function projectedPlaces(s: Tree): Place[] {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } = s;
  if (configMap && count(configMap.items)) return listed(configMap, `ConfigMap "${configMap.name ?? ""}"`);
  if (secret && count(secret.items)) return listed(secret, `Secret "${secret.name ?? ""}"`);
  if (downwardAPI) return listed(downwardAPI, "DownwardAPI");
  if (serviceAccountToken) return [place(serviceAccountToken.path, "ServiceAccountToken")];
  if (clusterTrustBundle) {
    const name = clusterTrustBundle.name ?? clusterTrustBundle.signerName ?? "";
    return [place(clusterTrustBundle.path, `ClusterTrustBundle "${name}"`)];
  }
  return [
    place(podCertificate?.certificateChainPath, "PodCertificate chain"),
    place(podCertificate?.keyPath, "PodCertificate key"),
    place(podCertificate?.credentialBundlePath, "PodCertificate credential bundle"),
  ];
}
