/** Files and directories of the host. */
import { lstat, mkdir, open, stat } from "node:fs/promises";
import type { Stats } from "node:fs";
import type { HostPathVolumeSource } from "../../schema/api/core_v1.ts";
import { orAbsent } from "../files.ts";
import { withoutBacksteps } from "./paths.ts";
import type { Plugin } from "./plugin.ts";

const KINDS: readonly (readonly [kind: string, test: (s: Stats) => boolean])[] = [
  ["Socket", (s) => s.isSocket()],
  ["BlockDevice", (s) => s.isBlockDevice()],
  ["CharDevice", (s) => s.isCharacterDevice()],
  ["Directory", (s) => s.isDirectory()],
  ["File", (s) => s.isFile()],
];

/** Kind of a file, links followed. @throws Error: it is not there, or of another kind */
export async function fileKind(path: string): Promise<string> {
  const stats = await orAbsent(stat(path));
  if (!stats) throw new Error(`path ${JSON.stringify(path)} does not exist`);
  const found = KINDS.find(([, test]) => test(stats));
  if (!found) throw new Error("only recognise file, directory, socket, block device and character device");
  return found[0];
}

const makeDirectory = async (path: string) => void await mkdir(path, { recursive: true, mode: 0o755 });
async function makeFile(path: string): Promise<void> {
  await (await open(path, "a", 0o644)).close();
}

/** What must be there, its name in words, and how it is made where it may be absent. */
interface Demand {
  readonly kind: string;
  readonly words: string;
  readonly make?: (path: string) => Promise<void>;
}
const DEMANDS: Readonly<Record<string, Demand>> = {
  DirectoryOrCreate: { kind: "Directory", words: "directory", make: makeDirectory },
  Directory: { kind: "Directory", words: "directory" },
  FileOrCreate: { kind: "File", words: "file", make: makeFile },
  File: { kind: "File", words: "file" },
  Socket: { kind: "Socket", words: "socket file" },
  CharDevice: { kind: "CharDevice", words: "character device" },
  BlockDevice: { kind: "BlockDevice", words: "block device" },
};

async function check(path: string, type: string): Promise<void> {
  const demand = DEMANDS[type];
  if (!demand) throw new Error(`${type} is an invalid volume type`);
  if (demand.make && !await orAbsent(lstat(path))) return await demand.make(path);
  const kind = await fileKind(path).catch((e) => {
    throw new Error(
      `hostPath type check failed, ${path} is not a ${demand.words}, unable to determine its type: ${e.message}`,
    );
  });
  if (kind !== demand.kind) {
    throw new Error(`hostPath type check failed: ${path} is not a ${demand.words}, it's a ${kind}`);
  }
}

/** See the top of the file. */
export const hostPath: Plugin<HostPathVolumeSource> = {
  dir: "kubernetes.io~host-path",
  async setUp({ path, type }, { readOnly }) {
    try {
      withoutBacksteps(path);
    } catch (e) {
      throw new Error(`invalid HostPath \`${path}\`: ${(e as Error).message}`);
    }
    if (type) await check(path, type);
    return { path, readOnly };
  },
};
