/** Files out of ConfigMaps, Secrets and the pod itself. */
import type { ConfigMap, DownwardAPIVolumeFile, KeyToPath, Secret } from "../../schema/api/core_v1.ts";
import type { Int64 } from "../../schema/model/types.ts";
import type { Gate } from "../resources/amounts.ts";
import { normalize } from "node:path";
import { aggregateText } from "../../schema/values/aggregate_text.ts";
import { unlessNotFound } from "../types.ts";
import type { FileContent, Payload } from "./atomic.ts";
import { containerOf, podField, resourceField } from "./fields.ts";
import type { VolumeSetup } from "./plugin.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const decoded = (base64: string) => Uint8Array.fromBase64(base64);

type Data = ReadonlyMap<string, Uint8Array>;

function entries(of: Readonly<Record<string, string>> | undefined, read: (text: string) => Uint8Array) {
  return Object.entries(of ?? {}).map(([key, text]) => [key, read(text)] as const);
}

/** What of an object becomes files, as the sources of configMap, secret and projected volumes say it. */
export interface Selection {
  readonly name: string;
  readonly items: readonly KeyToPath[];
  readonly optional: boolean;
  /** Of files that do not say it. */
  readonly defaults: FileRights;
}

/** Mode and owner of a file, where it is said. */
export interface FileRights {
  readonly mode?: number;
  readonly user?: Int64;
}

const MODE = 0o644;

/** Who owns a file: nobody but the agent where the gate is off. */
export function ownerOf(own: FileRights, defaults: FileRights, gate: Gate): number | undefined {
  const user = gate("AtomicWriteVolumeUserFields") ? own.user ?? defaults.user : undefined;
  return user === undefined ? undefined : Number(user);
}

/** Mode of a file that does not say it. */
export const modeOf = (own: FileRights, defaults: FileRights): number => own.mode ?? defaults.mode ?? MODE;

function fileOf(data: Uint8Array, own: FileRights, defaults: FileRights, gate: Gate): FileContent {
  const user = ownerOf(own, defaults, gate);
  return { data, mode: modeOf(own, defaults), ...(user === undefined ? {} : { user }) };
}

/** Most that the files of a volume may hold together, bytes. */
const MOST = 256 * 1024 * 1024;

/** Files of a volume as they come. A few characters of a pod can name an object of a megabyte, again and again. */
export class Files {
  readonly payload = new Map<string, FileContent>();
  #size = 0;

  /** @throws Error: all together are too much */
  add(path: string, file: FileContent): void {
    this.#size += file.data.length;
    if (this.#size > MOST) throw new Error(`files of the volume come to more than ${MOST} bytes`);
    this.payload.set(path, file);
  }
}

function select(
  data: Data,
  { items, optional, defaults }: Selection,
  gate: Gate,
  missing: (key: string) => string,
): Payload {
  if (items.length === 0) return new Map([...data].map(([key, bytes]) => [key, fileOf(bytes, {}, defaults, gate)]));
  const files = new Files();
  for (const item of items) {
    const found = data.get(item.key);
    if (found) files.add(item.path, fileOf(found, item, defaults, gate));
    else if (!optional) throw new Error(missing(item.key));
  }
  return files.payload;
}

const orNone = <T>(object: Promise<T>, optional: boolean): Promise<T | undefined> =>
  optional ? unlessNotFound(object) : object;

/** @throws Error: the ConfigMap or a key is not there */
export async function configMapFiles(from: Selection, { host, ref }: VolumeSetup): Promise<Payload> {
  const map: ConfigMap | undefined = await orNone(host.objects.configMap(ref, from.name), from.optional);
  const data = new Map([...entries(map?.binaryData, decoded), ...entries(map?.data, bytes)]);
  return select(data, from, host.gate, (key) => `configmap references non-existent config key: ${key}`);
}

/** @throws Error: the Secret or a key is not there */
export async function secretFiles(from: Selection, { host, ref }: VolumeSetup): Promise<Payload> {
  const secret: Secret | undefined = await orNone(host.objects.secret(ref, from.name), from.optional);
  const data = new Map(entries(secret?.data, decoded));
  return select(data, from, host.gate, (key) => `references non-existent secret key: ${key}`);
}

/** @throws Error: all that cannot be told */
export function downwardFiles(
  items: readonly DownwardAPIVolumeFile[],
  defaults: FileRights,
  { pod, host }: VolumeSetup,
): Payload {
  const files = new Files(), fields = new Map<string, Uint8Array>();
  const faults: string[] = [];
  const dataOf = ({ fieldRef, resourceFieldRef: of }: DownwardAPIVolumeFile): Uint8Array => {
    if (!fieldRef) {
      return bytes(of ? resourceField(of, containerOf(pod, of.containerName), host.node.allocatable()) : "");
    }
    const { fieldPath } = fieldRef, data = fields.get(fieldPath) ?? bytes(podField(pod, fieldPath));
    fields.set(fieldPath, data);
    return data;
  };
  for (const item of items) {
    let data: Uint8Array = new Uint8Array();
    try {
      data = dataOf(item);
    } catch (e) {
      faults.push((e as Error).message);
    }
    files.add(normalize(item.path), fileOf(data, item, defaults, host.gate));
  }
  if (faults.length) throw new Error(aggregateText(faults));
  return files.payload;
}
