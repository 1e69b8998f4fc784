/** Who is owned by whom: objects that name owners, found by their owner's uid. Others are not held. */

/** A reference to an owner, as objects carry it. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly blockOwnerDeletion?: boolean;
  readonly controller?: boolean;
}

/** Where an object is. */
export interface Place {
  readonly uid: string;
  readonly resourceId: string;
  readonly namespace: string;
  readonly name: string;
}

/** An object with owners. */
export interface Dependant extends Place {
  readonly owners: readonly OwnerReference[];
}

const nobody: ReadonlySet<Dependant> = new Set();

/** See the top of the file. */
export class OwnerGraph {
  readonly #nodes = new Map<string, Dependant>();
  readonly #byOwner = new Map<string, Set<Dependant>>();

  /** The object of a uid, when it has owners. */
  node(uid: string): Dependant | undefined {
    return this.#nodes.get(uid);
  }

  /** Objects that name the uid as an owner. */
  dependants(uid: string): ReadonlySet<Dependant> {
    return this.#byOwner.get(uid) ?? nobody;
  }

  /** Puts an object in the place of its last state; gives that. */
  set(node: Dependant): Dependant | undefined {
    const old = this.delete(node.uid);
    this.#nodes.set(node.uid, node);
    for (const { uid } of node.owners) {
      const set = this.#byOwner.get(uid);
      if (set) set.add(node);
      else this.#byOwner.set(uid, new Set([node]));
    }
    return old;
  }

  /** Takes an object out; gives what it was. */
  delete(uid: string): Dependant | undefined {
    const old = this.#nodes.get(uid);
    if (!old) return undefined;
    this.#nodes.delete(uid);
    for (const owner of old.owners) {
      const set = this.#byOwner.get(owner.uid);
      set?.delete(old);
      if (set?.size === 0) this.#byOwner.delete(owner.uid);
    }
    return old;
  }

  /** All objects with owners. */
  nodes(): Iterable<Dependant> {
    return this.#nodes.values();
  }
}

/** Whether two lists of owners are equal in what matters here. */
export function sameOwners(a: readonly OwnerReference[], b: readonly OwnerReference[]): boolean {
  return a.length === b.length && a.every((x, i) => {
    const y = b[i]!;
    return x.uid === y.uid && x.name === y.name && x.kind === y.kind && x.apiVersion === y.apiVersion &&
      (x.blockOwnerDeletion ?? false) === (y.blockOwnerDeletion ?? false);
  });
}
