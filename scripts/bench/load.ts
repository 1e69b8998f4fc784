/** Requests at a fixed number in flight, for a time. */
import { processorMs } from "./process.ts";

/** What a load came to. */
export interface Load {
  readonly operations: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** Of one operation, ms. */
  readonly p50: number;
  readonly p99: number;
  /** The server's processor time an operation, µs; undefined when its processes are not known. */
  readonly cpu: number | undefined;
}

/** What to run. */
export interface LoadOptions {
  readonly inFlight: number;
  readonly ms: number;
  readonly pids: readonly number[];
  /** One operation. `worker` counts from 0 to `inFlight`; no two run at once with the same. */
  one(worker: number): Promise<unknown>;
}

/** Runs `inFlight` loops, each one operation at a time, after a fifth of the time as warm-up. */
export async function load(o: LoadOptions): Promise<Load> {
  await loops(o, o.ms / 5);
  return await measured(o);
}

/**
 * Both in turns, each first in every other round, so that both see the same machine; after as much again of each as warm-up,
 * since one of them may have run for long and the other not at all.
 */
export async function inTurns(a: LoadOptions, b: LoadOptions, rounds = ROUNDS): Promise<[Load, Load]> {
  const loads: [Load[], Load[]] = [[], []];
  await loops(a, a.ms);
  await loops(b, b.ms);
  for (let i = 0; i < rounds; i++) {
    for (const which of i % 2 === 0 ? [0, 1] as const : [1, 0] as const) {
      const one = [a, b][which]!;
      loads[which].push(await measured({ ...one, ms: one.ms / rounds }));
    }
  }
  return [together(loads[0]), together(loads[1])];
}

const ROUNDS = 6;

async function measured(o: LoadOptions): Promise<Load> {
  const cpu = processorMs(o.pids);
  const start = performance.now();
  const times = await loops(o, o.ms);
  const seconds = (performance.now() - start) / 1000;
  const used = processorMs(o.pids) - cpu;
  const operations = times.length;
  times.sort((x, y) => x - y);
  return {
    operations,
    seconds,
    perSecond: operations / seconds,
    p50: at(times, 0.5),
    p99: at(times, 0.99),
    cpu: o.pids.length > 0 ? used * 1000 / operations : undefined,
  };
}

async function loops({ inFlight, one }: LoadOptions, ms: number): Promise<number[]> {
  const end = performance.now() + ms;
  const times: number[] = [];
  const loop = async (worker: number) => {
    for (let begun = performance.now(); begun < end;) {
      await one(worker);
      const now = performance.now();
      times.push(now - begun);
      begun = now;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, (_, worker) => loop(worker)));
  return times;
}

/** Of several rounds: sums, and the median round's times. */
function together(rounds: readonly Load[]): Load {
  const sum = (of: (l: Load) => number) => rounds.reduce((total, l) => total + of(l), 0);
  const operations = sum((l) => l.operations);
  const seconds = sum((l) => l.seconds);
  const known = rounds[0]!.cpu !== undefined;
  return {
    operations,
    seconds,
    perSecond: operations / seconds,
    p50: at(rounds.map((l) => l.p50).sort((x, y) => x - y), 0.5),
    p99: at(rounds.map((l) => l.p99).sort((x, y) => x - y), 0.5),
    cpu: known ? sum((l) => l.cpu! * l.operations) / operations : undefined,
  };
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
