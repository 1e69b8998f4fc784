/** Small files that hold secrets: whole or not at all, for the owner only. */
import { dirname } from "node:path";
import { syncNames } from "../../host/sync_names.ts";

/** The text of a file, or undefined when there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

async function writeBeside(path: string, text: string): Promise<string> {
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  const file = await Deno.open(temporary, { write: true, createNew: true, mode: 0o600 });
  try {
    const bytes = new TextEncoder().encode(text);
    // What is almost full takes a part, and says so by its length alone.
    for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
    await file.sync();
  } catch (cause) {
    await Deno.remove(temporary).catch(() => {});
    throw new Error(`Cannot write "${path}": ${cause instanceof Error ? cause.message : cause}`, { cause });
  } finally {
    file.close();
  }
  return temporary;
}

/** Puts a file in place of what is there, by rename. Mode 0600. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await Deno.rename(await writeBeside(path, text), path);
  await syncNames(dirname(path));
}

/** The text of the file; `make`s it when it is not there. Of several processes at once, all get what one of them made. */
export async function readOrMake(path: string, make: () => string): Promise<string> {
  const there = await readIfThere(path);
  if (there !== undefined) return there;
  const text = make();
  const temporary = await writeBeside(path, text);
  try {
    // A link, unlike a rename, fails when the name is taken.
    await Deno.link(temporary, path);
    await syncNames(dirname(path));
    return text;
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return await Deno.readTextFile(path);
    throw error;
  } finally {
    await Deno.remove(temporary);
  }
}
