/** Files of a volume are given to the pod's group (`fsGroup`). */
import { chmod, lchown, lstat, stat } from "node:fs/promises";
import type { Stats } from "node:fs";
import { join } from "node:path";
import { entriesIn, orAbsent } from "../files.ts";

const SETGID = 0o2000, MODES = 0o7777;
const WRITE = 0o660, READ = 0o440, ENTER = 0o110;

/** All there is in a tree, what is in a directory before it. Links are not followed. Of files, which may be many millions, none is kept. */
async function* inwards(root: string): AsyncGenerator<readonly [string, Stats]> {
  const stack: { path: string; entered?: Stats }[] = [{ path: root }];
  for (let top = stack.pop(); top; top = stack.pop()) {
    if (top.entered) {
      yield [top.path, top.entered];
      continue;
    }
    const stats = top.path === root ? await lstat(root) : await orAbsent(lstat(top.path));
    // Whoever has the volume too may have taken it away.
    if (!stats) continue;
    if (!stats.isDirectory()) {
      yield [top.path, stats];
      continue;
    }
    stack.push({ path: top.path, entered: stats });
    for await (const { name, isDirectory } of entriesIn(top.path)) {
      const path = join(top.path, name), stats = isDirectory ? undefined : await orAbsent(lstat(path));
      if (isDirectory) stack.push({ path });
      else if (stats) yield [path, stats];
    }
  }
}

async function differs(root: string, group: number, readOnly: boolean): Promise<boolean> {
  const s = await stat(root);
  const want = (readOnly ? READ : WRITE) | ENTER | SETGID;
  return !s.isDirectory() || s.gid !== group || (s.mode & want) !== want;
}

/** How a volume is given to a group. */
export interface GroupOptions {
  readonly group: number;
  readonly readOnly: boolean;
  /** `OnRootMismatch` looks at the topmost directory only. */
  readonly policy?: "OnRootMismatch" | "Always" | undefined;
  /** Told how many files are done, after each. */
  readonly progress?: (files: number) => void;
}

/** Gives a tree to a group. Single files that refuse are passed over, as the public agent does. @throws Error: it cannot be walked */
export async function giveToGroup(root: string, { group, readOnly, policy, progress }: GroupOptions): Promise<void> {
  if (policy === "OnRootMismatch" && !await differs(root, group, readOnly)) return;
  let files = 0;
  for await (const [path, stats] of inwards(root)) {
    await lchown(path, -1, group).catch(() => {});
    if (!stats.isSymbolicLink()) {
      const more = (readOnly ? READ : WRITE) | (stats.isDirectory() ? ENTER | SETGID : 0);
      await chmod(path, (stats.mode & MODES) | more).catch(() => {});
    }
    progress?.(++files);
  }
}
