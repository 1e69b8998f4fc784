/** Pods of manifest files (`--pod-manifest-path`). */
import { createHash } from "node:crypto";
import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Pod } from "../../schema/api/core_v1.ts";
import type { LogLine } from "../../schema/log/log.ts";
import type { Clock, Source } from "../types.ts";
import { type ManifestContext, MAX_MANIFEST, readManifest } from "./manifest.ts";
import { PathWatch } from "./path_watch.ts";

/** What the source of files is started with. */
export interface FileSourceOptions extends ManifestContext {
  /** One file, or a directory of them. */
  readonly podManifestPath: string;
  /** ms */
  readonly fileCheckFrequency: number;
  readonly clock: Clock;
  readonly log: LogLine;
}

/** A file as it was read last. */
interface Read {
  readonly digest: string;
  readonly pod?: Pod;
}

/** Reads files at each check, and as soon as something happens to one. */
export class FileSource implements Source {
  readonly name = "file";
  #files = new Map<string, Read>();
  #delivered: string | undefined;

  constructor(readonly options: FileSourceOptions) {}

  async run(deliver: (pods: readonly Pod[]) => void, signal: AbortSignal): Promise<void> {
    const { clock, fileCheckFrequency, podManifestPath, log } = this.options;
    const watch = new PathWatch(podManifestPath, signal);
    let due = 0;
    while (!signal.aborted) {
      watch.begin();
      const check = clock.ticks() >= due;
      if (check) due = clock.ticks() + fileCheckFrequency;
      try {
        await this.#read(check, deliver);
      } catch (e) {
        log("error", "Unable to read config path", { path: podManifestPath, err: (e as Error).message });
      }
      await watch.changed((stop) => clock.wait(Math.max(0, due - clock.ticks()), stop));
    }
  }

  /** @param check what is no manifest is dropped; otherwise it stays what it was, as it may be half written */
  async #read(check: boolean, deliver: (pods: readonly Pod[]) => void): Promise<void> {
    const { podManifestPath: path, log } = this.options;
    const paths = await manifestPaths(path);
    const files = new Map<string, Read>();
    for (const file of paths.files) {
      const before = this.#files.get(file);
      try {
        files.set(file, await this.#readFile(file, before));
      } catch (e) {
        if (paths.single) throw e;
        log("error", "Could not process manifest file", { path: file, err: (e as Error).message });
        if (before && (!check || isOfSystem(e))) files.set(file, before);
      }
    }
    this.#files = files;
    const digest = [...files].map(([file, { digest }]) => `${file} ${digest}`).join("\n");
    if (digest === this.#delivered) return;
    this.#delivered = digest;
    deliver([...files.values()].flatMap(({ pod }) => pod ?? []));
  }

  async #readFile(path: string, before: Read | undefined): Promise<Read> {
    const bytes = await readAtMost(path, MAX_MANIFEST);
    const digest = createHash("sha256").update(bytes).digest("hex");
    if (before?.digest === digest) return before;
    return { digest, pod: readManifest(bytes, { source: "file", place: path }, this.options)[0]! };
  }
}

/** The files of a path: itself, or what a directory holds, without what is hidden. None: it is not there. */
async function manifestPaths(path: string): Promise<{ single: boolean; files: string[] }> {
  const found = await stat(path).catch((e) => {
    if (e.code === "ENOENT") return undefined;
    throw e;
  });
  if (!found) return { single: false, files: [] };
  if (found.isFile()) return { single: true, files: [path] };
  if (!found.isDirectory()) throw new Error("path is not a directory or file");
  const names = (await readdir(path)).filter((name) => !name.startsWith(".")).sort();
  const files: string[] = [];
  for (const name of names) {
    const file = join(path, name);
    // What cannot be looked at is told of when it is read.
    const isFile = await stat(file).then((found) => found.isFile(), (e) => e.code !== "ENOENT");
    if (isFile) files.push(file);
  }
  return { single: false, files };
}

/** Whether the system does not give what a file holds, whatever that is. */
function isOfSystem(fault: unknown): boolean {
  const { code } = fault as { code?: unknown };
  return typeof code === "string" && code !== "ENOENT";
}

async function readAtMost(path: string, limit: number): Promise<Uint8Array> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    const { size } = await file.stat();
    if (size > limit) throw new Error(`the file is longer than ${limit} bytes`);
    const bytes = new Uint8Array(size);
    let length = 0;
    for (let read = -1; read !== 0 && length < size; length += read) {
      read = (await file.read(bytes, length, size - length)).bytesRead;
    }
    return bytes.subarray(0, length);
  } finally {
    await file?.close();
  }
}
