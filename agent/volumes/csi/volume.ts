/** One volume of a driver as a pod uses it, and what calls for it have in common. */
import type {
  CSIPersistentVolumeSource,
  CSIVolumeSource,
  PersistentVolume,
  Secret,
  SecretReference,
} from "../../../schema/api/core_v1.ts";
import type { CSIDriver } from "../../../schema/api/storage.k8s.io_v1.ts";
import { type Claimed, groupOf, type Host, type VolumeSetup } from "../plugin.ts";
import type { Ability, Access, Capability } from "./calls.ts";
import { podVolumeHandle, type VolumeId } from "./places.ts";

/** Either kind of source. */
export type CsiSource = CSIPersistentVolumeSource | CSIVolumeSource;

type Strings = Readonly<Record<string, string>>;

/** See the top of the file. */
export interface CsiVolume {
  readonly setup: VolumeSetup;
  readonly id: VolumeId;
  /** It is made for this pod alone. */
  readonly isEphemeral: boolean;
  /** Behind a claim. */
  readonly claimed: Claimed | undefined;
  readonly readOnly: boolean;
  readonly fsType: string;
  readonly attributes: Strings;
  readonly publishSecret: SecretReference | undefined;
  readonly stageSecret: SecretReference | undefined;
  readonly expandSecret: SecretReference | undefined;
  /** What the cluster says of its driver. */
  readonly object: CSIDriver | undefined;
}

/** A volume of a claim or of the pod's own. */
export function csiVolume(source: CsiSource, setup: VolumeSetup, object: CSIDriver | undefined): CsiVolume {
  const { claimed, ref, name } = setup;
  const common = {
    setup,
    object,
    claimed,
    fsType: source.fsType ?? "",
    attributes: source.volumeAttributes ?? {},
  };
  if (claimed) {
    const of = source as CSIPersistentVolumeSource;
    return {
      ...common,
      id: { driver: of.driver, handle: of.volumeHandle },
      isEphemeral: false,
      readOnly: setup.readOnly,
      publishSecret: of.nodePublishSecretRef,
      stageSecret: of.nodeStageSecretRef,
      expandSecret: of.nodeExpandSecretRef,
    };
  }
  const { driver, readOnly = false, nodePublishSecretRef: secret } = source as CSIVolumeSource;
  return {
    ...common,
    id: { driver, handle: podVolumeHandle(ref.uid, name) },
    isEphemeral: true,
    readOnly,
    publishSecret: secret && { name: secret.name ?? "", namespace: ref.namespace },
    stageSecret: undefined,
    expandSecret: undefined,
  };
}

/** A secret's content, for the driver. @param what says in faults whose it is @throws Error */
export async function secretOf(host: Host, ref: SecretReference | undefined, what: string): Promise<Strings> {
  if (!ref) return {};
  const { name = "", namespace = "" } = ref;
  try {
    if (!host.api) throw new Error("there is no API server");
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/secrets/${encodeURIComponent(name)}`;
    const { data = {} } = await host.api.request<Secret>("GET", path);
    const text = new TextDecoder();
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, text.decode(Uint8Array.fromBase64(value))]),
    );
  } catch (e) {
    const why = `kubernetes.io/csi: failed to find the secret ${name} in the namespace ${namespace} with error: ${
      (e as Error).message
    }`;
    throw new Error(`${what} ${namespace}/${name} failed: ${why}`, { cause: e });
  }
}

const MODES: Readonly<Record<string, Access>> = {
  ReadWriteOnce: "SINGLE_NODE_WRITER",
  ReadOnlyMany: "MULTI_NODE_READER_ONLY",
  ReadWriteMany: "MULTI_NODE_MULTI_WRITER",
  ReadWriteOncePod: "SINGLE_NODE_WRITER",
};
/** Of drivers that tell several pods of a node from one. */
const FINER_MODES: Readonly<Record<string, Access>> = {
  ...MODES,
  ReadWriteOnce: "SINGLE_NODE_MULTI_WRITER",
  ReadWriteOncePod: "SINGLE_NODE_SINGLE_WRITER",
};

function accessOf(volume: PersistentVolume | undefined, can: ReadonlySet<Ability>): Access {
  const mode = volume?.spec?.accessModes?.[0] ?? "ReadWriteOnce";
  return (can.has("SINGLE_NODE_MULTI_WRITER") ? FINER_MODES : MODES)[mode] ?? "UNKNOWN";
}

/** Options that the PersistentVolume has for mounting. */
const mountFlags = ({ claimed }: CsiVolume) => claimed?.volume.spec?.mountOptions ?? [];

/** The volume with its files. @param withGroup the driver gives them to the pod's group, if it can */
export function filesOf(volume: CsiVolume, can: ReadonlySet<Ability>, withGroup: boolean): Capability {
  const group = withGroup && can.has("VOLUME_MOUNT_GROUP") ? groupOf(volume.setup.pod) : undefined;
  return {
    mount: {
      fsType: volume.fsType,
      mountFlags: mountFlags(volume),
      volumeMountGroup: group === undefined ? undefined : String(group),
    },
    accessMode: { mode: accessOf(volume.claimed?.volume, can) },
  };
}

/** The volume as a disk. */
export const diskOf = ({ claimed }: CsiVolume, can: ReadonlySet<Ability>): Capability => ({
  block: {},
  accessMode: { mode: accessOf(claimed?.volume, can) },
});
