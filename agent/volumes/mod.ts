/** Volumes of the pods of this node. */
import { mkdir } from "node:fs/promises";
import { Registry } from "prom-client";
import type { PersistentVolume, Pod, Volume } from "../../schema/api/core_v1.ts";
import type { LogLine } from "../../schema/log/log.ts";
import type { Product } from "../../schema/product.ts";
import { allContainersOf } from "../pods/spec.ts";
import type { Gate } from "../resources/amounts.ts";
import {
  type Api,
  type Clock,
  type Events,
  type MountedVolume,
  NotMounted,
  type PodRef,
  PodRefused,
  type Volumes,
} from "../types.ts";
import { checkNode, claimOf, findClaimed } from "./claims.ts";
import { Csi } from "./csi/csi.ts";
import { isElsewhere } from "./csi/recover.ts";
import { FlexDrivers } from "./flex_drivers.ts";
import type { ReferencedObjects } from "./objects.ts";
import { VolumeMetrics } from "./metrics.ts";
import { PodPaths } from "./paths.ts";
import type { Claimed, Host, NodeFacts, Plugin, VolumeSetup } from "./plugin.ts";
import { PodCertificates } from "./pod_certificates.ts";
import { pluginOf } from "./plugins.ts";
import { during, NO_PLUGIN, NotReady, notReady } from "./step.ts";
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
  /** Others attach volumes to the node. */
  readonly enableControllerAttachDetach: boolean;
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
  readonly gate: Gate;
  readonly log: LogLine;
  /** Absent: nobody reads figures. */
  readonly metrics?: Registry;
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
  /** Drivers of volumes. */
  readonly csi: Csi;
  readonly #host: Host;
  readonly #stats: VolumeStats;
  readonly #metrics: VolumeMetrics;
  /** By uid: volumes by name. */
  readonly #made = new Map<string, Map<string, Made>>();
  readonly #turns = new Turns();

  constructor(readonly options: VolumeOptions, parts: VolumeParts) {
    const { api, clock, product, random } = parts;
    this.csi = new Csi({ ...parts, ...options });
    this.#host = {
      ...parts,
      tokens: new Tokens(api, clock, product, random),
      bundles: new TrustBundles(api, clock, product),
      certificates: new PodCertificates(parts),
      drivers: new FlexDrivers(options.volumePluginDir),
      csi: this.csi,
      turns: new Turns(),
    };
    this.#stats = new VolumeStats(options.volumeStatsAggPeriod, this.#host);
    const made = () => [...this.#made.values()].flatMap((of) => [...of.values()].map(({ plugin }) => plugin.dir));
    this.#metrics = new VolumeMetrics(parts.metrics ?? new Registry(), made);
  }

  /** @throws NotMounted in the texts of the events `FailedMount`, PodRefused */
  mount(pod: Pod, signal = new AbortController().signal): Promise<ReadonlyMap<string, MountedVolume>> {
    const uid = pod.metadata?.uid ?? "";
    return this.#turns.take(uid, () => this.#mount(pod, uid, signal));
  }

  unmount({ uid }: PodRef): Promise<void> {
    return this.#turns.take(uid, async () => {
      await tearDown(await this.#paths(uid), uid, this.#host);
      this.#made.delete(uid);
      this.#stats.forget(uid);
      this.#metrics.forget(uid);
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
    return new PodPaths(await this.csi.root(), uid);
  }

  async #mount(pod: Pod, uid: string, signal: AbortSignal): Promise<ReadonlyMap<string, MountedVolume>> {
    const paths = await this.#paths(uid);
    for (const dir of [paths.pod, paths.volumes, paths.plugins]) await mkdir(dir, { recursive: true, mode: 0o750 });
    let made = this.#made.get(uid);
    if (!made) this.#made.set(uid, made = new Map());
    const used = new Set(
      allContainersOf(pod).flatMap((c) => [...c.volumeMounts ?? [], ...c.volumeDevices ?? []]).map((m) => m.name),
    );
    const faults: Error[] = [];
    await Promise.all(
      (pod.spec?.volumes ?? []).filter((v) => used.has(v.name)).map(async (volume) => {
        const before = made.get(volume.name);
        if (before && !before.plugin.follows) return;
        try {
          made.set(volume.name, await this.#setUp(pod, volume, paths, before !== undefined, signal));
        } catch (e) {
          faults.push(e as Error);
        }
      }),
    );
    const refused = faults.find((e) => e instanceof PodRefused);
    if (refused) throw refused;
    if (faults.length > 0) {
      throw new NotMounted(faults.map((e) => e.message).sort(), !faults.some((e) => e instanceof NotReady));
    }
    return new Map([...made].map(([name, { mounted }]) => [name, mounted]));
  }

  async #setUp(pod: Pod, volume: Volume, paths: PodPaths, isMade: boolean, signal: AbortSignal): Promise<Made> {
    const claim = claimOf(pod, volume), common = { pod, paths, outer: volume.name, signal };
    if (!claim) {
      return await this.#make(volume, {
        ...common,
        name: volume.name,
        claimed: undefined,
        readOnly: false,
        mountOptions: [],
      });
    }
    const claimed = await findClaimed(pod, volume, claim, this.#host).catch((e: Error) => {
      throw notReady(volume.name, "failed", e.message);
    });
    const setup = { ...common, ...claimed, claimed, name: claimed.volume.metadata?.name ?? "" };
    if (!isMade) await this.#check(claimed, setup);
    return { ...await this.#make(claimed.volume.spec ?? {}, setup), claimed: claimed.volume };
  }

  /** Whether the pod may have it. */
  async #check({ volume }: Claimed, { pod, name, paths }: Pick<VolumeSetup, "pod" | "name" | "paths">): Promise<void> {
    await during("MountVolume.NodeAffinity check", name, () => checkNode(volume, this.#host.node.labels()));
    const { accessModes, volumeMode } = volume.spec ?? {};
    await during(volumeMode === "Block" ? "MapVolume.SetUpDevice" : "MountVolume.SetUp", name, async () => {
      if (accessModes?.length !== 1 || accessModes[0] !== "ReadWriteOncePod") return;
      if (!this.#isUsedBy((uid) => uid !== pod.metadata?.uid, name) && !await isElsewhere(paths, name)) return;
      throw new Error("volume uses the ReadWriteOncePod access mode and is already in use by another pod");
    });
  }

  #isUsedBy(whom: (uid: string) => boolean, name: string): boolean {
    return [...this.#made].some(([uid, made]) =>
      whom(uid) && [...made.values()].some((m) => m.claimed?.metadata?.name === name)
    );
  }

  async #make(from: object, given: Omit<VolumeSetup, "host" | "ref" | "dir">): Promise<Made> {
    const { pod, paths, name, outer, readOnly, mountOptions, claimed } = given;
    const isDisk = claimed?.volume.spec?.volumeMode === "Block";
    const found = pluginOf(from);
    const isKnown = () => found?.plugin.isKnown?.(found.source, this.#host) ?? true;
    if (!found || !await during("MountVolume.SetUp", name, isKnown)) {
      throw notReady(
        outer,
        "failed",
        `failed to get Plugin from volumeSpec for volume ${JSON.stringify(name)} err=${NO_PLUGIN}`,
      );
    }
    const { plugin, source } = found;
    await during("MapVolume.FindMapperPluginBySpec", name, () => {
      if (isDisk && !plugin.device) throw new Error(NO_PLUGIN);
    });
    const { namespace = "", name: podName = "", uid = "" } = pod.metadata ?? {};
    const dir = () => paths.volume(plugin.dirOf?.(source) ?? plugin.dir, name);
    const setup = () => ({ ...given, host: this.#host, ref: { namespace, name: podName, uid }, dir: dir() });
    const making = { uid, name: given.outer, dir: plugin.dir, isDisk };
    const made = <T>(make: () => Promise<T>): Promise<T> => this.#metrics.making(making, make);
    if (isDisk) {
      const mapped = () => during("MapVolume.MapPodDevice", name, () => plugin.device!(source, setup()));
      return { plugin, mounted: { path: await made(mapped), readOnly } };
    }
    await during("MountVolume.MountOptionSupport check", name, () => {
      if (mountOptions.length && !plugin.takesOptions) {
        throw new Error("mount options are not supported for this volume type");
      }
    });
    const mounted = await made(() => during("MountVolume.SetUp", name, () => plugin.setUp(source, setup())));
    return { plugin, mounted };
  }
}
