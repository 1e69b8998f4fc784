/** Where volumes of drivers lie on this host, below the agent's directory. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { entryName, type PodPaths } from "../paths.ts";

/** A volume as its driver knows it. */
export interface VolumeId {
  readonly driver: string;
  readonly handle: string;
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Name of the directories of a pod's volumes. */
export const DIR = "kubernetes.io~csi";

/** Directory of all that is staged. */
export const stagedRoot = (root: string): string => join(root, "plugins/kubernetes.io/csi");

/** Where a volume with files is staged. @throws Error: the driver's name is none of a directory */
export const globalMount = (root: string, { driver, handle }: VolumeId): string =>
  join(stagedRoot(root), entryName(driver), sha256(handle), "globalmount");

/** Where a disk is staged, told of, and published to each pod, by the name of its PersistentVolume. */
export function diskPlaces(root: string, name: string) {
  const dir = join(stagedRoot(root), "volumeDevices"), entry = entryName(name);
  return { staging: join(dir, "staging", entry), data: join(dir, entry, "data"), publish: join(dir, "publish", entry) };
}

/** Links to a pod's disks. */
export const podDisks = ({ pod }: Pick<PodPaths, "pod">): string => join(pod, "volumeDevices", DIR);

/** Name of a VolumeAttachment. */
export const attachmentName = ({ driver, handle }: VolumeId, node: string): string =>
  `csi-${sha256(`${handle}${driver}${node}`)}`;

/** Handle of a volume that is made for one pod alone. */
export const podVolumeHandle = (uid: string, name: string): string => `csi-${sha256(`${uid}${name}`)}`;
