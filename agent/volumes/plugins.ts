/** The kinds of volumes that this node makes, by the member of a pod's or a PersistentVolume's source. */
import { csi } from "./csi/plugin.ts";
import { emptyDir } from "./empty_dir.ts";
import { flexVolume } from "./flex.ts";
import { hostPath } from "./host_path.ts";
import { local, nfs } from "./mounted.ts";
import type { Plugin } from "./plugin.ts";
import { configMap, downwardAPI, projected, secret } from "./projected.ts";

/** The runtime mounts it. */
const image: Plugin<unknown> = {
  dir: "kubernetes.io~image",
  setUp: () => Promise.resolve({ path: "", readOnly: true }),
};

/** A feature that is locked off. */
const gitRepo: Plugin<unknown> = {
  dir: "kubernetes.io~git-repo",
  setUp: () =>
    Promise.reject(
      new Error(
        "git-repo volume plugin has been disabled; if necessary, it may be re-enabled by enabling the feature-gate `GitRepoVolumeDriver`",
      ),
    ),
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
  gitRepo,
};

/** A volume's plugin and what it is told. Undefined: this node knows none. */
export function pluginOf(source: object): { readonly plugin: Plugin<unknown>; readonly source: unknown } | undefined {
  for (const [kind, what] of Object.entries(source)) {
    const plugin = what !== null && typeof what === "object" && Object.hasOwn(PLUGINS, kind)
      ? PLUGINS[kind]
      : undefined;
    if (plugin) return { plugin: plugin as Plugin<unknown>, source: what };
  }
  return undefined;
}

/** Directory names of all plugins; others are those of drivers. */
export const KNOWN: ReadonlySet<string> = new Set(Object.values(PLUGINS).map((p) => p.dir));

/** Directory names of the plugins whose volumes go with all that is in them. */
export const OWNED: ReadonlySet<string> = new Set(
  Object.values(PLUGINS).filter((p) => p.owns).map((p) => p.dir),
);

/** Plugins whose volumes are given back by themselves. */
export const GIVING_BACK: readonly Plugin<never>[] = Object.values(PLUGINS).filter((p) => p.takeBack);
