/** Servers that share the store, as their identity leases tell. */
import type { Product } from "../../schema/product.ts";
import { type HostPort, parseHostPort } from "../../schema/values/host_port.ts";
import type { Entry } from "../cache/mod.ts";
import type { Follower } from "../controllers/follow.ts";
import { ADVERTISED, IDENTITY } from "./address.ts";
import type { PeerDocuments } from "./documents.ts";

/** A lease that nobody was seen to renew for so long (ms) is of a server that is most likely gone: three renewals. */
const QUIET_MS = 30_000;

/** A peer. */
export interface Peer {
  readonly identity: string;
  /** Another one after each start of that server. */
  readonly holder: string;
  readonly address: HostPort | undefined;
  /** What it serves, once it was asked. */
  documents?: PeerDocuments | undefined;
  readonly renewed: string;
  /** When its lease was last seen to be renewed, by this server's clock: clocks of servers need not agree. */
  seenAt: number;
}

/** What is asked and told of. */
export interface KnownPeersOptions {
  readonly product: Product;
  /** This server's own identity. */
  readonly own: string;
  now(): number;
  /** A peer is new, or may serve something else. */
  arrived(identity: string): void;
  left(identity: string): void;
}

/** See the top of the file. */
export class KnownPeers {
  readonly #peers = new Map<string, Peer>();
  readonly #o: KnownPeersOptions;
  readonly #label: string;
  readonly #value: string;
  readonly #advertised: string;

  constructor(o: KnownPeersOptions) {
    this.#o = o;
    [this.#label, this.#value] = [o.product.local(IDENTITY[0]), o.product.local(IDENTITY[1])];
    this.#advertised = o.product.local(ADVERTISED);
  }

  /** What is to hear of all leases. */
  readonly follower: Follower = (entry, deleted) => {
    if (entry.namespace !== this.#o.product.systemNamespace || entry.name === this.#o.own) return;
    if (entry.labels[this.#label] !== this.#value) return;
    if (deleted) this.#gone(entry.name);
    else this.#noted(entry);
  };

  /** Hears whether there is a lease, by namespace and name, of each peer: nobody tells what goes while caches are read anew. */
  keep(there: (namespace: string, name: string) => boolean): void {
    const { systemNamespace } = this.#o.product;
    for (const name of [...this.#peers.keys()]) if (!there(systemNamespace, name)) this.#gone(name);
  }

  #gone(name: string): void {
    if (this.#peers.delete(name)) this.#o.left(name);
  }

  #noted(entry: Entry): void {
    const lease = entry.peek();
    const holder = lease["spec"]?.holderIdentity as string | undefined;
    if (holder === undefined) return;
    const address = lease.metadata.annotations?.[this.#advertised] ?? "";
    const renewed = String(lease["spec"]?.renewTime ?? "");
    const old = this.#peers.get(entry.name);
    const seenAt = old?.renewed === renewed ? old.seenAt : this.#o.now();
    const same = old?.holder === holder;
    const documents = same ? old.documents : undefined;
    this.#peers.set(entry.name, {
      identity: entry.name,
      holder,
      address: parseHostPort(address),
      renewed,
      seenAt,
      documents,
    });
    if (!same) this.#o.arrived(entry.name);
  }

  get(identity: string): Peer | undefined {
    return this.#peers.get(identity);
  }

  /** All of them. */
  all(): IterableIterator<Peer> {
    return this.#peers.values();
  }

  /** Those that are most likely alive; all of them when none is. */
  alive(peers: readonly Peer[]): readonly Peer[] {
    const since = this.#o.now() - QUIET_MS;
    const alive = peers.filter((p) => p.seenAt >= since);
    return alive.length > 0 ? alive : peers;
  }
}
