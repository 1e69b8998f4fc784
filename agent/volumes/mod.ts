/** Volumes of the pods of this node. */
import { mkdir, realpath } from "node:fs/promises";
import type { PersistentVolume, Pod, Volume } from "../../schema/api/core_v1.ts";
import type { Product } from "../../schema/product.ts";
import { allContainersOf } from "../pods/spec.ts";
import type { Api, Clock, Events, MountedVolume, PodRef, Volumes } from "../types.ts";
import { checkNode, type Claimed, claimOf, findClaimed } from "./claims.ts";
import { FlexDrivers } from "./flex_drivers.ts";
import type { ReferencedObjects } from "./objects.ts";
import { PodPaths } from "./paths.ts";
import type { Host, NodeFacts, Plugin, VolumeSetup } from "./plugin.ts";
import { PodCertificates } from "./pod_certificates.ts";
import { pluginOf } from "./plugins.ts";
import { VolumeStats, type VolumeUse } from "./stats.ts";
import { bindSubPath } from "./subpath.ts";
import { tearDown } from "./teardown.ts";
import { Tokens } from "./tokens.ts";
import { TrustBundles } from "./trust_bundles.ts";
import { Turns } from "./turns.ts";

/** Options that volumes go by. */
export interface VolumeOptions {
  readonly rootDir: string;
  /** ms; 0 or less: no statistics. */
  readonly volumeStatsAggPeriod: number;
  /** Where drivers of volumes lie. */
  readonly volumePluginDir: string;
}

/** What volumes are made with. */
export interface VolumeParts {
  /** Undefined: the agent has no server. */
  readonly api: Api | undefined;
  readonly objects: ReferencedObjects;
  readonly node: NodeFacts;
  readonly clock: Clock;
  readonly events: Events;
  readonly product: Product;
  /** In [0, 1). */
  readonly random: () => number;
}

/** A volume that was made. */
interface Made {
  readonly plugin: Plugin<unknown>;
  readonly mounted: MountedVolume;
  /** The PersistentVolume behind it. */
  readonly claimed?: PersistentVolume;
}

/** {@linkcode Volumes} of this host. */
export class NodeVolumes implements Volumes {
  readonly #host: Host;
  readonly #stats: VolumeStats;
  /** By uid: volumes by name. */
  readonly #made = new Map<string, Map<string, Made>>();
  readonly #turns = new Turns();

  constructor(readonly options: VolumeOptions, parts: VolumeParts) {
    const { api, clock, product, random } = parts;
    this.#host = {
      ...parts,
      tokens: new Tokens(api, clock, product, random),
      bundles: new TrustBundles(api, clock, product),
      certificates: new PodCertificates(parts),
      drivers: new FlexDrivers(options.volumePluginDir),
      turns: new Turns(),
    };
    this.#stats = new VolumeStats(options.volumeStatsAggPeriod, clock);
  }

  /** @throws Error: the texts of the events `FailedMount`, one after the other */
  mount(pod: Pod): Promise<ReadonlyMap<string, MountedVolume>> {
    const uid = pod.metadata?.uid ?? "";
    return this.#turns.take(uid, () => this.#mount(pod, uid));
  }

  unmount({ uid }: PodRef): Promise<void> {
    return this.#turns.take(uid, async () => {
      await tearDown(await this.#paths(uid), this.#host.drivers);
      this.#made.delete(uid);
      this.#stats.forget(uid);
      this.#host.objects.release(uid);
      this.#host.tokens.release(uid);
      this.#host.certificates.release(uid);
    });
  }

  groups(uid: string): readonly number[] {
    const noted = this.#host.product.local("pv.beta.kubernetes.io/gid");
    const groups = [...this.#made.get(uid)?.values() ?? []].map((m) => m.claimed?.metadata?.annotations?.[noted]);
    return [...new Set(groups.filter((g) => g !== undefined && /^\d{1,10}$/.test(g)).map(Number))];
  }

  /** Where a pod's volume is; undefined while it is not made. */
  pathOf(uid: string, volume: string): string | undefined {
    return this.#made.get(uid)?.get(volume)?.mounted.path;
  }

  async subPath(pod: PodRef, volume: string, container: string, index: number, subPath: string): Promise<string> {
    const path = this.pathOf(pod.uid, volume);
    if (path === undefined) throw new Error(`cannot find volume "${volume}" to mount into container "${container}"`);
    return await bindSubPath(await this.#paths(pod.uid), { volume, path, container, index, subPath });
  }

  /** How full a pod's volumes are, at most as old as the period. Empty where statistics are off. */
  stats(pod: Pod): Promise<readonly VolumeUse[]> {
    return this.#stats.of(pod, this.#made.get(pod.metadata?.uid ?? "") ?? new Map());
  }

  /** Follows nothing any more; what is mounted stays. */
  close(): void {
    this.#host.bundles.close();
  }

  async #paths(uid: string): Promise<PodPaths> {
    // The kernel tells of mounts by their true paths.
    await mkdir(this.options.rootDir, { recursive: true });
    return new PodPaths(await realpath(this.options.rootDir), uid);
  }

  async #mount(pod: Pod, uid: string): Promise<ReadonlyMap<string, MountedVolume>> {
    const paths = await this.#paths(uid);
    for (const dir of [paths.pod, paths.volumes, paths.plugins]) await mkdir(dir, { recursive: true, mode: 0o750 });
    let made = this.#made.get(uid);
    if (!made) this.#made.set(uid, made = new Map());
    const used = new Set(
      allContainersOf(pod).flatMap((c) => [...c.volumeMounts ?? [], ...c.volumeDevices ?? []]).map((m) => m.name),
    );
    const faults: string[] = [];
    await Promise.all(
      (pod.spec?.volumes ?? []).filter((v) => used.has(v.name)).map(async (volume) => {
        const before = made.get(volume.name);
        if (before && !before.plugin.follows) return;
        try {
          made.set(volume.name, await this.#setUp(pod, volume, paths));
        } catch (e) {
          faults.push((e as Error).message);
        }
      }),
    );
    if (faults.length) throw new Error(faults.sort().join("; "));
    return new Map([...made].map(([name, { mounted }]) => [name, mounted]));
  }

  async #setUp(pod: Pod, volume: Volume, paths: PodPaths): Promise<Made> {
    const claim = claimOf(pod, volume);
    if (!claim) return await this.#make(volume, { pod, paths, name: volume.name, readOnly: false, mountOptions: [] });
    const claimed = await findClaimed(pod, volume, claim, this.#host).catch((e: Error) => {
      throw new Error(
        `Unable to attach or mount volumes: unmounted volumes=[${volume.name}], unattached volumes=[], failed to process volumes=[${volume.name}]: ${e.message}`,
        { cause: e },
      );
    });
    return { ...await this.#claim(pod, claimed, paths), claimed: claimed.volume };
  }

  async #claim(pod: Pod, { volume, readOnly, mountOptions }: Claimed, paths: PodPaths): Promise<Made> {
    const name = volume.metadata?.name ?? "", { spec = {} } = volume;
    await during("MountVolume.NodeAffinity check", name, () => checkNode(volume, this.#host.node.labels()));
    if (spec.volumeMode === "Block") return await this.#device(spec, name, readOnly);
    await during("MountVolume.SetUp", name, () => {
      if (spec.accessModes?.length !== 1 || spec.accessModes[0] !== "ReadWriteOncePod") return;
      if (!this.#isUsedBy((uid) => uid !== pod.metadata?.uid, name)) return;
      throw new Error("volume uses the ReadWriteOncePod access mode and is already in use by another pod");
    });
    return await this.#make(spec, { pod, paths, readOnly, mountOptions, name });
  }

  #isUsedBy(whom: (uid: string) => boolean, name: string): boolean {
    return [...this.#made].some(([uid, made]) =>
      whom(uid) && [...made.values()].some((m) => m.claimed?.metadata?.name === name)
    );
  }

  async #device(spec: object, name: string, readOnly: boolean): Promise<Made> {
    const { plugin, source } = pluginOf(spec) ?? {};
    const path = await during("MapVolume.FindMapperPluginBySpec", name, () => {
      if (!plugin?.device) throw new Error("no volume plugin matched");
      return plugin.device(source);
    });
    return { plugin: plugin!, mounted: { path, readOnly } };
  }

  async #make(
    from: object,
    { pod, paths, name, readOnly, mountOptions }: Omit<VolumeSetup, "host" | "ref" | "dir">,
  ): Promise<Made> {
    const { plugin, source } = await during("MountVolume.FindPluginBySpec", name, () => {
      const found = pluginOf(from);
      if (!found) throw new Error("no volume plugin matched");
      return found;
    });
    await during("MountVolume.MountOptionSupport check", name, () => {
      if (mountOptions.length && !plugin.takesOptions) {
        throw new Error("mount options are not supported for this volume type");
      }
    });
    const { namespace = "", name: podName = "", uid = "" } = pod.metadata ?? {};
    const mounted = await during("MountVolume.SetUp", name, () =>
      plugin.setUp(source, {
        host: this.#host,
        pod,
        ref: { namespace, name: podName, uid },
        paths,
        name,
        dir: paths.volume(plugin.dirOf?.(source) ?? plugin.dir, name),
        readOnly,
        mountOptions,
      }));
    return { plugin, mounted };
  }
}

/** A step of making a volume, its faults in the words of events. */
async function during<T>(step: string, volume: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (e) {
    throw new Error(`${step} failed for volume ${JSON.stringify(volume)} : ${(e as Error).message}`, { cause: e });
  }
}
