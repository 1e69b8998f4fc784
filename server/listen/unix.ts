/** The file of a unix socket. */

async function answers(path: string): Promise<boolean> {
  try {
    (await Deno.connect({ transport: "unix", path })).close();
    return true;
  } catch {
    return false;
  }
}

/**
 * Removes the socket file that a process left which is no more.
 * @throws Error when somebody still listens there, or the file is something else
 */
export async function clearStaleSocket(path: string): Promise<void> {
  let info: Deno.FileInfo;
  try {
    info = await Deno.lstat(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw error;
  }
  if (!info.isSocket) throw new Error(`Cannot listen on "${path}": it is there and is no socket`);
  if (await answers(path)) throw new Error(`Cannot listen on "${path}": another process listens there`);
  await Deno.remove(path);
}

/** Makes the socket the owner's only. */
export async function protectSocket(path: string): Promise<void> {
  await Deno.chmod(path, 0o600);
}
