/** Where the last lines of a file begin. */
import type { FileHandle } from "node:fs/promises";

const BLOCK = 64 * 1024;
const NEWLINE = 0x0a;

/** The offset of the last `lines` lines that end, and what follows them. O(bytes of those lines). */
export async function tailStart(file: FileHandle, lines: number): Promise<number> {
  const { size } = await file.stat();
  const block = new Uint8Array(BLOCK);
  // The newline before the first of them is one more.
  let left = lines + 1;
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - BLOCK);
    const { bytesRead } = await file.read(block, 0, end - start, start);
    if (bytesRead < end - start) return 0;
    const read = block.subarray(0, bytesRead);
    for (let at = read.lastIndexOf(NEWLINE); at >= 0; at = at === 0 ? -1 : read.lastIndexOf(NEWLINE, at - 1)) {
      if (--left === 0) return start + at + 1;
    }
    end = start;
  }
  return 0;
}
