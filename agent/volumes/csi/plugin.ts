/** Volumes of drivers that are registered with this node (CSI). */
import { withEach } from "../../each.ts";
import type { Plugin } from "../plugin.ts";
import { unpublishDisks } from "./disk.ts";
import { makeVolume } from "./make.ts";
import { DIR } from "./places.ts";
import { unpublishAll } from "./publish.ts";
import { usageAt } from "./stats.ts";
import type { CsiSource } from "./volume.ts";
import { DISK, FILES, OWN_FILES } from "./way.ts";

/** See the top of the file. */
export const csi: Plugin<CsiSource> = {
  dir: DIR,
  follows: true,
  takesOptions: true,
  async setUp(source, setup) {
    const readOnly = setup.readOnly || (!setup.claimed && (source.readOnly ?? false));
    return { path: await makeVolume(source, setup, setup.claimed ? FILES : OWN_FILES), readOnly };
  },
  device: (source, setup) => makeVolume(source, setup, DISK),
  use: (path, { csi }) => usageAt(csi, path),
  async takeBack(paths, uid, { csi }) {
    const root = await csi.root();
    await withEach([
      () => unpublishAll(paths, uid, csi),
      () => unpublishDisks(paths, uid, root, csi),
    ], (step) => step());
    csi.uses.leave(uid);
  },
};
