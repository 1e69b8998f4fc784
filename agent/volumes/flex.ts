/** Volumes that a driver of the host mounts (FlexVolume). */
import { mkdir, rmdir } from "node:fs/promises";
import type { FlexPersistentVolumeSource, FlexVolumeSource, Secret } from "../../schema/api/core_v1.ts";
import { flexDirectory } from "./flex_drivers.ts";
import { giveVolume } from "./give.ts";
import { mountedAt } from "./mounts.ts";
import { groupOf, type Plugin, type VolumeSetup } from "./plugin.ts";
import { NO_PLUGIN } from "./step.ts";

type Source = FlexVolumeSource | FlexPersistentVolumeSource;
type Strings = Readonly<Record<string, string>>;

/** Options for drivers have public names in every dialect: drivers go by them. */
const OPTION = "kubernetes.io";

/** Secrets of a type that is the driver's name; others are not the driver's to see. */
async function secretOptions({ driver, secretRef }: Source, { host, ref }: VolumeSetup): Promise<Strings> {
  if (!secretRef?.name) return {};
  const { name, namespace = ref.namespace } = secretRef as { name: string; namespace?: string };
  try {
    if (!host.api) throw new Error("cannot get kube client");
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/secrets/${encodeURIComponent(name)}`;
    const { type, data } = await host.api.request<Secret>("GET", path);
    if (type !== driver) throw new Error(`cannot get secret of type ${driver}`);
    return Object.fromEntries(Object.entries(data ?? {}).map(([key, value]) => [`${OPTION}/secret/${key}`, value]));
  } catch (e) {
    throw new Error(`couldn't get secret ${namespace}/${name} err: ${(e as Error).message}`, { cause: e });
  }
}

async function optionsOf(source: Source, volume: VolumeSetup, readOnly: boolean): Promise<Strings> {
  const { name, pod, ref } = volume, group = groupOf(pod);
  return {
    [`${OPTION}/fsType`]: source.fsType ?? "",
    [`${OPTION}/readwrite`]: readOnly ? "ro" : "rw",
    [`${OPTION}/pvOrVolumeName`]: name,
    [`${OPTION}/pod.name`]: ref.name,
    [`${OPTION}/pod.namespace`]: ref.namespace,
    [`${OPTION}/pod.uid`]: ref.uid,
    [`${OPTION}/serviceAccount.name`]: pod.spec?.serviceAccountName ?? "",
    ...await secretOptions(source, volume),
    ...(group === undefined ? {} : { [`${OPTION}/mounterArgs.FsGroup`]: String(group) }),
    ...source.options,
  };
}

/** See the top of the file. */
export const flexVolume: Plugin<Source> = {
  dir: "kubernetes.io~flexvolume",
  dirOf: ({ driver }) => flexDirectory(driver),
  isKnown: async ({ driver }, { drivers }) => await drivers.has(flexDirectory(driver)),
  async setUp(source, volume) {
    const { host, dir, pod } = volume;
    const readOnly = volume.readOnly || (source.readOnly ?? false);
    const driver = await host.drivers.find(flexDirectory(source.driver));
    if (!driver) throw new Error(NO_PLUGIN);
    if (driver.can.attach) {
      throw new Error(`flexvolume driver ${source.driver} wants its volumes attached, which this node does not do`);
    }
    const mounted = { path: dir, readOnly };
    if (await mountedAt(dir)) return mounted;
    await mkdir(dir, { recursive: true, mode: 0o750 });
    try {
      const options = await optionsOf(source, volume, readOnly);
      if (!await driver.call("mount", dir, JSON.stringify(options))) throw new Error("Not supported");
    } catch (e) {
      await rmdir(dir).catch(() => {});
      throw e;
    }
    const group = groupOf(pod);
    // As the public agent does it: the volume is used even if its files cannot be given away.
    if (group !== undefined && !readOnly && driver.can.fsGroup) await giveVolume(volume, group).catch(() => {});
    return mounted;
  },
};
