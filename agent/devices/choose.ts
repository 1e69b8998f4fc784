/** Which devices a container gets. */
import type { Nodes } from "../resources/managers/hints.ts";
import type { Preference } from "./messages.ts";
import type { Device } from "./stock.ts";

/** What there is to choose from. */
export interface Choice {
  readonly resource: string;
  readonly count: number;
  /** Ids that init containers of the pod had. */
  readonly reusable: ReadonlySet<string>;
  /** Those that are free, in the plugin's order. */
  readonly free: readonly Device[];
  /** NUMA nodes that the container should use; undefined: any. */
  readonly nodes: Nodes | undefined;
  /** What the plugin would rather give; nothing where it does not say. @throws Error */
  prefer(preference: Preference): Promise<readonly string[]>;
}

/** What can be had again first, then what lies near, as the plugin likes it best. @throws Error: there are not so many */
export async function choose(choice: Choice): Promise<readonly string[]> {
  const { resource, count, free } = choice;
  const taken = new Set<string>();
  const isEnough = () => taken.size >= count;
  const take = (ids: Iterable<string>) => {
    for (const id of ids) {
      if (isEnough()) return;
      taken.add(id);
    }
  };
  const preferred = async (from: readonly string[]) => {
    const available = [...new Set([...from, ...taken])];
    const liked = await choice.prefer({ available, mustInclude: [...taken], size: count });
    take(liked.filter((id) => from.includes(id)));
  };
  take(choice.reusable);
  if (isEnough()) return [...taken];
  const needed = count - taken.size;
  if (free.length < needed) {
    throw new Error(
      `requested number of devices unavailable for ${resource}. Requested: ${needed}, Available: ${free.length}`,
    );
  }
  const ids = free.map(({ id }) => id), { near, far, anywhere } = byNearness(free, choice.nodes);
  if (needed < near.length) {
    await preferred(near);
    take(near);
  } else {
    take(near);
    if (!isEnough()) await preferred(ids);
    take(far);
    take(anywhere);
  }
  if (isEnough()) return [...taken];
  throw new Error(`unexpectedly allocated less resources than required. Requested: ${count}, Got: ${taken.size}`);
}

/** Without a wish, or where no device lies anywhere, all are alike. */
function byNearness(free: readonly Device[], nodes: Nodes | undefined) {
  const of = (devices: readonly Device[]) => devices.map(({ id }) => id);
  if (!nodes) return { near: [], far: [], anywhere: of(free) };
  const isNear = (device: Device) => device.nodes.some((node) => nodes.includes(node));
  const placed = free.filter((device) => device.nodes.length > 0);
  return {
    near: of(placed.filter(isNear)),
    far: of(placed.filter((device) => !isNear(device))),
    anywhere: of(free.filter((device) => device.nodes.length === 0)),
  };
}
