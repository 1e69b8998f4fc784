/** The kinds of volumes that this node makes, by the member of a pod's or a PersistentVolume's source. */
import type { CSIPersistentVolumeSource, CSIVolumeSource } from "../../schema/api/core_v1.ts";
import { emptyDir } from "./empty_dir.ts";
import { flexVolume } from "./flex.ts";
import { hostPath } from "./host_path.ts";
import { local, nfs } from "./mounted.ts";
import type { Plugin } from "./plugin.ts";
import { configMap, downwardAPI, projected, secret } from "./projected.ts";

/** No CSI driver can register with this node, so that none is ever found. */
const csi: Plugin<CSIVolumeSource | CSIPersistentVolumeSource> = {
  dir: "kubernetes.io~csi",
  setUp: ({ driver }) =>
    Promise.reject(
      new Error(
        `kubernetes.io/csi: mounter.SetUpAt failed to get CSI client: driver name ${driver} not found in the list of registered CSI drivers`,
      ),
    ),
};

/** The runtime mounts it. */
const image: Plugin<unknown> = {
  dir: "kubernetes.io~image",
  setUp: () => Promise.resolve({ path: "", readOnly: true }),
};

const PLUGINS: Readonly<Record<string, Plugin<never>>> = {
  emptyDir,
  hostPath,
  configMap,
  secret,
  downwardAPI,
  projected,
  local,
  nfs,
  flexVolume,
  csi,
  image,
};

/** A volume's plugin and what it is told. Undefined: this node knows none. */
export function pluginOf(source: object): { readonly plugin: Plugin<unknown>; readonly source: unknown } | undefined {
  for (const [kind, what] of Object.entries(source)) {
    const plugin = what !== null && typeof what === "object" && Object.hasOwn(PLUGINS, kind)
      ? PLUGINS[kind]
      : undefined;
    if (plugin) return { plugin: plugin as unknown as Plugin<unknown>, source: what };
  }
  return undefined;
}

/** Directory names of all plugins; others are those of drivers. */
export const KNOWN: ReadonlySet<string> = new Set(Object.values(PLUGINS).map((p) => p.dir));

/** Directory names of the plugins whose volumes go with all that is in them. */
export const OWNED: ReadonlySet<string> = new Set(
  Object.values(PLUGINS).filter((p) => p.owns).map((p) => p.dir),
);
