/** The objects of all stores, each store's of one revision, into a file of objects. The stores may be in use. */
import type { JsonMap } from "../../../schema/model/types.ts";
import { StorageError, type Stored } from "../backend.ts";
import { unreadableReason } from "../unreadable.ts";
import { endsOf, type Moment, type Part, type Whole } from "../whole.ts";
import { type ObjectsLine, ObjectsWriter } from "./file.ts";
import { DEFINITIONS, type Places } from "./places.ts";

/** What was written. */
export interface ExportReport {
  /** Of the main store. */
  readonly revision: number;
  /** Objects, and keys that hold something else. */
  readonly objects: number;
  readonly keys: number;
  readonly strays: ReadonlyMap<Part, number>;
}

/**
 * Writes the file. Objects are as they are stored: in their stored version, without a `resourceVersion`.
 * @param whole with its values decrypted
 * @throws StorageError; `corrupt` for a value that cannot be read, by its key
 */
export async function exportObjects(
  whole: Whole,
  places: Places,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<ExportReport> {
  const moment = await whole.moment();
  const revision = moment.get(whole.main)!;
  await learnDefinitions(whole, places, moment);
  const writer = await ObjectsWriter.start(write, { dialect: places.product.dialect, revision });
  let keys = 0;
  const { strays } = await whole.everything(moment, async (items, part) => {
    const ends = await endsOf(items, part, moment);
    for (const [i, item] of items.entries()) {
      const object = objectOf(item, places);
      const expiresAt = ends[i];
      // What is no object and goes by itself says which servers are at work: it is not moved.
      if (!object && expiresAt !== undefined) continue;
      if (!object) keys++;
      await writer.put(object ? timed(object, expiresAt) : raw(item, places.root));
    }
  });
  await writer.end();
  return { revision, objects: writer.lines - keys, keys, strays };
}

async function learnDefinitions(whole: Whole, places: Places, moment: Moment): Promise<void> {
  const { prefix } = places.catalog.resource(DEFINITIONS)!;
  const part = whole.partOf(prefix);
  const { items } = await part.backend.range(prefix, { at: moment.get(part)! });
  for (const item of items) places.learn(objectOf(item, places) ?? {});
}

/** Undefined for what is no object, or would not come back to its key. */
function objectOf({ key, value }: Stored, places: Places): JsonMap | undefined {
  const reason = unreadableReason(value);
  if (reason !== undefined) throw new StorageError("corrupt", reason);
  if (isEncrypted(value)) {
    throw new StorageError("corrupt", `${key} is encrypted: name the --encryption-provider-config of its server`);
  }
  try {
    const object = places.decode(value);
    return places.placeOf(object).key === key ? object : undefined;
  } catch {
    return undefined;
  }
}

/** Whether bytes at rest have the mark of encryption. */
export const isEncrypted = (value: Uint8Array): boolean =>
  /^(?:k8s|orch):enc:/.test(new TextDecoder().decode(value.subarray(0, 9)));

const timed = (object: JsonMap, expiresAt: number | undefined): ObjectsLine =>
  expiresAt === undefined ? { object } : { object, expiresAt };

function raw({ key, value }: Stored, root: string): ObjectsLine {
  if (!key.startsWith(`${root}/`)) throw new StorageError("corrupt", `${key} is not under ${root}`);
  return { key: key.slice(root.length + 1), value };
}
