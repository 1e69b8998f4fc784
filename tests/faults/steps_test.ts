/** A database that ends, or fails, at one write after the other: what is there then is what was acknowledged. */
import assert from "node:assert/strict";
import { type Change, StorageError } from "../../server/storage/backend.ts";
import { type DenoKvBackend, openDenoKv, verifyDenoKv } from "../../server/storage/denokv/mod.ts";
import { seeded } from "../fixture/random.ts";

const SLOTS = ["0", "1", "2", "3"];
const ROUNDS = 16;

/** What becomes of a write: it is made or not, and told of as made or not. */
interface Fault {
  readonly made: boolean;
  readonly told: boolean;
  /** The next read of rows fails too: nobody knows then. */
  readonly silent?: boolean;
}

const FINE: Fault = { made: true, told: true };

/** From now on, writes of the database go as `fault` says. The function given back lets reads succeed again. */
function withFaults({ core: { store: { kv } } }: DenoKvBackend, fault: () => Fault): () => void {
  const { atomic, getMany } = kv;
  const broken = () => Promise.reject(new Error("disk I/O error"));
  let silent = false;
  kv.atomic = () => {
    const operation = atomic.call(kv), commit = operation.commit.bind(operation);
    operation.commit = async () => {
      const { made, told, silent: says = false } = fault();
      const result = made ? await commit() : undefined;
      silent ||= says;
      return told ? result! : await broken();
    };
    return operation;
  };
  kv.getMany = async <T extends readonly unknown[]>(...args: Parameters<typeof getMany<T>>) => {
    if (!silent) return await getMany.apply(kv, args) as Awaited<ReturnType<typeof getMany<T>>>;
    silent = false;
    return await broken();
  };
  return () => void (silent = false);
}

/** Two keys a slot, always written together: what they may hold, by what was told of the writes. */
class Pairs {
  readonly #may = new Map(SLOTS.map((slot) => [slot, new Set([0])]));
  #n = 0;

  constructor(readonly random: () => number) {}

  #value(n: number): Uint8Array {
    const dice = this.random();
    const most = dice < 0.5 ? 500 : dice < 0.8 ? 30_000 : dice < 0.95 ? 200_000 : 900_000;
    const value = new Uint8Array(4 + Math.floor(this.random() * most)).fill(n & 255);
    new DataView(value.buffer).setUint32(0, n);
    return value;
  }

  async write(backend: DenoKvBackend, slot: string): Promise<void> {
    const n = this.random() < 0.2 ? 0 : ++this.#n;
    const change = (key: string): Change => ({ key: key + slot, value: n === 0 ? null : this.#value(n) });
    const may = this.#may.get(slot)!;
    try {
      assert((await backend.commit([change("a/"), change("b/")])).ok);
      may.clear();
    } catch (error) {
      assert(error instanceof StorageError, String(error));
      if (error.kind !== "unknown") return;
    }
    may.add(n);
  }

  async check(backend: DenoKvBackend): Promise<void> {
    for (const [slot, may] of this.#may) {
      const [a, b] = await Promise.all(["a/", "b/"].map(async (key) => {
        const { value } = await backend.get(key + slot) ?? {};
        if (!value) return 0;
        const n = new DataView(value.buffer, value.byteOffset).getUint32(0);
        assert(value.subarray(4).every((byte) => byte === (n & 255)), "mixed");
        return n;
      }));
      assert.equal(a, b);
      assert(may.has(a!), `slot ${slot} has ${a}, not ${[...may].join(" or ")}`);
    }
  }

  /** Writes and cleans; `after` each round. */
  async run(backend: DenoKvBackend, after: () => Promise<void>): Promise<void> {
    for (let round = 1; round <= ROUNDS; round++) {
      await Promise.all(SLOTS.map((slot) => this.write(backend, slot)));
      if (round % 4 === 0) {
        await backend.compact(await backend.revision()).catch((e) => assert(e instanceof StorageError, String(e)));
        await backend.settled();
      }
      await after();
    }
  }
}

/** Opened again, the store is whole, and cleaning leaves nothing that nobody needs. */
async function whole(path: string, pairs: Pairs): Promise<void> {
  const backend = await openDenoKv(path);
  await pairs.check(backend);
  await backend.compact(await backend.revision());
  await backend.settled();
  await pairs.check(backend);
  for (const notes of ["intent", "gone"]) {
    assert.deepEqual(await Array.fromAsync(backend.core.store.kv.list({ prefix: [notes] })), []);
  }
  await backend.close();
  assert.deepEqual((await verifyDenoKv(path)).problems, []);
}

Deno.test("denokv: a process that ends at any write of the database leaves what was acknowledged, and nothing half", async () => {
  let ended = true;
  for (let at = 1; ended; at += 5) {
    const dir = await Deno.makeTempDir(), path = `${dir}/store.db`;
    const backend = await openDenoKv(path), pairs = new Pairs(seeded(at));
    let left = at;
    withFaults(backend, () => left-- > 0 ? FINE : { made: false, told: false });
    await pairs.run(backend, async () => {});
    ended = left < 0;
    await backend.close();
    await whole(path, pairs);
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("denokv: writes of the database that fail, made or not, leave what was told, at once and after a restart", async () => {
  const faults: readonly Fault[] = [
    { made: false, told: false },
    { made: true, told: false },
    { made: true, told: false, silent: true },
  ];
  for (let seed = 1; seed <= 6; seed++) {
    const dir = await Deno.makeTempDir(), path = `${dir}/store.db`, random = seeded(seed);
    const backend = await openDenoKv(path), pairs = new Pairs(random);
    let failing = true;
    const heal = withFaults(
      backend,
      () => failing && random() < 0.2 ? faults[Math.floor(random() * faults.length)]! : FINE,
    );
    await pairs.run(backend, async () => {
      failing = false;
      heal();
      await pairs.check(backend);
      failing = true;
    });
    await backend.close();
    await whole(path, pairs);
    await Deno.remove(dir, { recursive: true });
  }
});
