/**
 * Mixed load against a server process on Deno KV, or on an empty etcd, for some minutes; what it answers is judged as it goes.
 *
 * `deno run -A scripts/soak.ts --minutes=60 --rate=100 [--clients=16] [--seed=1] [--store-servers=URL] [--json]`
 *
 * Exits with 1 when anything was lost, phantom, stale or refused.
 */
import { ServerProcess } from "../tests/e2e/_server.ts";
import { Random } from "../tests/fixture/random.ts";
import { resident } from "./bench/process.ts";
import { Judge } from "./soak/judge.ts";
import { load } from "./soak/load.ts";
import { slope } from "./soak/slope.ts";
import { wayTo } from "./soak/way.ts";
import { numberOption } from "./option.ts";

const SAMPLE_MS = 5_000;
/** Share of the time that counts as warm-up. */
const WARM_UP = 0.25;

if (import.meta.main) Deno.exit(await soak());

async function soak(): Promise<number> {
  const minutes = numberOption("minutes", 60), rate = numberOption("rate", 100);
  const clients = numberOption("clients", 16), seed = numberOption("seed", 1);
  const stores = Deno.args.filter((a) => a.startsWith("--store-servers="));
  const server = await ServerProcess.start("kubernetes", ["--store-compaction-interval=1m", ...stores]);
  const judge = new Judge(), random = new Random(seed);
  const started = performance.now(), end = started + minutes * 60_000;
  const samples: [seconds: number, bytes: number][] = [];
  const marks: bigint[] = [];
  const sampler = setInterval(() => {
    samples.push([(performance.now() - started) / 1000, resident([server.pid])]);
    marks.push(judge.at);
    // Lists are judged within seconds: what was newest a minute ago is all that they can need.
    if (marks.length > 12) judge.forget(marks.shift()!);
  }, SAMPLE_MS);
  let due = started;
  const next = async () => {
    due = Math.max(due + 1000 / rate, performance.now() - 1000);
    await new Promise((done) => setTimeout(done, Math.max(0, due - performance.now())));
    return performance.now() < end && judge.faults.length < 50;
  };
  try {
    const way = await wayTo(server);
    const counts = await load({
      way,
      judge,
      clients,
      next,
      namespace: "default",
      random: random.next,
      own: 40,
      shared: 4,
      watchSeconds: 45,
      bytes: 1024,
    });
    const warm = samples.filter(([at]) => at >= minutes * 60 * WARM_UP);
    const report = {
      minutes,
      rate,
      clients,
      seed,
      ...counts,
      ...judge.counts,
      seconds: Math.round((performance.now() - started) / 1000),
      rssMiB: {
        first: mib(samples[0]?.[1]),
        warm: mib(warm[0]?.[1]),
        last: mib(samples.at(-1)?.[1]),
        most: mib(Math.max(...samples.map(([, b]) => b))),
      },
      rssEachMinute: samples.filter((_, i) => i % (60_000 / SAMPLE_MS) === 0).map(([, bytes]) => mib(bytes)),
      slopeMiBPerHour: round(slope(warm) * 3600 / 2 ** 20),
      faults: judge.faults,
    };
    if (Deno.args.includes("--json")) console.log(JSON.stringify(report));
    else for (const [name, value] of Object.entries(report)) console.log(`${name}: ${JSON.stringify(value)}`);
    return judge.faults.length ? 1 : 0;
  } finally {
    clearInterval(sampler);
    await server.end();
  }
}

function round(n: number): number {
  return Math.round(n * 10) / 10;
}

function mib(bytes = 0): number {
  return round(bytes / 2 ** 20);
}
