/** The agent's directory on a mount whose mounts others see: those that containers make there reach the host, and its own reach them. */
import { realpath } from "node:fs/promises";
import { run } from "./command.ts";
import { mountPoints } from "./mounts.ts";

/** Sees to it, once for a start of the host. @throws Error: it cannot be done */
export async function shareMounts(directory: string): Promise<void> {
  const path = await realpath(directory);
  const around = (await mountPoints()).findLast((m) => `${path}/`.startsWith(m.path === "/" ? "/" : `${m.path}/`));
  if (around?.isShared) return;
  await run("mount", ["--rbind", "--", path, path]);
  await run("mount", ["--make-rshared", "--", path]);
}
