/** A node's volumes with a driver's process, over a server in memory. Another start of the agent can be made of it. */
import { join } from "node:path";
import { CLOCK } from "../../../agent/clock.ts";
import { PluginWatch } from "../../../agent/plugins/mod.ts";
import { NodeVolumes } from "../../../agent/volumes/mod.ts";
import { attachmentName } from "../../../agent/volumes/csi/places.ts";
import type { NodeStatus } from "../../../schema/api/core_v1.ts";
import { type Dialect, productOf } from "../../../schema/product.ts";
import { generateKey } from "../../../pki/mod.ts";
import { CsiDriverProcess, DRIVER } from "../../fixture/csi_driver.ts";
import type { Loose } from "../../fixture/loose.ts";
import { mountsMissing } from "../../fixture/mounts.ts";
import { type TestServer, withServer } from "../../fixture/server.ts";
import { withDirectory } from "../../fixture/directory.ts";
import { partsOf, until } from "./_fixture.ts";

/** Names of pods. */
export const UIDS = ["8b1f0000-0000-0000-0000-000000000011", "8b1f0000-0000-0000-0000-000000000012"] as const;

/** See the top of the file. */
export class CsiRoom {
  readonly driver: CsiDriverProcess;
  /** What the server says of the node. */
  status: NodeStatus = {};
  /** ms by which the agent's clock is before that of the machine. */
  late = 0;
  volumes!: NodeVolumes;
  parts!: ReturnType<typeof partsOf>;
  readonly logged: string[] = [];
  #end = new AbortController();
  #over: Promise<unknown> = Promise.resolve();

  constructor(readonly t: TestServer, readonly dir: string, readonly product = productOf("kubernetes")) {
    this.driver = new CsiDriverProcess(join(dir, "driver"), this.registry);
  }

  get registry(): string {
    return join(this.dir, "plugins_registry");
  }

  /** One start of the agent, after the end of the one before. */
  async start(): Promise<void> {
    await this.end();
    this.logged.splice(0);
    const clock = { ...CLOCK, ticks: () => CLOCK.ticks() + this.late };
    const parts = partsOf(this.t, clock), { signal } = this.#end = new AbortController();
    const uid = await this.#nodeUid();
    const node = {
      ...parts.node,
      uid: () => uid,
      status: () => this.status,
      report: async () => {
        this.status = { ...this.status, volumesInUse: [...await volumes.csi.inUse(this.status.volumesInUse ?? [])] };
      },
    };
    const log = (_: unknown, text: string, detail?: unknown) => void this.logged.push(`${text}: ${detail}`);
    this.parts = { ...parts, node, product: this.product };
    const volumes = this.volumes = new NodeVolumes(
      { rootDir: this.dir, volumeStatsAggPeriod: 60_000, volumePluginDir: "", enableControllerAttachDetach: true },
      { ...this.parts, log },
    );
    const random = (count: number) => new Uint8Array(count);
    const plugins = new PluginWatch(this.registry, { CSIPlugin: volumes.csi.drivers }, { clock, random, log });
    this.#over = Promise.all([volumes.csi.run(signal), plugins.run(signal)]);
  }

  /** Until the driver is registered with this start. */
  async registered(): Promise<void> {
    await until(() => Promise.resolve(this.logged.some((line) => line.startsWith(`plugin ${DRIVER} is registered`))));
  }

  async end(): Promise<void> {
    this.#end.abort();
    await this.#over;
    this.volumes?.close();
    this.parts?.objects.close();
  }

  /** Makes an object. */
  async make(path: string, body: Loose): Promise<Loose> {
    const answer = await this.t.fetch(this.product.local(path), { body });
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.body;
  }

  async patch(path: string, body: Loose): Promise<void> {
    const headers = { "content-type": "application/merge-patch+json" };
    const answer = await this.t.fetch(path, { method: "PATCH", headers, body });
    if (answer.status !== 200) throw new Error(answer.text);
  }

  /** A claim `c` that is bound to a volume `pv` of the driver. */
  async claim(csi: Loose = {}, spec: Loose = {}): Promise<void> {
    const common = {
      accessModes: spec.accessModes ?? ["ReadWriteOnce"],
      ...(spec.volumeMode ? { volumeMode: spec.volumeMode } : {}),
    };
    const claim = await this.make("/api/v1/namespaces/default/persistentvolumeclaims", {
      metadata: { name: "c" },
      spec: { ...common, storageClassName: "", volumeName: "pv", resources: { requests: { storage: "1Mi" } } },
    });
    await this.make("/api/v1/persistentvolumes", {
      metadata: { name: "pv" },
      spec: {
        ...common,
        capacity: { storage: "1Mi" },
        claimRef: { namespace: "default", name: "c", uid: claim.metadata.uid },
        csi: { driver: DRIVER, volumeHandle: "h1", ...csi },
        ...spec,
      },
    });
    await this.patch("/api/v1/namespaces/default/persistentvolumeclaims/c/status", {
      status: { phase: "Bound", capacity: { storage: "1Mi" } },
    });
  }

  /** What others do who attach volumes. */
  async attach(status: Loose = { attached: true, attachmentMetadata: { disk: "sdx" } }): Promise<void> {
    const name = attachmentName({ driver: DRIVER, handle: "h1" }, "here");
    const path = "/apis/storage.k8s.io/v1/volumeattachments";
    await this.make(path, {
      metadata: { name },
      spec: { attacher: DRIVER, nodeName: "here", source: { persistentVolumeName: "pv" } },
    });
    await this.patch(`${path}/${name}/status`, { status });
    this.status = { ...this.status, volumesAttached: [{ name: NAME, devicePath: "" }] };
  }

  async #nodeUid(): Promise<string> {
    const path = "/api/v1/nodes/here", found = await this.t.fetch(path);
    return (found.status === 200 ? found.body : await this.make("/api/v1/nodes", { metadata: { name: "here" } }))
      .metadata.uid;
  }
}

/** Unique name of the volume of {@linkcode CsiRoom.claim}. */
export const NAME = `kubernetes.io/csi/${DRIVER}^h1`;

/** With a first start; all is unmounted after. */
export function csiTest(name: string, run: (room: CsiRoom) => Promise<void>, dialect: Dialect = "kubernetes"): void {
  const missing = mountsMissing();
  Deno.test({
    name: missing === undefined ? name : `${name} (${missing})`,
    ignore: missing !== undefined, // nothing can be mounted on this machine
    fn: () =>
      withServer([`--api-dialect=${dialect}`], (t) =>
        withDirectory(async (dir) => {
          const room = new CsiRoom(t, dir, productOf(dialect));
          try {
            await room.start();
            await room.registered();
            await run(room);
          } finally {
            await room.end();
            await room.driver.stop();
          }
        }), { moreFiles: { signingKey: generateKey() } }),
  });
}
