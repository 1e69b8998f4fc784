/** The two ways in which pods get a volume: with its files, or as a disk. */
import { join } from "node:path";
import type { VolumeSetup } from "../plugin.ts";
import type { Ability, Capability } from "./calls.ts";
import { noteDisk, publishDisk } from "./disk.ts";
import { diskPlaces, globalMount } from "./places.ts";
import { publish, type Publishing } from "./publish.ts";
import { type CsiVolume, diskOf, filesOf } from "./volume.ts";

/** See the top of the file. */
export interface Way {
  /** Names of its steps in events, and what of it finds its driver. */
  readonly steps: { readonly wait: string; readonly stage: string; readonly publish: string; readonly finder: string };
  /** Where a pod gets it. */
  path(setup: VolumeSetup, root: string): string;
  staging(volume: CsiVolume, root: string): { readonly path: string; readonly disk?: string };
  /** @param withGroup the driver gives its files to the pod's group, if it can */
  capability(volume: CsiVolume, can: ReadonlySet<Ability>, withGroup: boolean): Capability;
  /** Before anything of it is made. */
  prepare?(volume: CsiVolume, root: string): Promise<void>;
  publish(volume: CsiVolume, publishing: Publishing): Promise<void>;
}

/** With its files. */
export const FILES: Way = {
  steps: {
    wait: "MountVolume.WaitForAttach",
    stage: "MountVolume.MountDevice",
    publish: "MountVolume.SetUp",
    finder: "attacher.MountDevice",
  },
  path: ({ dir }) => join(dir, "mount"),
  staging: ({ id }, root) => ({ path: globalMount(root, id) }),
  capability: filesOf,
  publish,
};

/** Its files, of one that is the pod's own: there is nothing to be staged. */
export const OWN_FILES: Way = {
  ...FILES,
  steps: { ...FILES.steps, stage: FILES.steps.publish, finder: "mounter.SetUpAt" },
};

/** As a disk. */
export const DISK: Way = {
  steps: {
    wait: "MapVolume.WaitForAttach",
    stage: "MapVolume.SetUpDevice",
    publish: "MapVolume.MapPodDevice",
    finder: "blockMapper.SetUpDevice",
  },
  path: ({ name, ref }, root) => join(diskPlaces(root, name).publish, ref.uid),
  staging: ({ setup: { name } }, root) => ({ path: diskPlaces(root, name).staging, disk: name }),
  capability: diskOf,
  prepare: noteDisk,
  publish: publishDisk,
};
