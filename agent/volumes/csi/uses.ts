/** Which volumes of drivers this node uses, for which pods, and where they are staged. */
import type { VolumeId } from "./places.ts";

/** A place where a volume is staged, or may be. */
export interface Stage {
  readonly path: string;
  /** Undefined for a volume with files; for a disk the name of its PersistentVolume. */
  readonly disk: string | undefined;
  /** The driver said so to this start of the agent. */
  readonly isSure: boolean;
}

interface Use {
  readonly id: VolumeId;
  /** Uids of pods. */
  readonly users: Set<string>;
  /** It is attached to the node before; undefined: not known, as an earlier start of the agent has used it. */
  attachable?: boolean;
  stage?: Stage;
  /** How large it is on this node, as far as is known. */
  size?: string;
}

/** See the top of the file. */
export class CsiUses {
  readonly #uses = new Map<string, Use>();

  /** @param prefix of unique names of volumes */
  constructor(readonly prefix: string) {}

  /** The name of a volume in statuses of nodes. */
  nameOf({ driver, handle }: VolumeId): string {
    return `${this.prefix}${driver}^${handle}`;
  }

  join(id: VolumeId, uid: string, attachable?: boolean): void {
    const use = this.#of(id);
    use.users.add(uid);
    if (attachable !== undefined) use.attachable = attachable;
  }

  /** Of a volume that is in use: how large it is on this node. */
  sizeOf(id: VolumeId): string | undefined {
    return this.#uses.get(this.nameOf(id))?.size;
  }

  sized(id: VolumeId, size: string): void {
    this.#of(id).size = size;
  }

  /** A pod uses a volume no more; without one: none any more. */
  leave(uid: string, id?: VolumeId): void {
    for (const [name, use] of this.#uses) {
      if (id && name !== this.nameOf(id)) continue;
      use.users.delete(uid);
      this.#tidy(name, use);
    }
  }

  staged(id: VolumeId, stage: Stage): void {
    this.#of(id).stage = stage;
  }

  unstaged(id: VolumeId): void {
    const name = this.nameOf(id), use = this.#uses.get(name);
    if (!use) return;
    delete use.stage;
    this.#tidy(name, use);
  }

  stageOf(id: VolumeId): Stage | undefined {
    return this.#uses.get(this.nameOf(id))?.stage;
  }

  /** Volumes that are staged for nobody. */
  idle(): readonly VolumeId[] {
    return [...this.#uses.values()].filter(({ users, stage }) => stage && users.size === 0).map(({ id }) => id);
  }

  isIdle(id: VolumeId): boolean {
    return this.#uses.get(this.nameOf(id))?.users.size === 0;
  }

  /** Names of all that must stay attached, in order. @param before as it was told last, by an earlier start of the agent too */
  names(before: readonly string[]): readonly string[] {
    const told = new Set(before);
    return [...this.#uses].filter(([name, use]) => use.attachable ?? told.has(name)).map(([name]) => name).sort();
  }

  #of(id: VolumeId): Use {
    const name = this.nameOf(id);
    let use = this.#uses.get(name);
    if (!use) this.#uses.set(name, use = { id, users: new Set() });
    return use;
  }

  #tidy(name: string, { users, stage }: Use): void {
    if (users.size === 0 && !stage) this.#uses.delete(name);
  }
}
