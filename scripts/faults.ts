/**
 * Clients of two servers while things go wrong, and a judgement of all that they were told: linearizable for each object, nothing
 * acknowledged lost, watches complete, in order and without phantoms.
 *
 *     deno run -A scripts/faults.ts [--store=etcd|denokv|clock] [--rounds=100] [--seed=1] [--only=<words of one fault>]
 *
 * Exits with 1 when anything is wrong.
 */
import { pause } from "../server/pause.ts";
import { Random } from "../tests/fixture/random.ts";
import { type Arena, clockArena, denoKvArena, etcdArena, LogReader } from "./faults/arena.ts";
import { faultsOf } from "./faults/check.ts";
import { Clients } from "./faults/clients.ts";
import { numberOption, textOption } from "./option.ts";

const ARENAS: Readonly<Record<string, () => Promise<Arena>>> = {
  etcd: etcdArena,
  denokv: denoKvArena,
  clock: clockArena,
};

/** What a run came to. */
export interface FaultsReport extends Record<string, unknown> {
  readonly rounds: number;
  /** How often each thing went wrong. */
  readonly mischief: Readonly<Record<string, number>>;
  /** Versions in the store's log. */
  readonly versions: number;
  /** Requests by outcome, lists, watches opened, and watches that began anew with a list. */
  readonly requests: Clients["counts"];
  /** What was wrong; empty when all is well. */
  readonly faults: readonly string[];
}

/** How to run. */
export interface FaultsOptions {
  readonly store: string;
  readonly rounds: number;
  readonly seed: number;
  /** Only what has these words. */
  readonly only?: string;
  readonly clients?: number;
  /** Longest fault, ms. */
  readonly longest?: number;
  readonly tell?: (line: string) => void;
}

/** Runs so many faults, one after the other, under load, and judges. */
export async function runFaults(o: FaultsOptions): Promise<FaultsReport> {
  const random = new Random(o.seed);
  const arena = await ARENAS[o.store]!();
  try {
    const since = await arena.store.revision();
    const log = new LogReader(arena.store, since);
    const clients = new Clients({
      ways: arena.ways,
      namespace: "default",
      objects: 6,
      clients: o.clients ?? 8,
      random: new Random(o.seed + 1).next,
    });
    clients.watch(since);
    const running = clients.run();
    const mischief = await misbehave(arena, random, o);
    await pause(500);
    clients.finish();
    await running;
    const late = await clients.settle(await last(clients, arena), 60_000);
    await log.end();
    const faults = faultsOf({ ops: clients.ops, lists: clients.lists, streams: clients.streams, log: log.changes });
    if (late > 0) faults.push(`${late} watches did not come to the end within a minute`);
    return { rounds: o.rounds, mischief, versions: log.changes.length, requests: clients.counts, faults };
  } finally {
    await arena.close();
  }
}

async function misbehave(arena: Arena, random: Random, o: FaultsOptions): Promise<Record<string, number>> {
  const all = Object.entries(arena.mischief).filter(([name]) => name.includes(o.only ?? ""));
  const done: Record<string, number> = {};
  for (let round = 1; round <= o.rounds; round++) {
    await pause(random.below(400));
    // Each in its turn first, then by chance.
    const [name, act] = round <= all.length ? all[round - 1]! : random.pick(all);
    await act(100 + random.below(o.longest ?? 1_500), random.next);
    done[name] = (done[name] ?? 0) + 1;
    if (round % 20 === 0) o.tell?.(`${round} faults`);
  }
  return done;
}

/** Writes one more object when all is well again, which every watch has to come to. */
async function last(clients: Clients, arena: Arena): Promise<number> {
  for (let i = 0; i < 100; i++) {
    const seen = await clients.put(`last-${i}`, 0);
    if (seen) return seen.rv;
    await pause(200);
  }
  throw new Error(`no server writes any more (the store is at ${await arena.store.revision()})`);
}

if (import.meta.main) {
  const report = await runFaults({
    store: textOption("store", "etcd"),
    rounds: numberOption("rounds", 100),
    seed: numberOption("seed", 1),
    only: textOption("only", ""),
    tell: console.log,
  });
  console.log(JSON.stringify(report, null, 2));
  Deno.exit(report.faults.length > 0 ? 1 : 0);
}
