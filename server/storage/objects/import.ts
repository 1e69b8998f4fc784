/** A file of objects into empty stores of any backend. */
import { isMap } from "../../../schema/model/members.ts";
import type { JsonMap } from "../../../schema/model/types.ts";
import type { MediaKind } from "../../../schema/codec/mod.ts";
import { uuid } from "../../../schema/values/random.ts";
import { nowTime } from "../../../schema/values/time.ts";
import { checkChanges, StorageError } from "../backend.ts";
import { DIALECT, dialectFact } from "../facts.ts";
import { Filling } from "../filling.ts";
import type { Whole } from "../whole.ts";
import { type ObjectsLine, type ObjectsReading, readObjects } from "./file.ts";
import type { Places } from "./places.ts";

/** How objects are written. */
export interface ImportInputs {
  readonly places: Places;
  /** `--storage-media-type`. */
  readonly atRest: MediaKind;
  /** `--event-ttl`, ms, 0 for ever: for events that do not say when they expire. */
  readonly eventTtl: number;
  /** ms since the epoch. */
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
}

/** What was put into the store. */
export interface ImportReport {
  /** The revision that the file is of. */
  readonly revision: number;
  readonly objects: number;
  readonly keys: number;
}

/** One key of the store to be. */
interface Entry {
  readonly key: string;
  readonly value: Uint8Array;
  readonly expiresAt?: number;
}

/**
 * Puts the objects of a file into empty stores: as they are, without admission and validation, in the stored version of
 * their kind. They keep their `uid` and times; those without get new ones. Revisions are new. The file is read three times: nothing is written
 * when a line of it is wrong.
 * @param whole what it is given is encrypted on its way, if it is at all
 * @throws StorageError `format`, `corrupt`; `unavailable` when a store holds anything
 */
export async function importObjects(
  whole: Whole,
  read: () => AsyncIterable<Uint8Array>,
  inputs: ImportInputs,
): Promise<ImportReport> {
  const filling = await Filling.of(whole, "import");
  const { header } = await learn(await readObjects(read()), inputs.places);
  const report = { revision: header.revision, objects: 0, keys: 0 };
  for await (
    const _ of entries(await readObjects(read()), inputs)
  ) { /* all that is wrong is told before anything is written */ }
  const dialect = dialectFact(inputs.places.product);
  for (const { backend } of whole.parts) await backend.writeMeta(DIALECT, dialect);
  for await (const entry of entries(await readObjects(read()), inputs)) {
    await filling.put(entry.put);
    if (entry.object) report.objects++;
    else report.keys++;
  }
  await filling.end();
  return report;
}

async function learn(reading: ObjectsReading, places: Places): Promise<ObjectsReading> {
  const { dialect } = places.product;
  if (reading.header.dialect !== dialect) {
    const other = JSON.stringify(reading.header.dialect);
    throw new StorageError("format", `the file is in the dialect ${other}, and the store is to be in "${dialect}"`);
  }
  for await (const [line] of reading.lines) {
    if ("object" in line && places.isDefinition(line.object)) places.learn(line.object);
  }
  return reading;
}

async function* entries(
  reading: ObjectsReading,
  inputs: ImportInputs,
): AsyncGenerator<{ put: Entry; object: boolean }> {
  const seen = new Set<string>();
  for await (const [line, number] of reading.lines) {
    const put = checkedEntry(line, number, inputs);
    if (seen.has(put.key)) throw wrong(number, `${put.key} is there already`);
    seen.add(put.key);
    yield { put, object: "object" in line };
  }
}

function checkedEntry(line: ObjectsLine, number: number, inputs: ImportInputs): Entry {
  try {
    const entry = entryOf(line, inputs);
    checkChanges([{ ...entry, expect: 0 }]);
    return entry;
  } catch (e) {
    throw wrong(number, e instanceof Error ? e.message : String(e));
  }
}

function entryOf(line: ObjectsLine, inputs: ImportInputs): Entry {
  const { places } = inputs;
  if ("key" in line) return { key: `${places.root}/${line.key}`, value: line.value };
  const place = places.placeOf(line.object);
  const value = places.encode(prepared(line.object, inputs), place, inputs.atRest);
  const isEvent = place.resource?.name === "events";
  const expiresAt = line.expiresAt ?? (isEvent && inputs.eventTtl > 0 ? inputs.now() + inputs.eventTtl : undefined);
  return { key: place.key, value, ...(expiresAt === undefined ? {} : { expiresAt }) };
}

/** Without the version that it had elsewhere, and with what every stored object has. */
function prepared(object: JsonMap, { now, random }: ImportInputs): JsonMap {
  const metadata = isMap(object.metadata) ? { ...object.metadata } : {};
  delete metadata.resourceVersion;
  delete metadata.selfLink;
  metadata.uid ||= uuid(random);
  metadata.creationTimestamp ||= nowTime(now());
  return { ...object, metadata };
}

function wrong(number: number, why: string): StorageError {
  return new StorageError("corrupt", `line ${number} of the file of objects: ${why}`);
}
