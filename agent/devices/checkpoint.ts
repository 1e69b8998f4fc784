/** The file in which it is kept who has what, in the public agent's form (`kubelet_internal_checkpoint`): other tools read it. */
import { decode, encode } from "../../schema/grpc/wire.ts";
import { writeWholeSync } from "../files.ts";
import { sumOf } from "../resources/managers/state_file.ts";
import type { Entry } from "./allocations.ts";
import { ALLOCATION, type Allocation } from "./messages.ts";

/** What is kept. */
export interface Kept {
  readonly entries: readonly Entry[];
  /** Ids of devices that can be given, by resource. */
  readonly registered: Readonly<Record<string, readonly string[]>>;
}

interface Row {
  readonly PodUID: string;
  readonly ContainerName: string;
  readonly ResourceName: string;
  readonly DeviceIDs: Readonly<Record<string, readonly string[] | null>> | null;
  readonly AllocResp: string | null;
}

interface Data {
  readonly PodDeviceEntries: readonly Row[] | null;
  readonly RegisteredDevices: Readonly<Record<string, readonly string[] | null>> | null;
}

/** @throws Error */
export function writeCheckpoint(path: string, { entries, registered }: Kept): void {
  const rows = entries.map((e): Row => ({
    PodUID: e.uid,
    ContainerName: e.container,
    ResourceName: e.resource,
    DeviceIDs: Object.fromEntries(e.byNode),
    AllocResp: encode(ALLOCATION, e.allocation).toBase64(),
  }));
  const Data: Data = { PodDeviceEntries: rows.length > 0 ? rows : null, RegisteredDevices: registered };
  writeWholeSync(path, JSON.stringify({ Data, Checksum: sumOf(dump(Data)) }), 0o600);
}

/** Reads it; undefined where there is none. @throws Error: it is damaged */
export function readCheckpoint(path: string): Kept | undefined {
  let text: string;
  try {
    text = Deno.readTextFileSync(path);
  } catch (e) {
    if (e instanceof Deno.errors.NotFound) return undefined;
    throw e;
  }
  const { Data, Checksum } = JSON.parse(text) as { Data: Data; Checksum: number };
  if (sumOf(dump(Data)) !== Checksum) throw new Error("checkpoint is corrupted");
  const entries = (Data.PodDeviceEntries ?? []).map((row): Entry => ({
    uid: row.PodUID,
    container: row.ContainerName,
    resource: row.ResourceName,
    byNode: new Map(Object.entries(row.DeviceIDs ?? {}).map(([node, ids]) => [Number(node), ids ?? []])),
    allocation: decode<Allocation>(ALLOCATION, Uint8Array.fromBase64(row.AllocResp ?? ""), "zero"),
  }));
  const registered = Object.fromEntries(Object.entries(Data.RegisteredDevices ?? {}).map(([n, ids]) => [n, ids ?? []]));
  return { entries, registered };
}

/** How the public agent shows the data whose sum it keeps. */
function dump({ PodDeviceEntries: rows, RegisteredDevices: registered }: Data): string {
  const shown = rows?.map((row) =>
    `{PodUID:(string)${row.PodUID} ContainerName:(string)${row.ContainerName} ResourceName:(string)${row.ResourceName} ` +
    `DeviceIDs:(checkpoint.DevicesPerNUMA)${mapText(row.DeviceIDs, (a, b) => Number(a) - Number(b))} ` +
    `AllocResp:([]uint8)${row.AllocResp === null ? NIL : listText([...Uint8Array.fromBase64(row.AllocResp)])}}`
  );
  return `(checkpoint.checkpointData){PodDeviceEntries:([]checkpoint.PodDevicesEntry)${
    shown ? listText(shown) : NIL
  } ` +
    `RegisteredDevices:(map[string][]string)${mapText(registered, byBytes)}}`;
}

const NIL = "<nil>";
const listText = (items: readonly (string | number)[]): string => `[${items.join(" ")}]`;
// Names of resources have no letters beyond ASCII.
const byBytes = (a: string, b: string) => a < b ? -1 : 1;

function mapText(map: Data["RegisteredDevices"], order: (a: string, b: string) => number): string {
  if (!map) return NIL;
  const items = Object.keys(map).sort(order).map((key) => `${key}:${map[key] ? listText(map[key]) : NIL}`);
  return `map${listText(items)}`;
}
