/** The machine's log directory (`--enable-logs-handler`). */
import type { LogDirectory } from "../endpoints/logs.ts";

/** Most names of a directory that are shown. */
const MOST = 10_000;

/** What is not there, or not for this server. */
const ABSENT = [Deno.errors.NotFound, Deno.errors.NotADirectory, Deno.errors.PermissionDenied];

/** Reads below a directory. Links that lead out of it are not followed. */
export function logFiles(root: string): LogDirectory {
  return async (path) => {
    if (path.includes("\0")) return undefined; // no file's name
    try {
      const top = await Deno.realPath(root);
      const real = await Deno.realPath(`${root}/${path}`);
      if (real !== top && !real.startsWith(`${top}/`)) return undefined;
      const { isDirectory, isFile } = await Deno.stat(real);
      if (isDirectory) return { kind: "directory", names: await namesIn(real) };
      return isFile ? await openFile(real) : undefined;
    } catch (e) {
      if (ABSENT.some((kind) => e instanceof kind)) return undefined;
      throw e;
    }
  };
}

async function namesIn(directory: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(directory)) {
    if (names.push(isDirectory ? `${name}/` : name) === MOST) break;
  }
  return names.sort();
}

/** As long as it is now: what is written to it meanwhile is not sent. */
async function openFile(path: string) {
  const open = await Deno.open(path);
  const { size } = await open.stat();
  let left = size;
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left));
      left -= Math.min(left, chunk.length);
      if (left === 0) controller.terminate();
    },
  });
  return { kind: "file" as const, size, body: open.readable.pipeThrough(cut) };
}
