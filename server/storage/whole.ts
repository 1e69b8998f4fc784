/**
 * All stores of one server (`--store-servers-overrides`), as the commands on them see them: one set of keys, each in the
 * store that its resource is served from. Stores count revisions apart, so a moment is one revision of each.
 */
import { type Backend, type Revision, StorageError, type Stored } from "./backend.ts";
import { scanAll } from "./scan.ts";
import { laterReason } from "./unreadable.ts";

/** One of the stores. */
export interface Part {
  /** In messages. */
  readonly name: string;
  readonly backend: Backend;
  /** Whether a key is served from here. */
  readonly owns: (key: string) => boolean;
}

/** A revision of each store, all asked for at the same time. */
export type Moment = ReadonlyMap<Part, Revision>;

/** What was read. */
export interface Reading {
  /** Keys in each store that are served from another one: nobody reads them there, and they are left out. */
  readonly strays: ReadonlyMap<Part, number>;
}

/** See the top of the file. */
export class Whole {
  /** @param parts the main store first; of each key, one of them is the owner */
  constructor(readonly parts: readonly Part[]) {}

  /** A store that is alone. */
  static of(backend: Backend): Whole {
    return new Whole([{ name: "the store", backend, owns: () => true }]);
  }

  /** The store that has facts about the whole and everything that no option puts elsewhere. */
  get main(): Part {
    return this.parts[0]!;
  }

  /** The store of a key. */
  partOf(key: string): Part {
    return this.parts.find((part) => part.owns(key))!;
  }

  /** Now. @throws StorageError */
  async moment(): Promise<Moment> {
    const revisions = await Promise.all(this.parts.map(({ backend }) => backend.revision()));
    return new Map(this.parts.map((part, i) => [part, revisions[i]!]));
  }

  /** Every key of a moment, each once, in no order. @throws StorageError, RevisionError */
  async everything(at: Moment, take: (items: readonly Stored[], part: Part) => Promise<void>): Promise<Reading> {
    const strays = new Map<Part, number>();
    for (const part of this.parts) {
      await scanAll(part.backend, "", async (items) => {
        for (const { value } of items) {
          const why = laterReason(value);
          if (why !== undefined) throw new StorageError("sealed", why);
        }
        const own = items.filter(({ key }) => part.owns(key));
        if (own.length < items.length) strays.set(part, (strays.get(part) ?? 0) + items.length - own.length);
        await take(own, part);
      }, at.get(part)!);
    }
    return { strays };
  }

  /** The same stores, each through something. */
  over(through: (backend: Backend) => Backend): Whole {
    return new Whole(this.parts.map((part) => ({ ...part, backend: through(part.backend) })));
  }

  /** Closes all of them. */
  async close(): Promise<void> {
    await Promise.all(this.parts.map(({ backend }) => backend.close()));
  }
}

/** When each of the items expires, as of a moment: asked for together, since a store may be far away. @throws StorageError */
export async function endsOf(items: readonly Stored[], part: Part, at: Moment): Promise<(number | undefined)[]> {
  return await Promise.all(items.map(({ key }) => part.backend.expiresAt?.(key, at.get(part))));
}
