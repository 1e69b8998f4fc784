/** Which containers have which devices. */
import type { Allocation } from "./messages.ts";

/** Stands for devices that lie at no NUMA node. */
export const NO_NODE = -1;

/** Devices of one resource that a container has, and what it gets with them. */
export interface Given {
  /** Ids by NUMA node; a device may lie at several. */
  readonly byNode: ReadonlyMap<number, readonly string[]>;
  readonly allocation: Allocation;
}

/** One of {@linkcode Allocations}. */
export interface Entry extends Given {
  readonly uid: string;
  readonly container: string;
  readonly resource: string;
}

const NONE: ReadonlyMap<string, Given> = new Map();

/** Ids of what is given. */
export const idsOf = ({ byNode }: Given): ReadonlySet<string> => new Set([...byNode.values()].flat());

/** See the top of the file: by uid, container and resource. */
export class Allocations {
  #pods = new Map<string, Map<string, Map<string, Given>>>();

  /** Of one container, by resource. */
  of(uid: string, container: string): ReadonlyMap<string, Given> {
    return this.#pods.get(uid)?.get(container) ?? NONE;
  }

  /** Ids that a container has of a resource; undefined: nothing was given. */
  ids(uid: string, container: string, resource: string): ReadonlySet<string> | undefined {
    const given = this.of(uid, container).get(resource);
    return given && idsOf(given);
  }

  /** Ids that a pod has of a resource. */
  ofPod(uid: string, resource: string): ReadonlySet<string> {
    const all = [...this.#pods.get(uid)?.values() ?? []].flatMap((of) => of.get(resource) ?? []);
    return new Set(all.flatMap((given) => [...idsOf(given)]));
  }

  hasPod(uid: string): boolean {
    return this.#pods.has(uid);
  }

  add({ uid, container, resource, ...given }: Entry): void {
    const pod = this.#pods.get(uid) ?? new Map<string, Map<string, Given>>();
    this.#pods.set(uid, pod.set(container, (pod.get(container) ?? new Map()).set(resource, given)));
  }

  /** Forgets pods that are no more. */
  keep(isKept: (uid: string) => boolean): void {
    for (const uid of this.#pods.keys()) if (!isKept(uid)) this.#pods.delete(uid);
  }

  entries(): readonly Entry[] {
    return [...this.#pods].flatMap(([uid, containers]) =>
      [...containers].flatMap(([container, resources]) =>
        [...resources].map(([resource, given]) => ({ uid, container, resource, ...given }))
      )
    );
  }

  /** Ids that are given, by resource. */
  used(): ReadonlyMap<string, ReadonlySet<string>> {
    const out = new Map<string, Set<string>>();
    for (const entry of this.entries()) {
      out.set(entry.resource, new Set([...out.get(entry.resource) ?? [], ...idsOf(entry)]));
    }
    return out;
  }

  /** Uids of pods that have one of these devices. */
  holders(resource: string, ids: readonly string[]): readonly string[] {
    const having = this.entries().filter((e) => e.resource === resource && ids.some((id) => idsOf(e).has(id)));
    return [...new Set(having.map(({ uid }) => uid))];
  }
}
