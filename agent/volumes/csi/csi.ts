/** All that the agent knows of drivers of volumes (CSI) and of their volumes on this node. */
import { mkdir, realpath } from "node:fs/promises";
import type { CSIDriver } from "../../../schema/api/storage.k8s.io_v1.ts";
import type { LogLine } from "../../../schema/log/log.ts";
import { unlessNotFound } from "../../types.ts";
import { Turns } from "../turns.ts";
import { CsiDrivers } from "./drivers.ts";
import { CsiNode, type CsiNodeParts } from "./node.ts";
import type { VolumeId } from "./places.ts";
import { recoverUses } from "./recover.ts";
import { unstage } from "./unstage.ts";
import { CsiUses } from "./uses.ts";

/** How often it is looked what is staged for nobody; and pauses after one that could not be taken back, ms. */
const LOOK_MS = 1_000, MAX_RETRY_MS = 122_000;
/** How often it is looked whether a driver wants to be asked again, ms. */
const ASK_MS = 60_000;

/** What it works with. */
interface CsiParts extends CsiNodeParts {
  readonly rootDir: string;
  /** Others attach volumes to the node; without them none is. */
  readonly enableControllerAttachDetach: boolean;
  readonly log: LogLine;
}

/** See the top of the file. */
export class Csi {
  readonly node: CsiNode;
  readonly drivers: CsiDrivers;
  readonly uses: CsiUses;
  /** Work on one volume. */
  readonly turns = new Turns();
  /** Volumes that this start of the agent has published, by where they are. */
  readonly published = new Map<string, VolumeId>();
  #ready: Promise<string> | undefined;

  constructor(readonly p: CsiParts) {
    this.node = new CsiNode(p);
    this.drivers = new CsiDrivers(this.node);
    this.uses = new CsiUses(p.product.local("kubernetes.io/csi/"));
  }

  /** The agent's directory, once it is known what earlier starts have left in it. @throws Error: it cannot be looked at */
  async root(): Promise<string> {
    const opening = this.#ready ??= (async () => {
      await mkdir(this.p.rootDir, { recursive: true });
      const root = await realpath(this.p.rootDir);
      await recoverUses(root, this.uses);
      return root;
    })();
    try {
      return await opening;
    } catch (e) {
      this.#ready = undefined;
      throw e;
    }
  }

  /** Unique names of volumes that must stay attached. @param before see {@linkcode CsiUses.names} */
  async inUse(before: readonly string[]): Promise<readonly string[]> {
    try {
      await this.root();
    } catch {
      return before;
    }
    return this.uses.names(before);
  }

  /** What the cluster says of a driver; undefined: nothing. @throws Error: it cannot be known */
  async object(driver: string): Promise<CSIDriver | undefined> {
    if (!this.p.api) throw new Error("CSIDriver lister does not exist");
    const path = this.p.product.local("/apis/storage.k8s.io/v1/csidrivers/") + encodeURIComponent(driver);
    return await unlessNotFound(this.p.api.request<CSIDriver>("GET", path));
  }

  /** Makes the node known, takes back what is staged for nobody, and asks drivers again, until the signal ends. Never throws. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.node.initialize(signal), this.#tidy(signal), this.#ask(signal)]);
    this.drivers.close();
  }

  async #tidy(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.p;
    const retries = new Map<string, { readonly at: number; readonly pause: number }>();
    // A driver that does not answer holds up no other one's volumes.
    const under = new Map<string, Promise<void>>();
    for (; !signal.aborted; await clock.wait(LOOK_MS, signal)) {
      const root = await this.root().catch((e) => void log("warn", "volumes of drivers cannot be looked at", e));
      if (root === undefined) continue;
      const idle = this.uses.idle(), names = new Set(idle.map((id) => this.uses.nameOf(id)));
      for (const name of retries.keys()) if (!names.has(name)) retries.delete(name);
      for (const id of idle) {
        const name = this.uses.nameOf(id), before = retries.get(name);
        if (under.has(name) || (before && before.at > clock.ticks())) continue;
        const work = this.turns.take(name, () => unstage(this, root, id, signal)).catch((e) => {
          if (signal.aborted) return;
          const pause = Math.min((before?.pause ?? LOOK_MS / 2) * 2, MAX_RETRY_MS);
          retries.set(name, { at: clock.ticks() + pause, pause });
          log("warn", `volume ${name} is not taken back`, (e as Error).message);
        });
        under.set(name, work.finally(() => under.delete(name)));
      }
    }
    await Promise.all(under.values());
  }

  /** Drivers whose count of volumes may change say how often. */
  async #ask(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.p;
    const asked = new Map<string, number>();
    while (!signal.aborted) {
      let pause = ASK_MS;
      const now = clock.ticks(), names = this.drivers.names();
      for (const name of asked.keys()) if (!names.includes(name)) asked.delete(name);
      for (const name of names) {
        try {
          const period = Number((await this.object(name))?.spec.nodeAllocatableUpdatePeriodSeconds ?? 0) * 1000;
          if (period <= 0) continue;
          const at = asked.get(name) ?? now;
          asked.set(name, at);
          if (now - at >= period) {
            asked.set(name, now);
            await this.drivers.update(name, signal);
          }
          pause = Math.min(pause, asked.get(name)! + period - now);
        } catch (e) {
          if (!signal.aborted) log("warn", `what driver ${name} says of the node is not known`, (e as Error).message);
        }
      }
      await clock.wait(pause, signal);
    }
  }
}
