/** Drills: programs that end their process when the runtime cannot bear them, with no error to catch. */
import assert from "node:assert/strict";
import { LOCK } from "../libraries/lock.ts";

/** Runs a drill of this folder in a process of its own, which must live to say so. */
export async function drill(file: string, ...args: string[]): Promise<void> {
  const { code, signal, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", LOCK, new URL(file, import.meta.url).pathname, ...args],
    stdout: "piped",
    stderr: "piped",
  }).output();
  const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assert.deepEqual({ code, signal }, { code: 0, signal: null }, text);
  assert.match(text, /alive after \d+ answers/);
}
