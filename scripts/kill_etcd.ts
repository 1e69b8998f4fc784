/**
 * Kills members of an etcd cluster, one after the other, under a writing store, and looks what is there afterwards.
 *
 *     deno run -A scripts/kill_etcd.ts [--rounds=200] [--seed=1]
 *
 * Three members on loopback; 8 writers count under keys of their own, each number expecting the one before. After the last
 * kill every acknowledged number must be there, or a later one, and a reader must have been told all of them in order.
 */
import { pause } from "../server/pause.ts";
import { type ChangeBatch, type Committed, StorageError } from "../server/storage/backend.ts";
import { type EtcdBackend, openEtcd } from "../server/storage/etcd/mod.ts";
import { startEtcd } from "../tests/storage/etcd_server.ts";
import { numberOption } from "./option.ts";

const WRITERS = 8;

/** What the rounds came to. */
export interface EtcdKillReport {
  rounds: number;
  acknowledged: number;
  /** Writes that failed, and were tried again. */
  failed: number;
  /** Of those, such that may have happened all the same. */
  doubtful: number;
  /** What was wrong; empty when all is well. */
  readonly failures: string[];
}

/** Counts under keys of its own until it is stopped. */
export class Load {
  readonly acknowledged = new Map<string, number>();
  readonly #doubtful = new Set<string>();
  readonly #told: Committed[] = [];
  readonly #abort = new AbortController();
  readonly #reading: Promise<void>;
  readonly #writers: Promise<void>[];
  #stopped = false;
  #revision = 0;

  constructor(readonly backend: EtcdBackend, readonly report: EtcdKillReport, since: number, writers = WRITERS) {
    this.#reading = backend.changes("k/", since, (batch) => this.#hear(batch), this.#abort.signal)
      .catch((error) => void report.failures.push(`the reader ended: ${error}`));
    this.#writers = Array.from({ length: writers }, (_, i) => this.#write(`k/${i}`));
  }

  #hear({ changes, revision }: ChangeBatch): void {
    this.#told.push(...changes);
    this.#revision = revision;
  }

  async #write(key: string): Promise<void> {
    let expect = 0;
    for (let n = 1; !this.#stopped; n++) {
      try {
        const result = await this.backend.commit([{ key, value: encode(n), expect }]);
        if (result.ok) {
          expect = result.revisions[0]!;
          this.acknowledged.set(key, n);
          this.report.acknowledged++;
          continue;
        }
        // Nobody else writes this key: only a write of our own whose outcome was not known can stand in the way.
        const stands = result.current ? decode(result.current.value) : 0;
        if (!this.#doubtful.has(key)) this.report.failures.push(`${key}: refused, ${stands} stands`);
        expect = result.current?.revision ?? 0;
        n = Math.max(n, stands);
      } catch (error) {
        this.#failed(key, error);
      }
    }
  }

  #failed(key: string, error: unknown): void {
    this.report.failed++;
    const kind = error instanceof StorageError ? error.kind : "?";
    if (kind === "unknown") {
      this.report.doubtful++;
      this.#doubtful.add(key);
    } else if (kind !== "unavailable") this.report.failures.push(`${key}: ${error}`);
  }

  /** Ends writing and reading, and compares what is there with what was acknowledged and told. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#writers);
    const end = await this.backend.revision();
    while (this.#revision < end && this.report.failures.length === 0) await pause(20);
    for (const [key, last] of this.acknowledged) await this.#judge(key, last);
    this.#abort.abort();
    await this.#reading;
  }

  async #judge(key: string, last: number): Promise<void> {
    const { failures } = this.report;
    const there = await this.backend.get(key);
    const n = there ? decode(there.value) : 0;
    if (n < last) failures.push(`${key}: ${last} was acknowledged, ${n} is there`);
    const told = this.#told.filter((change) => change.key === key);
    const numbers = told.map((change) => change.value ? decode(change.value) : 0);
    if (numbers.at(-1) !== n) failures.push(`${key}: ${n} is there, ${numbers.at(-1)} was told last`);
    if (numbers.some((m, i) => i > 0 && m <= numbers[i - 1]!)) failures.push(`${key}: told out of order or twice`);
    if (told.some((change, i) => i > 0 && change.revision <= told[i - 1]!.revision)) {
      failures.push(`${key}: revisions out of order`);
    }
  }
}

function encode(n: number): Uint8Array {
  return new TextEncoder().encode(String(n));
}

function decode(value: Uint8Array): number {
  return Number(new TextDecoder().decode(value));
}

/** An empty report. */
export function emptyReport(): EtcdKillReport {
  return { rounds: 0, acknowledged: 0, failed: 0, doubtful: 0, failures: [] };
}

/** Kills a member, `rounds` times. */
export async function killMembers(
  { rounds, seed, tell }: { rounds: number; seed: number; tell?: (line: string) => void },
): Promise<EtcdKillReport> {
  const report = emptyReport();
  await using cluster = await startEtcd(3);
  const backend = await openEtcd({ endpoints: cluster.endpoints, prefix: "/kill" });
  const load = new Load(backend, report, await backend.revision());
  let state = seed >>> 0;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 4294967296;
  for (; report.rounds < rounds && report.failures.length === 0; report.rounds++) {
    const member = Math.floor(random() * 3);
    await pause(random() * 300);
    await cluster.kill(member);
    await pause(random() * 300);
    await cluster.start(member);
    if (report.rounds % 20 === 19) tell?.(JSON.stringify(report));
  }
  await load.stop();
  await backend.close();
  return report;
}

if (import.meta.main) {
  const report = await killMembers({
    rounds: numberOption("rounds", 200),
    seed: numberOption("seed", 1),
    tell: console.log,
  });
  console.log(JSON.stringify(report, null, 2));
  if (report.failures.length > 0) Deno.exit(1);
}
