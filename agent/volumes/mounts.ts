/** What is mounted on this host, and the commands that change it. */
import { readFile } from "node:fs/promises";
import { type CommandError, run } from "./command.ts";

/** A line of `/proc/self/mountinfo`. */
export interface MountPoint {
  readonly path: string;
  /** Of the file system: `tmpfs`. */
  readonly type: string;
  /** Device and path in it: what bind mounts of one directory have in common. */
  readonly origin: string;
  /** Options of the file system itself. */
  readonly options: readonly string[];
  /** What is mounted below it is told to others, and theirs to it. */
  readonly isShared: boolean;
}

const unescape = (text: string) =>
  text.includes("\\")
    ? text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)))
    : text;

/** All mount points, in the order in which they were mounted. */
export async function mountPoints(): Promise<readonly MountPoint[]> {
  const lines = (await readFile("/proc/self/mountinfo", "utf8")).split("\n");
  return lines.flatMap((line) => {
    const [left, right] = line.split(" - ");
    const [, , device, root, path, , ...tags] = left!.split(" ");
    if (right === undefined || path === undefined) return [];
    const [type, , options] = right.split(" ");
    return [{
      path: unescape(path),
      type: type!,
      origin: `${device}:${unescape(root!)}`,
      options: (options ?? "").split(","),
      isShared: tags.some((tag) => tag.startsWith("shared:")),
    }];
  });
}

/** What is mounted at a path, the uppermost. */
export async function mountedAt(path: string): Promise<MountPoint | undefined> {
  return (await mountPoints()).findLast((m) => m.path === path);
}

/** @param type of the file system, empty for a bind mount @throws Error in the public agent's words */
export async function mount(source: string, target: string, type: string, options: readonly string[]): Promise<void> {
  const args = [
    ...(type ? ["-t", type] : []),
    ...(options.length ? ["-o", options.join(",")] : []),
    "--no-canonicalize",
    "--",
    source,
    target,
  ];
  try {
    await run("mount", args);
  } catch (e) {
    const { message, output } = e as CommandError;
    throw new Error(
      `mount failed: ${message}\nMounting command: mount\nMounting arguments: ${args.join(" ")}\nOutput: ${output}`,
    );
  }
}

/** @throws Error when it stays mounted */
export async function unmount(target: string): Promise<void> {
  try {
    await run("umount", ["--no-canonicalize", "--", target]);
  } catch (e) {
    if (await mountedAt(target)) {
      throw new Error(`unmount failed: ${(e as CommandError).message}\nOutput: ${(e as CommandError).output}`);
    }
  }
}
