/** The files that options name: the only place of the server that reads them. Paths stay in error texts, contents never. */
import { pause } from "../pause.ts";

const LIMIT = 16 * 1024 * 1024;

function reason(e: unknown): string {
  if (e instanceof Deno.errors.NotFound) return "no such file";
  if (e instanceof Deno.errors.PermissionDenied) return "permission denied";
  if (e instanceof Deno.errors.IsADirectory) return "it is a directory";
  return e instanceof Error ? e.message.split("\n")[0]! : "unreadable";
}

/** The file's bytes, at most 16 MiB. @throws Error that names the option and the path */
function readBytes(option: string, path: string): Uint8Array {
  try {
    const { size, isFile } = Deno.statSync(path);
    if (isFile && size > LIMIT) throw new Error(`larger than ${LIMIT} bytes`);
    return Deno.readFileSync(path);
  } catch (e) {
    throw new Error(`--${option}: cannot read ${JSON.stringify(path)}: ${reason(e)}`, { cause: e });
  }
}

/** The file's UTF-8 text. @throws Error that names the option and the path */
export function readText(option: string, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readBytes(option, path));
  } catch (e) {
    if (e instanceof TypeError) throw new Error(`--${option}: ${JSON.stringify(path)} is no UTF-8 text`);
    throw e;
  }
}

/** The text of a file that an option names; undefined when the option is empty. @throws Error as {@linkcode readText} */
export function optionalText(option: string, path: string): string | undefined {
  return path === "" ? undefined : readText(option, path);
}

/** How often a followed file is looked at, ms. */
const LOOK_MS = 1_000;
/** At every so many looks it is read whatever its times say. */
const READ_EVERY = 60;

/**
 * Calls `changed` with the new text after the file's content changed, until the signal aborts; a file that cannot be read for a moment
 * is left for the next look. It is looked at once a second, not watched: that sees links which are turned to other files too, and
 * costs nothing when the store beside it is written.
 * @param from its text when it was read before, if it was
 */
export async function followFile(
  path: string,
  changed: (text: string) => void,
  signal: AbortSignal,
  from?: string,
): Promise<void> {
  let last = from ?? peek(path), stamp: string | undefined;
  for (let looks = 1;; looks++) {
    await pause(LOOK_MS, signal);
    if (signal.aborted) return;
    const seen = await stampOf(path);
    if (seen === stamp && looks % READ_EVERY !== 0) continue;
    stamp = seen;
    const now = peek(path);
    if (now === undefined || now === last) continue;
    last = now;
    changed(now);
  }
}

/** What moves when a file is written or another one put in its place; undefined when it is not there. */
async function stampOf(path: string): Promise<string | undefined> {
  try {
    const { mtime, ctime, size, ino } = await Deno.stat(path);
    return [mtime?.getTime(), ctime?.getTime(), size, ino].join(" ");
  } catch {
    return undefined;
  }
}

function peek(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}
