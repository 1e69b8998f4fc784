/**
 * Starts the server (`deno task start`): from `dist/orch.js` while no source is newer, since one file starts sooner and
 * rests in less memory than a thousand; else from the sources, and the file is made beside it for the next start.
 */
import { fileURLToPath } from "node:url";
import { bundle } from "./build.ts";

const ROOT = new URL("../", import.meta.url);
const BUILT = new URL("dist/orch.js", ROOT);
/** What the built file is made of. */
export const SOURCES = ["main.ts", "deno.json", "deno.lock", "scripts/build.ts", "schema/", "pki/", "host/", "server/"];
/** How long a new server is left alone before the file is made beside it, ms. */
const BUILD_AFTER_MS = 5_000;

if (import.meta.main) {
  const built = isBuilt();
  if (!built) Deno.unrefTimer(setTimeout(buildBeside, BUILD_AFTER_MS));
  const { run } = await import(built ? BUILT.href : new URL("main.ts", ROOT).href);
  await run(argsOf(Deno.args));
}

/** The arguments, of which those before `--` are defaults: one gives way to the same option after it. */
export function argsOf(args: readonly string[]): string[] {
  const at = args.indexOf("--");
  if (at < 0) return [...args];
  const given = args.slice(at + 1), named = new Set(given.map(optionOf));
  return [...args.slice(0, at).filter((arg) => !named.has(optionOf(arg))), ...given];
}

/** `--a-b` of `--a_b=c`. */
function optionOf(arg: string): string {
  return arg.split("=", 1)[0]!.replaceAll("_", "-");
}

/** Whether the built file is newer than all that it is made of. */
export function isBuilt(): boolean {
  return newest(SOURCES, ROOT) < modified(BUILT);
}

/**
 * Makes the built file as the `build` task does: under another name until it is whole, and as old as when it was begun.
 * @throws Error with what the bundler said when it fails
 */
export async function build(): Promise<void> {
  const began = new Date();
  const part = new URL(`orch.${Deno.pid}.js`, BUILT);
  await bundle(fileURLToPath(part), "main.ts");
  await Deno.utime(part, began, began);
  await Deno.rename(part, BUILT);
}

function buildBeside(): void {
  build().catch((e) =>
    console.error(`warning: dist/orch.js was not made, the next start is from the sources: ${e.message}`)
  );
}

/** When a file was last written, ms; 0 when there is none. */
function modified(file: URL): number {
  try {
    return Deno.statSync(file).mtime?.getTime() ?? 0;
  } catch {
    return 0;
  }
}

/** When the newest of files was written, ms; a name that ends with a slash stands for all in that folder. */
function newest(names: readonly string[], base: URL): number {
  const times = names.map((name) => {
    const at = new URL(name, base);
    return name.endsWith("/") ? newest(Array.from(Deno.readDirSync(at), nameOf), at) : modified(at);
  });
  return Math.max(...times);
}

function nameOf({ name, isDirectory }: Deno.DirEntry): string {
  return isDirectory ? `${name}/` : name;
}
