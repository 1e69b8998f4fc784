/** What the kinds of volumes have in common. */
import type { NodeStatus, PersistentVolume, PersistentVolumeClaim, Pod } from "../../schema/api/core_v1.ts";
import type { Product } from "../../schema/product.ts";
import { allContainersOf } from "../pods/spec.ts";
import type { Gate } from "../resources/amounts.ts";
import type { Api, Clock, Events, MountedVolume, PodRef } from "../types.ts";
import type { Csi } from "./csi/csi.ts";
import type { ResourceList } from "./fields.ts";
import type { FlexDrivers } from "./flex_drivers.ts";
import type { ReferencedObjects } from "./objects.ts";
import type { PodCertificates } from "./pod_certificates.ts";
import type { PodPaths } from "./paths.ts";
import type { Tokens } from "./tokens.ts";
import type { TrustBundles } from "./trust_bundles.ts";
import type { Turns } from "./turns.ts";

/** What is known of this node. */
export interface NodeFacts {
  readonly name: string;
  /** What pods may have of the node. */
  allocatable(): ResourceList;
  labels(): Readonly<Record<string, string>>;
  /** Of the node's object; empty while that is not known. */
  uid(): string;
  /** As the API server has it. */
  status(): NodeStatus;
  /** Sends its status if that has changed. Never throws. */
  report(signal: AbortSignal): Promise<void>;
}

/** What the plugins work with. */
export interface Host {
  readonly api: Api | undefined;
  readonly objects: ReferencedObjects;
  readonly tokens: Tokens;
  readonly bundles: TrustBundles;
  readonly certificates: PodCertificates;
  readonly node: NodeFacts;
  readonly clock: Clock;
  readonly events: Events;
  readonly product: Product;
  readonly drivers: FlexDrivers;
  readonly csi: Csi;
  readonly turns: Turns;
  readonly gate: Gate;
}

/** A volume behind a claim. */
export interface Claimed {
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume;
  readonly readOnly: boolean;
  readonly mountOptions: readonly string[];
}

/** One volume of one pod. */
export interface VolumeSetup {
  readonly host: Host;
  readonly pod: Pod;
  readonly ref: PodRef;
  readonly paths: PodPaths;
  /** The volume's name; behind a claim that of the PersistentVolume. */
  readonly name: string;
  /** Its name in the pod. */
  readonly outer: string;
  /** What is behind its claim. */
  readonly claimed: Claimed | undefined;
  /** Where it is to be. */
  readonly dir: string;
  /** The claim is used to read only. */
  readonly readOnly: boolean;
  /** Options of the PersistentVolume for `mount`. */
  readonly mountOptions: readonly string[];
  /** It is not wanted any more. */
  readonly signal: AbortSignal;
}

/** How much of a volume is used. */
export interface Usage {
  readonly availableBytes: number;
  readonly capacityBytes: number;
  readonly usedBytes: number;
  readonly inodes: number;
  readonly inodesFree: number;
  readonly inodesUsed: number;
}

/** A kind of volume. */
export interface Plugin<S> {
  /** Name of its directories. */
  readonly dir: string;
  /** The name where that goes by the source. @throws Error: there can be none */
  dirOf?(source: S): string;
  /** Whether there is who makes it, such as a driver; without: there is. */
  isKnown?(source: S, host: Host): Promise<boolean>;
  /** Its content follows something: it is made again with each sync. */
  readonly follows?: boolean;
  /** It takes options for `mount`. */
  readonly takesOptions?: boolean;
  /** What is below its directory is the volume's own and goes with it; else the directory is but a place to mount at. */
  readonly owns?: boolean;
  /** @throws Error that says why not */
  setUp(source: S, volume: VolumeSetup): Promise<MountedVolume>;
  /** The disk itself, for containers that want it without its files. @throws Error that says why not */
  device?(source: S, volume: VolumeSetup): Promise<string>;
  /** How full one at a path is, where not the file system there says it; undefined: that cannot be told. @throws Error */
  use?(path: string, host: Host): Promise<Usage | undefined>;
  /** Gives all of this kind that a pod has back, before what it has mounted is unmounted. @throws Error: then all of it stays */
  takeBack?(paths: PodPaths, uid: string, host: Host): Promise<void>;
}

/** The group that volumes are given to. */
export function groupOf(pod: Pod): number | undefined {
  const group = pod.spec?.securityContext?.fsGroup;
  return group === undefined ? undefined : Number(group);
}

/** The user that all containers of a pod run as; undefined when one does not say or two differ. */
export function userOf(pod: Pod): number | undefined {
  const general = pod.spec?.securityContext?.runAsUser;
  const users = new Set(allContainersOf(pod).map((c) => c.securityContext?.runAsUser ?? general));
  const [user] = users;
  return users.size === 1 && user !== undefined ? Number(user) : undefined;
}
