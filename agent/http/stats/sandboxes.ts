/** What the kernel tells of sandboxes that run: their groups, and what goes over their networks. */
import { readFile } from "node:fs/promises";
import type { Hierarchy } from "../../resources/hierarchy.ts";
import { groupOfProcess } from "../../resources/processes.ts";
import type { PodSandbox, Runtime } from "../../runtime/types.ts";
import { type Traffic, trafficOf } from "./proc.ts";

const PROC = "/proc";

/** Remembers which process is whose: it stays the same for as long as a sandbox runs. */
export class Sandboxes {
  readonly #pids = new Map<string, Promise<number | undefined>>();

  constructor(readonly runtime: Pick<Runtime, "sandboxPid">, readonly hierarchy: Hierarchy | undefined) {}

  /** Those that run now: others are forgotten. */
  keep(sandboxes: ReadonlySet<string>): void {
    for (const id of this.#pids.keys()) if (!sandboxes.has(id)) this.#pids.delete(id);
  }

  /** The group of one of its containers, which lie beside each other; undefined: nobody tells. */
  async group({ id }: PodSandbox, container: string): Promise<string | undefined> {
    const pid = await this.#pid(id);
    if (pid === undefined || !this.hierarchy) return undefined;
    const group = await groupOfProcess(pid, PROC, this.hierarchy.version).catch(() => undefined);
    return group?.includes(id) ? group.replace(id, container) : undefined;
  }

  /** What goes over its network, by interface; none where nobody tells. */
  async traffic({ id }: PodSandbox): Promise<readonly Traffic[]> {
    const pid = await this.#pid(id);
    return pid === undefined ? [] : trafficOf(await readFile(`${PROC}/${pid}/net/dev`, "utf8").catch(() => ""));
  }

  /** One that cannot be told now is asked for again. */
  #pid(id: string): Promise<number | undefined> {
    let known = this.#pids.get(id);
    if (!known) {
      known = this.runtime.sandboxPid(id).catch(() => void this.#pids.delete(id));
      this.#pids.set(id, known);
    }
    return known;
  }
}
