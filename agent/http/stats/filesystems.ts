/** How full file systems are. */
import { readdir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { FilesystemUsage } from "../../runtime/types.ts";
import { nanosTime } from "./times.ts";
import type { FsStats } from "./types.ts";

/** Of the file system that a path is on; undefined: there is none. */
export async function filesystemAt(path: string, time: string): Promise<FsStats | undefined> {
  try {
    const { bsize, blocks, bfree, bavail, files, ffree } = await statfs(path, { bigint: true });
    return {
      time,
      availableBytes: bavail * bsize,
      capacityBytes: blocks * bsize,
      usedBytes: (blocks - bfree) * bsize,
      inodesFree: ffree,
      inodes: files,
      inodesUsed: files - ffree,
    };
  } catch {
    return undefined;
  }
}

/** What somebody takes of a file system. */
export const shareOf = (
  whole: FsStats | undefined,
  own: Pick<FsStats, "time" | "usedBytes" | "inodesUsed">,
): FsStats => {
  const { usedBytes: _b, inodesUsed: _i, ...rest } = whole ?? {};
  return { ...rest, ...own };
};

/** What the runtime says that is taken. */
export const usageOf = ({ timestamp, usedBytes, inodesUsed }: FilesystemUsage) => ({
  time: nanosTime(timestamp),
  ...(usedBytes ? { usedBytes: usedBytes.value } : {}),
  ...(inodesUsed ? { inodesUsed: inodesUsed.value } : {}),
});

/** Files looked at in one directory. */
const MAX_FILES = 1_000;

/** Bytes of the files in a directory; those below it are left out. */
export async function bytesIn(directory: string): Promise<{ usedBytes: bigint; inodesUsed: bigint }> {
  const names = (await readdir(directory).catch(() => [])).slice(0, MAX_FILES);
  const sizes = await Promise.all(
    names.map((name) => stat(join(directory, name)).then((s) => s.isFile() ? s.size : 0, () => 0)),
  );
  return { usedBytes: BigInt(sizes.reduce((a, b) => a + b, 0)), inodesUsed: BigInt(names.length) };
}
