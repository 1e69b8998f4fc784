/**
 * The account of node ports that public servers keep on a store which they share with this one: one object with a bit for each
 * port of the range. A store that none of them has seen has no account, and needs none.
 */
import { decodeBody } from "../../../schema/codec/mod.ts";
import type { Kind, Obj } from "../../../schema/model/types.ts";
import type { Change } from "../../storage/backend.ts";
import { encodeAtRest } from "../at_rest.ts";
import type { RegistryContext } from "../context.ts";
import { storedMedia } from "../entry_codec.ts";
import { nodePortKey, nodePortPrefix } from "./service_holdings.ts";

/** Tries to take ports off an account that others write too. */
const TRIES = 8;

/** Both ends inclusive. */
export interface PortRange {
  readonly from: number;
  readonly to: number;
}

/** How many ports at the range's lower end are left to those who ask by number, while others are free. */
export function bandOf({ from, to }: PortRange): number {
  const size = to - from + 1;
  return size <= 16 ? 0 : Math.min(128, Math.max(16, Math.floor(size / 32)));
}

/** An account as of one revision. */
export class PortAccount {
  readonly #key: string;
  readonly #revision: number;
  readonly #kind: Kind;
  readonly #object: Obj;
  readonly #ctx: RegistryContext;
  readonly #from: number;
  /** The port `from` is the lowest bit of the first byte. */
  readonly #bits: Uint8Array;

  private constructor(ctx: RegistryContext, key: string, revision: number, kind: Kind, object: Obj, range: PortRange) {
    this.#ctx = ctx;
    this.#key = key;
    this.#revision = revision;
    this.#kind = kind;
    this.#object = object;
    this.#from = range.from;
    this.#bits = new Uint8Array(((range.to - range.from) >> 3) + 1);
    this.#bits.set(Uint8Array.fromBase64(String(object["data"] ?? "")).reverse().subarray(0, this.#bits.length));
  }

  /** The account of the store; undefined where there is none for this range. @throws StorageError, Error for bytes that are none */
  static async read(ctx: RegistryContext, services: string, range: PortRange): Promise<PortAccount | undefined> {
    const key = nodePortPrefix(services).slice(0, -1);
    const stored = await ctx.backend.get(key), kind = ctx.scheme.kind("v1", "RangeAllocation")!;
    if (!stored) return undefined;
    const decoded = decodeBody(ctx.scheme, stored.value, storedMedia(stored.value), {
      defaultKind: kind,
      strict: false,
    });
    if (decoded.object["range"] !== `${range.from}-${range.to}`) return undefined;
    return new PortAccount(ctx, key, stored.revision, kind, decoded.object, range);
  }

  /** Somebody has the port, or has just picked it. */
  has(port: number): boolean {
    const at = port - this.#from;
    return (this.#bits[at >> 3]! & 1 << (at & 7)) !== 0;
  }

  /** The change that has the account hold some ports and not others, if nobody else changes it before. */
  change(taken: readonly number[], released: readonly number[]): Change {
    const bits = this.#bits.slice();
    for (const [ports, on] of [[taken, true], [released, false]] as const) {
      for (const at of ports.map((p) => p - this.#from).filter((at) => at >= 0 && at >> 3 < bits.length)) {
        if (on) bits[at >> 3]! |= 1 << (at & 7);
        else bits[at >> 3]! &= ~(1 << (at & 7));
      }
    }
    const last = bits.findLastIndex((b) => b !== 0);
    const object = { ...this.#object, data: bits.slice(0, last + 1).reverse().toBase64() };
    const value = encodeAtRest(this.#ctx.scheme, object, this.#kind, this.#ctx.atRest ?? "protobuf");
    return { key: this.#key, value, expect: this.#revision };
  }
}

/**
 * Takes ports off the account, if there is one, but those that a service has again by now.
 * What fails is left to the public servers, which look for such ports.
 */
export async function release(ctx: RegistryContext, services: string, range: PortRange, ports: readonly number[]) {
  let left = ports;
  try {
    for (let i = 0; i < TRIES; i++) {
      const account = await PortAccount.read(ctx, services, range);
      const off = account ? left.filter((p) => account.has(p)) : [];
      if (!account || off.length === 0) return;
      const free = off.map((p) => ({ key: nodePortKey(services, p), value: null, expect: 0 }));
      const done = await ctx.backend.commit([...free, account.change([], off)]);
      if (done.ok) return;
      left = left.filter((p) => p !== off[done.index]);
    }
  } catch { /* left to them */ }
}
