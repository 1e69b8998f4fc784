/** What the agent notes of a driver's volume beside it, so that another start of it can give the volume back. */
import { readFile, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { FRESH, orAbsent, writeWhole } from "../../files.ts";
import { mountedAt } from "../mounts.ts";

const FILE = "vol_data.json";

/** See the top of the file. */
interface VolumeData {
  readonly driverName: string;
  readonly volumeHandle: string;
  readonly specVolID?: string;
  readonly nodeName?: string;
  readonly attachmentID?: string;
  readonly volumeLifecycleMode?: string;
}

/** Whole or not at all: without it nobody could give the volume back. @throws Error */
export async function saveData(dir: string, data: VolumeData): Promise<void> {
  const sorted = Object.fromEntries(Object.entries(data).sort());
  await writeWhole(join(dir, FILE), JSON.stringify(sorted) + "\n");
}

/** Undefined: none is there, or none that can be read. @throws Error */
export async function loadData(dir: string): Promise<VolumeData | undefined> {
  const text = await orAbsent(readFile(join(dir, FILE), "utf8"));
  try {
    const data = JSON.parse(text ?? "") as VolumeData;
    return data.driverName && data.volumeHandle ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Removes a place of a driver's that is not mounted any more, the note beside it, and their directory. @throws Error */
export async function removePlace(place: string): Promise<void> {
  if (await mountedAt(place)) return;
  await orAbsent(rmdir(place));
  for (const name of [FILE, FILE + FRESH]) await orAbsent(unlink(join(dirname(place), name)));
  await orAbsent(rmdir(dirname(place)));
}
