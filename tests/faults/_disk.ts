/** Small file systems for tests, where they can be mounted. */

/** A file system in memory; unmounted and removed with it. */
export interface SmallDisk extends AsyncDisposable {
  readonly path: string;
  /** Whether it can be written from here on; false when it is in use. */
  remount(how: "ro" | "rw"): Promise<boolean>;
}

/** A file system of a few MB, or undefined where none can be mounted. */
export async function smallDisk(megabytes: number): Promise<SmallDisk | undefined> {
  const path = await Deno.makeTempDir({ prefix: "small-" });
  const gone = () => Deno.remove(path, { recursive: true });
  if (!(await done("mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", path))) return void await gone();
  return {
    path,
    remount: (how) => done("mount", "-o", `remount,${how}`, path),
    async [Symbol.asyncDispose]() {
      await done("umount", path);
      await gone();
    },
  };
}

async function done(command: string, ...args: string[]): Promise<boolean> {
  try {
    const { success } = await new Deno.Command(command, { args, stderr: "null", stdout: "null" }).output();
    return success;
  } catch {
    return false;
  }
}
