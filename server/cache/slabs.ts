/**
 * Many small byte arrays in few large ones. An array of its own costs some 200 bytes of heap and 300 outside it
 * (measured); a part of a slab costs nothing beside its bytes.
 *
 * A slab of which most was freed is emptied into others, so that dead bytes never outweigh the live by much. Who reads a
 * part meanwhile keeps the old slab alive; nothing is ever overwritten.
 */
import { compact } from "../../schema/values/bytes.ts";

/** One large array. */
export interface Slab {
  readonly bytes: Uint8Array;
  /** Bytes of tenants that were not freed. */
  live: number;
  /** Who may have to move; undefined for a slab of one tenant. */
  tenants: Tenant[] | undefined;
}

/** Who has bytes in a slab. The place changes when the slab is emptied. */
export interface Tenant {
  slab: Slab;
  offset: number;
  readonly length: number;
  /** It was freed, and does not move any more. */
  readonly freed: boolean;
}

/** A slab just below a size class of the allocator; small enough that one living part pins little. */
const slabSize = 64 << 10;

/** Larger arrays stand for themselves. */
const largest = 8 << 10;

/** A slab is emptied when less than this part of it lives. */
const worthwhile = 0.5;

/** See the top of the file. */
export class Slabs {
  #open: Slab = emptySlab();
  #used = 0;
  #bytes = 0;

  /** Bytes of all tenants. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Copies bytes to a place. Who moves in says so by {@linkcode settle} before anything else is placed. */
  place(bytes: Uint8Array): { slab: Slab; offset: number } {
    const { length } = bytes;
    this.#bytes += length;
    if (length > largest) return { slab: { bytes: compact(bytes), live: length, tenants: undefined }, offset: 0 };
    while (this.#used + length > slabSize || this.#open.bytes.length === 0) this.#begin();
    const slab = this.#open;
    const offset = this.#used;
    slab.bytes.set(bytes, offset);
    slab.live += length;
    this.#used += length;
    return { slab, offset };
  }

  /** Makes known who lives at a place. */
  settle(tenant: Tenant): void {
    tenant.slab.tenants?.push(tenant);
  }

  /** The tenant needs its bytes no more; its `freed` is true by now. */
  free(tenant: Tenant): void {
    const { slab, length } = tenant;
    slab.live -= length;
    this.#bytes -= length;
    if (slab !== this.#open && slab.tenants !== undefined && slab.live < slabSize * worthwhile) this.#empty(slab);
  }

  #begin(): void {
    const full = this.#open;
    this.#open = { bytes: new Uint8Array(slabSize), live: 0, tenants: [] };
    this.#used = 0;
    if (full.tenants !== undefined && full.live < slabSize * worthwhile) this.#empty(full);
  }

  #empty(slab: Slab): void {
    const tenants = slab.tenants ?? [];
    slab.tenants = undefined;
    for (const tenant of tenants) {
      if (tenant.freed || tenant.slab !== slab) continue;
      const { offset, length } = tenant;
      this.#bytes -= length;
      const place = this.place(slab.bytes.subarray(offset, offset + length));
      tenant.slab = place.slab;
      tenant.offset = place.offset;
      this.settle(tenant);
    }
  }
}

/** The bytes of a tenant. */
export function bytesOf({ slab, offset, length }: Tenant): Uint8Array {
  return length === slab.bytes.length ? slab.bytes : slab.bytes.subarray(offset, offset + length);
}

/** A slab for bytes that need no management. */
export function slabOf(bytes: Uint8Array): Slab {
  return { bytes, live: bytes.length, tenants: undefined };
}

function emptySlab(): Slab {
  return { bytes: new Uint8Array(0), live: 0, tenants: undefined };
}
