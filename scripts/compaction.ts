/**
 * What compaction does to writes on Deno KV: how long commits take while nothing is compacted, and while it is all the time.
 *
 *     deno run -A scripts/compaction.ts [--keys=50000] [--seconds=20] [--writers=8]
 *
 * Values of 1 KB under that many keys, each overwritten twice, so that two thirds of the log are dead. Then writers overwrite keys by
 * chance; in every other round of two seconds history is forgotten four times and space given back. `turn` is how long the
 * event loop was held: what anybody else in the process waited for; `step` how long the first compaction, with no writer beside it,
 * kept the lane of writes each time it took it: the longest that a commit can wait for compaction.
 */
import { pause } from "../server/pause.ts";
import { Lane } from "../server/storage/denokv/lane.ts";
import { type DenoKvBackend, openDenoKv } from "../server/storage/denokv/mod.ts";
import { numberOption } from "./option.ts";

const ROUND_MS = 2_000;
const EVERY_MS = 500;
const VALUE = crypto.getRandomValues(new Uint8Array(1024));
const keyOf = (i: number) => `/registry/configmaps/default/name-${String(i).padStart(9, "0")}`;

async function fill(backend: DenoKvBackend, keys: number): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    for (let i = 0; i < keys; i += 200) {
      const some = Array.from({ length: Math.min(200, keys - i) }, (_, k) => ({ key: keyOf(i + k), value: VALUE }));
      await backend.commit(some);
    }
  }
}

/** From now on: how long each had a lane of writes, ms. */
function laneTimes(): number[] {
  const times: number[] = [];
  const { run } = Lane.prototype;
  Lane.prototype.run = function <T>(work: () => Promise<T>): Promise<T> {
    return run.call(this, async () => {
      const begun = performance.now();
      try {
        return await work();
      } finally {
        times.push(performance.now() - begun);
      }
    }) as Promise<T>;
  };
  return times;
}

interface Times {
  readonly commits: number[];
  readonly turns: number[];
}

async function round(backend: DenoKvBackend, o: { keys: number; writers: number; compact: boolean }, to: Times) {
  const end = performance.now() + ROUND_MS;
  const write = async () => {
    while (performance.now() < end) {
      const begun = performance.now();
      await backend.commit([{ key: keyOf(Math.floor(Math.random() * o.keys)), value: VALUE }]);
      to.commits.push(performance.now() - begun);
    }
  };
  const turn = async () => {
    while (performance.now() < end) {
      const begun = performance.now();
      await pause(1);
      to.turns.push(performance.now() - begun - 1);
    }
  };
  const compact = async () => {
    while (o.compact && performance.now() < end) {
      await backend.compact(await backend.revision());
      await pause(EVERY_MS);
    }
  };
  await Promise.all([...Array.from({ length: o.writers }, write), turn(), compact()]);
  await backend.settled();
}

function line(name: string, times: number[]): string {
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(1);
  return `${name.padEnd(26)} ${String(times.length).padStart(8)}  ${
    [0.5, 0.99, 0.999, 1].map((s) => at(s).padStart(8)).join("")
  }`;
}

if (import.meta.main) {
  const keys = numberOption("keys", 50_000),
    seconds = numberOption("seconds", 20),
    writers = numberOption("writers", 8);
  const dir = await Deno.makeTempDir({ prefix: "compaction-" });
  const backend = await openDenoKv(`${dir}/store.kv`);
  await fill(backend, keys);
  const first = performance.now(), lane = laneTimes();
  await backend.compact(await backend.revision());
  await backend.settled();
  console.log(`the first compaction of ${3 * keys} versions: ${Math.round(performance.now() - first)} ms`);
  const steps = lane.slice();
  const quiet: Times = { commits: [], turns: [] };
  const busy: Times = { commits: [], turns: [] };
  await round(backend, { keys, writers, compact: false }, { commits: [], turns: [] });
  for (let i = 0; i < seconds * 1000 / ROUND_MS; i++) {
    await round(backend, { keys, writers, compact: i % 2 === 1 }, i % 2 === 1 ? busy : quiet);
  }
  console.log(
    `${"ms".padEnd(26)} ${"n".padStart(8)}  ${["50 %", "99 %", "99.9 %", "most"].map((s) => s.padStart(8)).join("")}`,
  );
  console.log(line("step", steps));
  console.log(line("commit", quiet.commits));
  console.log(line("commit while compacting", busy.commits));
  console.log(line("turn", quiet.turns));
  console.log(line("turn while compacting", busy.turns));
  await backend.close();
  await Deno.remove(dir, { recursive: true });
}
