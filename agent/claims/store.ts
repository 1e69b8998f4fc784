/** Claims that pods of this node use, kept in a file in the public agent's form (`dra_manager_state`). */
import { crc32 } from "node:zlib";
import { writeWholeSync } from "../files.ts";
import type { ClaimRef, PreparedDevice } from "./messages.ts";

/** A claim. */
export interface Claim extends ClaimRef {
  /** Uids. */
  readonly pods: Set<string>;
  /** By the driver's name. */
  readonly devices: Map<string, readonly PreparedDevice[]>;
  /** Drivers have made it ready since the agent started. */
  prepared: boolean;
  /** It is being taken back, and given to no more pods. */
  unpreparing: boolean;
}

interface KeptDevice {
  readonly PoolName: string;
  readonly DeviceName: string;
  readonly ShareID: string | null;
  readonly RequestNames: readonly string[] | null;
  readonly CDIDeviceIDs: readonly string[] | null;
}

interface KeptClaim {
  readonly ClaimUID: string;
  readonly ClaimName: string;
  readonly Namespace: string;
  readonly PodUIDs: Readonly<Record<string, object>> | null;
  readonly DriverState: Readonly<Record<string, { readonly Devices: readonly KeptDevice[] | null }>> | null;
}

const KIND = { kind: "DRACheckpoint", apiVersion: "checkpoint.dra.kubelet.k8s.io/v1" } as const;

/** See the top of the file. */
export class ClaimStore {
  readonly #claims = new Map<string, Claim>();

  /** Takes up what was kept. @throws Error: the file is damaged */
  constructor(readonly path: string) {
    for (const claim of readClaims(path)) this.#claims.set(keyOf(claim.namespace, claim.name), claim);
  }

  get(namespace: string, name: string): Claim | undefined {
    return this.#claims.get(keyOf(namespace, name));
  }

  add(claim: Claim): void {
    this.#claims.set(keyOf(claim.namespace, claim.name), claim);
  }

  delete({ namespace, name }: Claim): void {
    this.#claims.delete(keyOf(namespace, name));
  }

  all(): readonly Claim[] {
    return [...this.#claims.values()];
  }

  /** Those that a pod uses. */
  of(uid: string): readonly Claim[] {
    return this.all().filter(({ pods }) => pods.has(uid));
  }

  /** @throws Error */
  keep(): void {
    const Data = JSON.stringify({ ...KIND, ClaimInfoStateList: this.all().map(kept) });
    writeWholeSync(this.path, JSON.stringify({ Data, Checksum: crc32(Data) }), 0o600);
  }
}

const keyOf = (namespace: string, name: string): string => `${namespace}/${name}`;

const kept = ({ uid, name, namespace, pods, devices }: Claim): KeptClaim => ({
  ClaimUID: uid,
  ClaimName: name,
  Namespace: namespace,
  PodUIDs: Object.fromEntries([...pods].map((pod) => [pod, {}])),
  DriverState: Object.fromEntries([...devices].map(([driver, all]) => [driver, {
    Devices: all.map((device) => ({
      PoolName: device.poolName,
      DeviceName: device.deviceName,
      ShareID: device.shareId || null,
      RequestNames: device.requestNames,
      CDIDeviceIDs: device.cdiDeviceIds,
    })),
  }])),
});

function readClaims(path: string): readonly Claim[] {
  let text: string;
  try {
    text = Deno.readTextFileSync(path);
  } catch (e) {
    if (e instanceof Deno.errors.NotFound) return [];
    throw e;
  }
  return (claimsIn(text) ?? corrupted(path)).map((claim): Claim => ({
    uid: claim.ClaimUID,
    name: claim.ClaimName,
    namespace: claim.Namespace,
    pods: new Set(Object.keys(claim.PodUIDs ?? {})),
    devices: new Map(
      Object.entries(claim.DriverState ?? {}).map(([driver, { Devices }]) => [driver, (Devices ?? []).map(restored)]),
    ),
    prepared: false,
    unpreparing: false,
  }));
}

/** Undefined: it is damaged. */
function claimsIn(text: string): readonly KeptClaim[] | undefined {
  try {
    const { Data, Checksum } = JSON.parse(text) as { Data: string; Checksum: number };
    if (crc32(Data) !== Checksum) return undefined;
    return (JSON.parse(Data) as { ClaimInfoStateList: readonly KeptClaim[] | null }).ClaimInfoStateList ?? [];
  } catch {
    return undefined;
  }
}

function corrupted(path: string): never {
  throw new Error(`the checkpoint file ${path} is corrupted: drain this node and remove it`);
}

const restored = (device: KeptDevice): PreparedDevice => ({
  poolName: device.PoolName,
  deviceName: device.DeviceName,
  shareId: device.ShareID ?? "",
  requestNames: device.RequestNames ?? [],
  cdiDeviceIds: device.CDIDeviceIDs ?? [],
});
