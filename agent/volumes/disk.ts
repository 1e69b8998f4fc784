/** Disks before they are mounted: an empty one gets a file system, any other is checked. */
import { stat } from "node:fs/promises";
import { type CommandError, run } from "./command.ts";
import { mountPoints } from "./mounts.ts";

/** Longest time that this may take, ms: disks are large. */
const TIME = 3_600_000;
/** Exit status of `blkid`: it knows nothing that is there, or could not read it. */
const NOTHING = 2;
/** So much at either end of a disk may tell what is on it, bytes. */
const END = 1 << 20;
/** Exit status of `fsck`: what is wrong cannot be put right. */
const UNCORRECTED = 4;
/** What `mkfs` is told so that it does not ask, by file system. */
const FORCE: Readonly<Record<string, readonly string[]>> = { ext3: ["-F", "-m0"], ext4: ["-F", "-m0"], xfs: ["-f"] };

const statusOf = (e: unknown) => (e as CommandError).status;

/** Reads both ends of a disk. @throws Error: it cannot be read */
async function readEnds(disk: Deno.FsFile): Promise<void> {
  const size = await disk.seek(0, Deno.SeekMode.End), bytes = new Uint8Array(END);
  for (const start of [0, Math.max(0, size - END)]) {
    await disk.seek(start, Deno.SeekMode.Start);
    let length: number | null = 0;
    for (let left = END; left > 0 && length !== null; left -= length ?? 0) {
      length = await disk.read(bytes.subarray(0, left));
    }
  }
}

async function isEmpty(device: string): Promise<boolean> {
  try {
    // What a faulty disk holds would be nothing to the command. While the disk is open it is given what was read here.
    using disk = await Deno.open(device);
    await readEnds(disk);
    await run("blkid", ["-p", "-s", "TYPE", "-s", "PTTYPE", "-o", "export", device]);
    return false;
  } catch (e) {
    if (statusOf(e) === NOTHING) return true;
    throw new Error(`failed to get disk format of disk ${device}: ${(e as Error).message}`, { cause: e });
  }
}

async function format(device: string, type: string): Promise<void> {
  const options = Object.hasOwn(FORCE, type) ? FORCE[type]! : [];
  try {
    await run(`mkfs.${type}`, [...options, device], TIME);
  } catch (e) {
    const { message, output } = e as CommandError;
    throw new Error(`format of disk "${device}" failed: type:("${type}") errcode:(${message}) output:(${output})`);
  }
}

async function check(device: string): Promise<void> {
  await run("fsck", ["-a", device], TIME).catch((e: CommandError) => {
    // A host without the command goes without.
    if (e.status !== UNCORRECTED) return;
    throw new Error(`'fsck' found errors on device ${device} but could not correct them: ${e.output}`);
  });
}

/** Whether a disk is mounted anywhere. */
async function isMounted(device: string): Promise<boolean> {
  const { rdev } = await stat(device);
  const major = (rdev >> 8) & 0xfff, minor = (rdev & 0xff) | ((rdev >> 12) & 0xfff00);
  return (await mountPoints()).some((m) => m.origin.startsWith(`${major}:${minor}:`));
}

/** Makes a disk ready to be mounted; one that is mounted already is left alone. @throws Error: it cannot be used */
export async function prepareDisk(device: string, type: string, readOnly: boolean): Promise<void> {
  if (await isMounted(device)) return;
  if (await isEmpty(device)) {
    if (readOnly) {
      throw new Error(`cannot mount unformatted disk ${device} as we are manipulating it in read-only mode`);
    }
    await format(device, type);
  } else if (!readOnly) await check(device);
}
