/** A node's volumes below a directory of their own, over a server in memory. */
import { join } from "node:path";
import { NodeVolumes } from "../../../agent/volumes/mod.ts";
import { generateKey } from "../../../pki/mod.ts";
import { mountsMissing } from "../../fixture/mounts.ts";
import { type TestServer, withServer } from "../../fixture/server.ts";
import { withDirectory } from "../../fixture/directory.ts";
import { partsOf, StandingClock } from "./_fixture.ts";

/** The pod whose volumes are given back in the end. */
export const UID = "8b1f0000-0000-0000-0000-000000000001";
export const REF = { namespace: "default", name: "p", uid: UID };

/** What tests of volumes have. */
export interface Room {
  readonly t: TestServer;
  readonly dir: string;
  readonly volumes: NodeVolumes;
  readonly parts: ReturnType<typeof partsOf>;
  readonly clock: StandingClock;
}

/** Volumes below a directory of their own; all is unmounted after. @param missing why it cannot be tested on this machine */
export function test(name: string, run: (room: Room) => Promise<void>, missing = mountsMissing()): void {
  Deno.test({
    name: missing === undefined ? name : `${name} (${missing})`,
    ignore: missing !== undefined, // nothing can be mounted on this machine
    fn: () =>
      withServer([], (t) =>
        withDirectory(async (dir) => {
          const clock = new StandingClock(Date.now());
          const parts = partsOf(t, clock);
          const volumes = new NodeVolumes({
            rootDir: dir,
            volumeStatsAggPeriod: 60_000,
            volumePluginDir: join(dir, "drivers"),
            enableControllerAttachDetach: true,
          }, parts);
          try {
            await run({ t, dir, volumes, parts, clock });
          } finally {
            await volumes.unmount(REF);
            volumes.close();
            parts.objects.close();
          }
        }), { moreFiles: { signingKey: generateKey() } }),
  });
}
