/** The node agent process: flags → configuration → agent (specification, "Node agent"). */
import { type Agent, startAgent } from "./agent/agent.ts";
import { openBase } from "./agent/base.ts";
import { CLOCK } from "./agent/clock.ts";
import { hostFiles } from "./agent/config/mod.ts";
import { takeLock } from "./agent/lock.ts";
import { type AgentOptions, parseOrchletOptions } from "./agent/options/mod.ts";
import { startOnce } from "./agent/once.ts";
import { giveBackMemory } from "./host/give_back.ts";
import type { Log } from "./schema/log/log.ts";
import { logOf } from "./schema/log/settings.ts";

/** What has not ended so long after the signal is left as it is, as where the agent is killed, ms. */
const END_MS = 10_000;

if (import.meta.main) await run(Deno.args);

/** Runs an agent until a signal ends it; its pods run on. Exits with 1 when it cannot start. */
export async function run(argv: readonly string[]): Promise<void> {
  const parsed = parseOrchletOptions(argv, hostFiles);
  if (parsed.kind === "print") return console.log(parsed.text);
  if (parsed.kind === "errors") return fail(parsed.errors);
  const log = processLog(parsed.options);
  for (const warning of parsed.warnings) log("warn", warning);
  // It goes on, as the public agent does: what it may not do will tell.
  if (Deno.uid() !== 0) log("error", "the agent needs to be root, for mounts, control groups and the runtime's socket");
  const life = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) Deno.addSignalListener(signal, () => life.abort());
  try {
    await serve(parsed.options, log, life);
  } catch (e) {
    fail([e instanceof Error ? e.message : String(e)]);
  }
  Deno.exit(0);
}

function fail(errors: readonly string[]): never {
  for (const e of errors) console.error(`error: ${e}`);
  Deno.exit(1);
}

async function serve(options: AgentOptions, log: Log, life: AbortController): Promise<void> {
  const started = performance.now();
  const lock = await takeLock(options, CLOCK, life.signal);
  lock?.contended.then(() => life.abort());
  const base = await openBase(options, log, life.signal);
  if (options.runonce) return await startOnce(base, log, () => life.abort());
  const work = async () => {
    const agent = await startAgent(base);
    log("info", told(agent, Math.round(performance.now() - started)));
    giveBackMemory(life.signal);
    await agent.over;
  };
  await Promise.race([work(), outOfTime(life.signal)]);
  lock?.close();
}

/** What does not answer (the runtime, a server of volumes) may be waited for by many minutes. */
function outOfTime(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const count = () => void CLOCK.wait(END_MS).then(resolve);
  if (signal.aborted) count();
  else signal.addEventListener("abort", count, { once: true });
  return promise;
}

function told({ node, servers }: Agent, ms: number): string {
  const where = servers.port > 0 ? `, listens on port ${servers.port}` : "";
  return `orchlet runs the pods of node ${node.name}${where} (ready in ${ms} ms)`;
}

/** The log that the options ask for. What waits in it is written before the process ends. */
function processLog(options: AgentOptions): Log {
  const { log, streams } = logOf(options, CLOCK.now, {
    out: console.log,
    err: console.error,
    every: (ms, call) => Deno.unrefTimer(setInterval(call, ms)),
  });
  for (const end of ["unload", "error", "unhandledrejection"]) globalThis.addEventListener(end, () => streams.flush());
  return log;
}
