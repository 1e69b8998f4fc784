/** Defaults of volumes, in pods and in persistent volumes. */
import { fill, fillZero, forgetEmpty, part, roundResources } from "../checks/fill.ts";
import { items, type Tree } from "../tree.ts";

const MODE = { defaultMode: 0o644 };
const fieldRefs = (list: readonly Tree[] | undefined) => {
  for (const i of items(list)) if (i["fieldRef"]) fillZero(i["fieldRef"], { apiVersion: "v1" });
};

/** By the member of a volume that names its source. */
export const VOLUME_DEFAULTS: Readonly<Record<string, (source: Tree) => void>> = {
  hostPath: (s) => fill(s, { type: "" }),
  secret: (s) => fill(s, MODE),
  configMap: (s) => fill(s, MODE),
  downwardAPI: (s) => {
    fill(s, MODE);
    fieldRefs(s["items"]);
  },
  projected: (s) => {
    fill(s, MODE);
    forgetEmpty(s, "sources");
    for (const p of items(s["sources"])) {
      fieldRefs(p["downwardAPI"]?.items);
      if (p["serviceAccountToken"]) fill(p["serviceAccountToken"], { expirationSeconds: 3600 });
    }
  },
  iscsi: (s) => fillZero(s, { iscsiInterface: "default" }),
  rbd: (s) => fillZero(s, { pool: "rbd", user: "admin", keyring: "/etc/ceph/keyring" }),
  azureDisk: (s) => fill(s, { cachingMode: "ReadWrite", fsType: "ext4", readOnly: false, kind: "Shared" }),
  scaleIO: (s) => fillZero(s, { storageMode: "ThinProvisioned", fsType: "xfs" }),
};

/** Defaults of a claim's spec, also in templates of claims. */
export function claimSpecDefaults(spec: Tree): void {
  fill(spec, { volumeMode: "Filesystem" });
  roundResources(part(spec, "resources")["limits"], spec["resources"].requests);
}

/** Defaults of a claim. */
export function claimDefaults(claim: Tree): void {
  claimSpecDefaults(part(claim, "spec"));
  const status = part(claim, "status");
  fillZero(status, { phase: "Pending" });
  roundResources(status["capacity"], status["allocatedResources"]);
}
