/** Which names the definitions of each group have, so that settling one does not read the others. */
import { type Definition, holds } from "./definition.ts";
import type { Taken } from "./names.ts";

/** What the definitions of one group have: names of definitions by the name that they were given. */
interface Group {
  readonly resources: Map<string, Set<string>>;
  readonly kinds: Map<string, Set<string>>;
  /** Definitions that do not have all that they want, or were not looked at yet. */
  readonly wanting: Set<string>;
}

/** What one definition has. */
interface Had {
  readonly group: string;
  readonly resources: readonly string[];
  readonly kinds: readonly string[];
}

/** See the top of the file. */
export class AcceptedNames {
  readonly #groups = new Map<string, Group>();
  readonly #had = new Map<string, Had>();

  /** Takes note of a definition as it is now. */
  put(d: Definition): void {
    const id = d.metadata.name!,
      { group } = d.spec,
      { plural, singular, shortNames = [], kind, listKind } = d.status?.acceptedNames ?? {};
    this.delete(id);
    const had: Had = { group, resources: named([plural, singular, ...shortNames]), kinds: named([kind, listKind]) };
    this.#had.set(id, had);
    const of = this.#groups.get(group) ?? { resources: new Map(), kinds: new Map(), wanting: new Set() };
    this.#groups.set(group, of);
    for (const name of had.resources) of.resources.set(name, (of.resources.get(name) ?? new Set()).add(id));
    for (const name of had.kinds) of.kinds.set(name, (of.kinds.get(name) ?? new Set()).add(id));
    if (!holds(d, "NamesAccepted")) of.wanting.add(id);
  }

  /** A definition is gone. */
  delete(id: string): void {
    const had = this.#had.get(id);
    if (!had) return;
    this.#had.delete(id);
    const of = this.#groups.get(had.group)!;
    for (const name of had.resources) drop(of.resources, name, id);
    for (const name of had.kinds) drop(of.kinds, name, id);
    of.wanting.delete(id);
    if (of.resources.size + of.kinds.size + of.wanting.size === 0) this.#groups.delete(had.group);
  }

  /** All are gone. */
  clear(): void {
    this.#groups.clear();
    this.#had.clear();
  }

  /** Definitions of a group that do not have all that they want. */
  wanting(group: string): string[] {
    return [...this.#groups.get(group)?.wanting ?? []];
  }

  /** The names that the other definitions of a definition's group have. */
  takenFrom({ metadata: { name: id }, spec: { group } }: Definition): Taken {
    const of = this.#groups.get(group);
    const byOther = (holders: ReadonlySet<string> | undefined) =>
      holders !== undefined && (holders.size > 1 || !holders.has(id!));
    return {
      resources: (name) => byOther(of?.resources.get(name)),
      kinds: (name) => byOther(of?.kinds.get(name)),
    };
  }
}

const named = (names: readonly (string | undefined)[]): string[] =>
  [...new Set(names.filter((n) => n !== undefined && n !== ""))] as string[];

function drop(names: Map<string, Set<string>>, name: string, id: string): void {
  const holders = names.get(name);
  holders?.delete(id);
  if (holders?.size === 0) names.delete(name);
}
