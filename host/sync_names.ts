/** Codes of a directory that cannot be opened or put on disk by itself: then its file system does as it does. */
const NOT_BY_ITSELF: ReadonlySet<unknown> = new Set([
  "EACCES",
  "EPERM",
  "EISDIR",
  "EINVAL",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
]);

/** Puts on disk what was renamed in a directory. @throws Deno.errors of a disk that fails */
export async function syncNames(directory: string): Promise<void> {
  try {
    using names = await Deno.open(directory);
    await names.sync();
  } catch (error) {
    if (!NOT_BY_ITSELF.has(Reflect.get(error as Error, "code"))) throw error;
  }
}
