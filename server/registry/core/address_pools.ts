/**
 * Where addresses of services come from: the ranges that the server was started with, and those of `ServiceCIDR` objects, as
 * long as these are ready and stay. The server's own ranges have an object too, which can say that they are out of use.
 */
import { isTrue } from "../../../schema/rules/checks/conditions.ts";
import { items, type Tree } from "../../../schema/rules/tree.ts";
import { formatCidr, parseCidr } from "../../../schema/values/ip.ts";
import type { Store } from "../store.ts";
import { AddressPool } from "./address_pool.ts";
import type { Family } from "./service_families.ts";

/** The shortest prefix of a range of IPv6 that is given out of; the server's own may be shorter. */
const MIN_PREFIX = { 4: 0, 6: 64 } as const;

/** See the top of the file. */
export class AddressPools {
  /** Families of the server's own ranges, the primary one first: others are not given, whatever objects say. */
  readonly families: readonly Family[];
  readonly #own: ReadonlyMap<string, AddressPool>;
  readonly #blocks: () => Store | undefined;
  #known: { changes: number; pools: readonly AddressPool[] } | undefined;

  /** `blocks`: registry of `servicecidrs`; undefined where they are not served. @throws ValueError for what is no CIDR */
  constructor(ranges: readonly string[], blocks: () => Store | undefined) {
    this.#own = new Map(ranges.map((r) => [formatCidr(parseCidr(r)), new AddressPool(r)]));
    this.#blocks = blocks;
    this.families = [...this.#own.values()].map((p) => p.family);
  }

  /** The server's own range of a family that it has. */
  own(family: Family): AddressPool {
    return [...this.#own.values()].find((p) => p.family === family)!;
  }

  /** Ranges of a family that are given out of now, the server's own first. */
  of(family: Family): readonly AddressPool[] {
    return this.all().filter((p) => p.family === family);
  }

  /** All of them, of each family. */
  all(): readonly AddressPool[] {
    const store = this.#blocks();
    if (!store) return [...this.#own.values()];
    if (this.#known?.changes !== store.cache.changes) {
      this.#known = { changes: store.cache.changes, pools: this.#read(store) };
    }
    return this.#known.pools;
  }

  #read(store: Store): AddressPool[] {
    // A range of several objects is in use by any of them.
    const inUse = new Map<string, boolean>();
    for (const entry of store.cache.snapshot().range()) {
      const block: Tree | undefined = entry.readable();
      if (!block) continue;
      const ready = isReady(block);
      for (const text of items<string>(block["spec"]?.cidrs)) {
        const cidr = parseCidr(text), range = formatCidr(cidr);
        if (cidr.prefix >= MIN_PREFIX[cidr.family] || this.#own.has(range)) {
          inUse.set(range, ready || inUse.get(range) === true);
        }
      }
    }
    const own = [...this.#own].filter(([range]) => inUse.get(range) !== false).map(([, pool]) => pool);
    const added = [...inUse].filter(([range, ready]) => ready && !this.#own.has(range));
    return [...own, ...added.map(([range]) => new AddressPool(range))];
  }
}

/** Where nobody says whether a range is ready, it is. */
function isReady({ metadata, status }: Tree): boolean {
  if (metadata.deletionTimestamp) return false;
  const told = items<Tree>(status?.conditions);
  return isTrue(told, "Ready") || !told.some((c) => c["type"] === "Ready");
}
