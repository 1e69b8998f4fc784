/** What the kinds of volumes have in common. */
import type { Pod } from "../../schema/api/core_v1.ts";
import type { Product } from "../../schema/product.ts";
import { allContainersOf } from "../pods/spec.ts";
import type { Api, Clock, Events, MountedVolume, PodRef } from "../types.ts";
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
  /** What pods may have of the node. */
  allocatable(): ResourceList;
  labels(): Readonly<Record<string, string>>;
  /** Of the node's object; empty while that is not known. */
  uid(): string;
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
  readonly turns: Turns;
}

/** One volume of one pod. */
export interface VolumeSetup {
  readonly host: Host;
  readonly pod: Pod;
  readonly ref: PodRef;
  readonly paths: PodPaths;
  /** The volume's name; behind a claim that of the PersistentVolume. */
  readonly name: string;
  /** Where it is to be. */
  readonly dir: string;
  /** The claim is used to read only. */
  readonly readOnly: boolean;
  /** Options of the PersistentVolume for `mount`. */
  readonly mountOptions: readonly string[];
}

/** A kind of volume. */
export interface Plugin<S> {
  /** Name of its directories. */
  readonly dir: string;
  /** The name where that goes by the source. @throws Error: there can be none */
  dirOf?(source: S): string;
  /** Its content follows something: it is made again with each sync. */
  readonly follows?: boolean;
  /** It takes options for `mount`. */
  readonly takesOptions?: boolean;
  /** What is below its directory is the volume's own and goes with it; else the directory is but a place to mount at. */
  readonly owns?: boolean;
  /** @throws Error that says why not */
  setUp(source: S, volume: VolumeSetup): Promise<MountedVolume>;
  /** The disk itself, for containers that want it without its files. @throws Error that says why not */
  device?(source: S): Promise<string>;
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
