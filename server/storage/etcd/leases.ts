/** Leases for keys that expire: writes of about one time share one, so that the cluster keeps hundreds and not thousands. */
import type { Cluster } from "./cluster.ts";
import { RPC } from "./messages.ts";

/** Bounds of sharing. */
export interface LeaseOptions {
  /** A lease serves times up to so many seconds before its end; 60 without. At most 5 % of the time to live. */
  readonly reuseSeconds?: number;
  /** Keys on one lease; 1,000 without. */
  readonly maxKeys?: number;
}

interface Lease {
  readonly id: bigint;
  readonly endsAt: number;
  keys: number;
}

const SHARE = 0.05;

/** See the top of the file. */
export class Leases {
  #last: Lease | undefined;
  #granting: Promise<Lease> | undefined;

  constructor(readonly cluster: Cluster, readonly options: LeaseOptions, readonly now: () => number) {}

  /** A lease that ends at the time or a little after. Where none can be had, all who wait hear of it together. @throws StorageError */
  async for(expiresAt: number): Promise<bigint> {
    while (this.#granting) await this.#granting;
    const ttl = Math.max(1_000, expiresAt - this.now());
    const slack = Math.max(1_000, Math.min((this.options.reuseSeconds ?? 60) * 1_000, ttl * SHARE));
    const last = this.#last;
    const fits = last && last.endsAt >= expiresAt && last.endsAt <= expiresAt + 2 * slack &&
      last.keys < (this.options.maxKeys ?? 1_000);
    const lease = fits ? last : await (this.#granting = this.#grant(expiresAt, ttl + slack));
    lease.keys++;
    return lease.id;
  }

  /** That lease is gone. */
  forget(id: bigint): void {
    if (this.#last?.id === id) this.#last = undefined;
  }

  async #grant(expiresAt: number, ttl: number): Promise<Lease> {
    try {
      const seconds = Math.ceil(ttl / 1_000);
      const granted = await this.cluster.call(RPC.leaseGrant, { ttl: seconds }, {
        doing: "grant a lease",
        repeatable: true,
      });
      const endsAt = Math.max(expiresAt, this.now() + seconds * 1_000);
      return this.#last = { id: granted.id, endsAt, keys: 0 };
    } finally {
      this.#granting = undefined;
    }
  }
}
