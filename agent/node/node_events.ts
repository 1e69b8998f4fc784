/** Events about the node. */
import type { Node } from "../../schema/api/core_v1.ts";
import type { Events } from "../types.ts";

/** See the top of the file. */
export class NodeEvents {
  #schedulable = true;
  /** The boot id that was told last. */
  #boot: string | undefined;

  constructor(private readonly name: string, private readonly events: Events) {}

  /** States that it has come to, by their reasons. */
  states(reasons: readonly string[]): void {
    for (const reason of reasons) {
      this.events.node("Normal", reason, `Node ${this.name} status is now: ${reason}`);
    }
  }

  /** Whether pods may be put on it; told when it changes. */
  schedulable(now: boolean): void {
    if (now === this.#schedulable) return;
    this.#schedulable = now;
    this.states([now ? "NodeSchedulable" : "NodeNotSchedulable"]);
  }

  /** Told once when the host has begun anew between two statuses. */
  reboot(before: Node, after: Node): void {
    const was = before.status?.nodeInfo?.bootID, is = after.status?.nodeInfo?.bootID;
    if (!was || was === is || is === this.#boot) return;
    this.#boot = is;
    this.events.node("Warning", "Rebooted", `Node ${this.name} has been rebooted, boot id: ${is}`);
  }
}
