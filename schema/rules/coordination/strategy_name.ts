/** How the holder of a lease is chosen among candidates. */
import { format } from "../checks/basic.ts";
import { qualifiedName } from "../checks/formats.ts";
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";

/** The strategy that needs the candidates' emulated versions. */
export const OLDEST = "OldestEmulationVersion";

/** A known strategy, or one with a domain. Causes stand at a member `strategy` of the place. */
export function strategyName(name: string, path: Path, errors: ErrorList): void {
  const at = path.child("strategy");
  if (name.includes("/")) format(name, at, errors, qualifiedName);
  else if (name !== OLDEST) errors.notSupported(at, name, [OLDEST]);
}
