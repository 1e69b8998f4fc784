/**
 * Kills a writing process with SIGKILL at random moments and looks what is there afterwards.
 *
 *     deno run -A scripts/kill.ts [--rounds=100] [--seed=1] [--processes=1] [--pauses=0]
 *
 * 32 writers each write number after number under two keys in one commit, and print a number when it is acknowledged; every so
 * often a value is long, and the log is compacted. With `--pauses=1` a process is also stopped (SIGSTOP) and goes on before
 * its end. After the kill, each writer's two keys must hold the same number, no less than the last one printed and no more than
 * the one after; the log must be without a gap.
 */
import { pause } from "../server/pause.ts";
import { type DenoKvBackend, openDenoKv } from "../server/storage/denokv/mod.ts";
import { numberOption } from "./option.ts";

const WRITERS = 32;
/** Every so many numbers, a value of 150 kB, and one that does not fit one atomic. */
const LONG_EVERY = 40;
const HUGE_EVERY = 150;

/** What the rounds came to. */
export interface KillReport {
  rounds: number;
  acknowledged: number;
  /** Numbers found that were never acknowledged: allowed, one for each writer and round. */
  unacknowledged: number;
  /** What was wrong; empty when all is well. */
  readonly failures: string[];
}

/** Numbers from 0 to 1 decided by a seed. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

function valueOf(writer: number, n: number): Uint8Array {
  // Each writer at another number: all at once they would take longer than a process lives here, round after round.
  const turn = n + writer * 7;
  const size = turn % HUGE_EVERY === 0 ? 900_000 : turn % LONG_EVERY === 0 ? 150_000 : 200 + (n % 7) * 300;
  const value = new Uint8Array(size).fill(n % 251);
  new DataView(value.buffer).setUint32(0, n);
  value[4] = writer;
  return value;
}

function numberIn(value: Uint8Array, writer: number): number {
  const n = new DataView(value.buffer, value.byteOffset).getUint32(0);
  const right = valueOf(writer, n);
  if (value.length !== right.length || !value.every((b, i) => b === right[i])) throw new Error("bytes are mixed");
  return n;
}

/** The process that is killed. */
async function write(path: string, first: number): Promise<void> {
  const backend = await openDenoKv(path);
  const encoder = new TextEncoder();
  const one = async (writer: number) => {
    const there = await backend.get(`w/${writer}/a`);
    for (let n = there ? numberIn(there.value, writer) + 1 : 1;; n++) {
      const value = valueOf(writer, n);
      const result = await backend.commit([{ key: `w/${writer}/a`, value }, { key: `w/${writer}/b`, value }]);
      if (!result.ok) throw new Error("refused");
      Deno.stdout.writeSync(encoder.encode(`${writer} ${n}\n`));
      if (writer === first && n % 30 === 0) await backend.compact((await backend.revision()) - 200);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, i) => one(i + first)));
}

/** Kills, `rounds` times, `processes` writing processes on one store. */
export async function kill(
  options: { rounds: number; seed: number; processes?: number; pauses?: boolean; tell?: (line: string) => void },
): Promise<KillReport> {
  const { rounds, seed, processes = 1, pauses = false, tell } = options;
  const dir = await Deno.makeTempDir({ prefix: "kill-" });
  const random = seeded(seed);
  const report: KillReport = { rounds: 0, acknowledged: 0, unacknowledged: 0, failures: [] };
  const acknowledged = new Map<number, number>();
  try {
    for (let round = 1; round <= rounds && report.failures.length === 0; round++) {
      const before = new Map(acknowledged);
      const firsts = Array.from({ length: processes }, (_, i) => i * WRITERS);
      await Promise.all(firsts.map((first) => {
        const moments = pauses ? [random() * 200, random() * 300, random() * 200] : [30 + random() * 400];
        return once(`${dir}/store.db`, first, moments, acknowledged);
      }));
      for (const [writer, n] of acknowledged) report.acknowledged += n - (before.get(writer) ?? 0);
      await examine(`${dir}/store.db`, acknowledged, report);
      report.rounds = round;
      if (round % 10 === 0) tell?.(JSON.stringify(report));
    }
    return report;
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

/** One moment: a kill after so many ms. Three: writing, a pause, writing again, a kill. */
async function end(child: Deno.ChildProcess, moments: readonly number[]): Promise<void> {
  for (const [i, ms] of moments.entries()) {
    await pause(ms);
    child.kill(i === moments.length - 1 ? "SIGKILL" : i % 2 === 0 ? "SIGSTOP" : "SIGCONT");
  }
}

/** Starts a writing process, lets it write for a while, kills it, and takes down what it acknowledged. */
async function once(
  path: string,
  first: number,
  moments: readonly number[],
  acknowledged: Map<number, number>,
): Promise<void> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", import.meta.filename!, "--child", path, String(first)],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let ending: Promise<void> | undefined;
  let rest = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    ending ??= end(child, moments);
    const lines = (rest + chunk).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      const [writer, n] = line.split(" ").map(Number);
      acknowledged.set(writer!, n!);
    }
  }
  await ending;
  await child.status;
}

async function examine(path: string, acknowledged: Map<number, number>, report: KillReport): Promise<void> {
  const backend = await openDenoKv(path);
  for (const [writer, last] of acknowledged) {
    try {
      const [a, b] = await Promise.all(["a", "b"].map((side) => backend.get(`w/${writer}/${side}`)));
      const [na, nb] = [a, b].map((stored) => stored ? numberIn(stored.value, writer) : 0);
      if (na !== nb) report.failures.push(`writer ${writer}: half of a commit: ${na}, ${nb}`);
      if (na! < last) report.failures.push(`writer ${writer}: ${last} was acknowledged, ${na} is there`);
      if (na! > last + 1) report.failures.push(`writer ${writer}: ${na} is there, ${last} was the last acknowledged`);
      report.unacknowledged += na! - last;
      acknowledged.set(writer, na!);
    } catch (error) {
      report.failures.push(`writer ${writer}: ${error}`);
    }
  }
  await gaps(backend, report);
  await backend.close();
}

async function gaps(backend: DenoKvBackend, report: KillReport): Promise<void> {
  const end = await backend.revision();
  const abort = new AbortController();
  let next = backend.compacted() + 1;
  await backend.changes("", next - 1, ({ changes, revision }) => {
    for (const change of changes) {
      if (change.revision !== next) report.failures.push(`revision ${change.revision} in place of ${next}`);
      next = change.revision + 1;
    }
    if (revision >= end) abort.abort();
  }, abort.signal);
  if (next !== end + 1) report.failures.push(`the log ends at ${next - 1}, the store at ${end}`);
}

if (import.meta.main) {
  if (Deno.args[0] === "--child") await write(Deno.args[1]!, Number(Deno.args[2]));
  else {
    const report = await kill({
      rounds: numberOption("rounds", 100),
      seed: numberOption("seed", 1),
      processes: numberOption("processes", 1),
      pauses: numberOption("pauses", 0) > 0,
      tell: console.log,
    });
    console.log(JSON.stringify(report, null, 2));
    if (report.failures.length > 0) Deno.exit(1);
  }
}
