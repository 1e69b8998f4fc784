/** The files that options name: the only place of the server that reads them. Paths stay in error texts, contents never. */

const LIMIT = 16 * 1024 * 1024;

function reason(e: unknown): string {
  if (e instanceof Deno.errors.NotFound) return "no such file";
  if (e instanceof Deno.errors.PermissionDenied) return "permission denied";
  return e instanceof Error ? e.message.split("\n")[0]! : "unreadable";
}

/** The file's bytes, at most 16 MiB. @throws Error that names the option and the path */
export function readBytes(option: string, path: string): Uint8Array {
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

/**
 * Calls `changed` with the new text after the file's content changed, at most once a second; a file that cannot be read for a moment
 * is left for the next look. Watches the directory, as files are often replaced by renaming, and looks every minute besides.
 */
export async function followFile(path: string, changed: (text: string) => void, signal: AbortSignal): Promise<void> {
  let last = peek(path);
  const look = () => {
    const now = peek(path);
    if (now === undefined || now === last) return;
    last = now;
    changed(now);
  };
  const poll = setInterval(look, 60_000);
  let wait: ReturnType<typeof setTimeout> | undefined;
  const watcher = Deno.watchFs(path.replace(/[^/]*$/, "") || ".", { recursive: false });
  signal.addEventListener("abort", () => watcher.close(), { once: true });
  try {
    for await (const event of watcher) {
      if (event.kind === "access" || wait !== undefined) continue;
      wait = setTimeout(() => {
        wait = undefined;
        look();
      }, 1000);
    }
  } finally {
    clearInterval(poll);
    clearTimeout(wait);
  }
}

function peek(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}
