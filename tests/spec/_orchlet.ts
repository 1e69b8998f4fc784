/** A whole node agent in this process: from its flags' text to what it does. */
import type https from "node:https";
import type { Pod } from "../../schema/api/core_v1.ts";
import type { LogLevel, Verbose } from "../../schema/log/log.ts";
import { moduleLevels } from "../../schema/log/settings.ts";
import { Verbosity } from "../../schema/log/verbosity.ts";
import { type Agent, startAgent } from "../../agent/agent.ts";
import { type Base, openBase } from "../../agent/base.ts";
import { hostFiles } from "../../agent/config/mod.ts";
import { CLOCK } from "../../agent/clock.ts";
import { type AgentOptions, parseOrchletOptions } from "../../agent/options/mod.ts";
import { Hierarchy } from "../../agent/resources/hierarchy.ts";
import type { Clock } from "../../agent/types.ts";
import { type AppHandler, listen } from "../../server/listen/mod.ts";
import { get, type Got } from "../agent/http/_parts.ts";
import { type Containerd, containerdMissing, startContainerd } from "../fixture/containerd.ts";
import { freePort } from "../fixture/free_port.ts";
import type { Loose } from "../fixture/loose.ts";
import { startTestServer, type TestOptions, type TestServer } from "../fixture/server.ts";
import { until } from "../listen/_fixture.ts";
import { withDirectory } from "../fixture/directory.ts";

/** Why no whole agent can run here, on one line: it sets what belongs to the host's administrator. */
export const noAgent: string | undefined = Deno.build.os !== "linux"
  ? "the agent needs Linux"
  : Deno.uid() !== 0
  ? "the agent needs root"
  : undefined;

/** Why no containers can run here, on one line. */
export const noContainers: string | undefined = containerdMissing();

/** Options of a command line that is right. @throws Error with all that is wrong */
export function optionsOf(...flags: string[]): AgentOptions {
  const parsed = parseOrchletOptions(flags, hostFiles);
  if (parsed.kind !== "run") throw new Error(parsed.kind === "errors" ? parsed.errors.join("\n") : parsed.text);
  return parsed.options;
}

/** What is wrong with a command line, a line each; empty when nothing is. */
export function faultsOf(...flags: string[]): string {
  const parsed = parseOrchletOptions(flags, hostFiles);
  return parsed.kind === "errors" ? parsed.errors.join("\n") : "";
}

/** Time that stands still but for what a test lets pass. */
export class HeldClock implements Clock {
  #now = Date.now();
  readonly #waits = new Set<{ readonly due: number; end(): void }>();

  now(): number {
    return this.#now;
  }

  ticks(): number {
    return this.now();
  }

  wait(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms <= 0 || signal?.aborted) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = () => resolve();
    const wait = { due: this.#now + ms, end };
    this.#waits.add(wait);
    signal?.addEventListener("abort", end, { once: true });
    return promise.finally(() => {
      signal?.removeEventListener("abort", end);
      this.#waits.delete(wait);
    });
  }

  /** So long, ms. */
  pass(ms: number): void {
    this.#now += ms;
    for (const { due, end } of this.#waits) if (due <= this.#now) end();
  }
}

/** The real time, which a test can put forward; then waits that are over by that end. */
export class MovedClock implements Clock {
  readonly #held = new HeldClock();
  #moved = 0;

  now(): number {
    return Date.now() + this.#moved;
  }

  ticks(): number {
    return this.now();
  }

  async wait(ms: number, signal?: AbortSignal): Promise<void> {
    const over = new AbortController();
    const both = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
    await Promise.race([CLOCK.wait(ms, both), this.#held.wait(ms, both)]);
    over.abort();
  }

  /** So long, ms. */
  pass(ms: number): void {
    this.#moved += ms;
    this.#held.pass(ms);
  }
}

/** Runs with a control group of its own, by its path for `--cgroup-root`; it is gone after, with what is in it. */
export async function withGroup(run: (path: string, hierarchy: Hierarchy) => Promise<void>): Promise<void> {
  const hierarchy = await Hierarchy.open("/sys/fs/cgroup");
  const path = `/orchlet-spec-${crypto.randomUUID().slice(0, 8)}`;
  await hierarchy.make(path);
  try {
    await run(path, hierarchy);
  } finally {
    await hierarchy.remove(path, CLOCK);
  }
}

/** A containerd that is started when a test of the file first asks for it, and stopped after the last. */
export function sharedContainerd(): () => Promise<Containerd> {
  let containerd: Promise<Containerd> | undefined;
  Deno.test.afterAll?.(async () => await (await containerd)?.stop());
  return () => containerd ??= startContainerd();
}

/** Text of a connection file. */
export const connectionText = (server: string, user: Loose = {}, cluster: Loose = {}): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "c", cluster: { server, ...cluster } }],
    users: [{ name: "u", user }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    "current-context": "x",
  });

/** What an API server was asked. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
}

/** An API server in memory that listens on the loopback; every client of it is its administrator. */
export interface Front {
  readonly t: TestServer;
  readonly url: string;
  /** All requests so far. */
  readonly asked: readonly Asked[];
}

/** Runs with one. @param before what happens to each request first */
export async function withFront(
  flags: readonly string[],
  run: (front: Front) => Promise<void>,
  o: TestOptions & { readonly before?: (request: Request) => Promise<void> } = {},
): Promise<void> {
  const t = await startTestServer(["--disable-admission-plugins=ServiceAccount", ...flags], o);
  const asked: Asked[] = [];
  const handle: AppHandler = async (request, connection) => {
    const { pathname, search } = new URL(request.url);
    asked.push({ method: request.method, path: pathname + search, headers: request.headers });
    await o.before?.(request);
    return await t.server.fetch(request, connection);
  };
  const front = await listen(handle, { hostname: "127.0.0.1", port: 0 });
  try {
    await run({ t, url: front.url, asked });
  } finally {
    await front.close(0);
    await t.stop();
  }
}

/** What an agent may be given beside its flags. */
export interface AgentSurroundings {
  /** Its API server; without one it stands alone. */
  readonly front?: Front;
  /** Its runtime; without one nobody listens at the runtime's socket. */
  readonly containerd?: Containerd;
  /** Of its rooms: answers of the API server have their time. */
  readonly clock?: Clock;
  /** Of its way to the API server. */
  readonly clientClock?: Clock;
  /** Who it is to its API server: of a connection file. */
  readonly user?: Loose;
  /** Puts other parts in the place of the host's, before it starts. */
  readonly base?: (base: Base) => Base;
}

/** An agent at work, named `localhost`. */
export interface Whole {
  readonly agent: Agent;
  readonly base: Base;
  readonly options: AgentOptions;
  /** Holds its `root`, its certificates in `pki` and its pods' logs in `logs`. */
  readonly dir: string;
  readonly logged: readonly string[];
  /** Asks its server of TLS, whoever that says it is. */
  get(path: string, o?: https.RequestOptions): Promise<Got>;
  /** The pod as the agent has it, once it is as wanted. */
  pod(name: string, wanted?: (pod: Pod) => unknown): Promise<Pod>;
  /** Its node at the API server, once it is as wanted. */
  node(wanted?: (node: Loose) => unknown): Promise<Loose>;
}

/** The flags that agents are started with unless a test gives others: they leave the host as it is. */
const flagsIn = (dir: string, { front, containerd }: AgentSurroundings): string[] => [
  "--api-dialect=kubernetes",
  "--hostname-override=localhost",
  "--address=127.0.0.1",
  `--port=${freePort()}`,
  "--read-only-port=0",
  "--healthz-port=0",
  `--root-dir=${dir}/lib`,
  `--cert-dir=${dir}/pki`,
  `--container-runtime-endpoint=unix://${containerd?.socket ?? `${dir}/no.sock`}`,
  ...(front ? [`--orchconfig=${dir}/orchconfig`] : []),
  "--cgroups-per-qos=false",
  "--enforce-node-allocatable=none",
  "--fail-cgroupv1=false",
  "--fail-swap-on=false",
  "--make-iptables-util-chains=false",
  "--oom-score-adj=0",
  // However full the host is.
  "--eviction-hard=nodefs.available<0%",
  "--image-gc-high-threshold=100",
  `--max-open-files=${/^Max open files +\d+ +(\d+)/m.exec(Deno.readTextFileSync("/proc/self/limits"))![1]}`,
];

const nameOf = (flag: string): string => flag.split("=")[0]!;

/** What the agent sets of the kernel, and what it asks. */
const TUNED = [
  "sys/vm/overcommit_memory",
  "sys/vm/panic_on_oom",
  "sys/kernel/panic",
  "sys/kernel/panic_on_oops",
  "sys/kernel/keys/root_maxkeys",
  "sys/kernel/keys/root_maxbytes",
];
const ASKED = ["sys/kernel/pid_max", "sys/kernel/threads-max"];

/** Makes a view of the host's `proc` whose settings of the kernel are copies, for the agent to set. */
function viewProc(view: string): string {
  Deno.mkdirSync(`${view}/sys/vm`, { recursive: true });
  Deno.mkdirSync(`${view}/sys/kernel/keys`, { recursive: true });
  const names = [...Deno.readDirSync("/proc")].map(({ name }) => name);
  const linked = names.filter((name) => name !== "sys" && (name === "1" || !/^\d+$/.test(name)));
  for (const name of [...linked, ...ASKED]) Deno.symlinkSync(`/proc/${name}`, `${view}/${name}`);
  for (const name of TUNED) Deno.writeTextFileSync(`${view}/${name}`, Deno.readTextFileSync(`/proc/${name}`));
  return view;
}

/** What an agent stands on, opened but not started. */
export interface Opened {
  readonly base: Base;
  readonly dir: string;
  readonly logged: readonly string[];
  /** Ends its life. */
  end(): void;
}

/** Runs with what an agent stands on; what it says is told with the error of a test. @param flags win over those that leave the host as it is */
export async function withBase(
  flags: readonly string[] | ((dir: string) => readonly string[]),
  run: (opened: Opened) => Promise<void>,
  o: AgentSurroundings = {},
): Promise<void> {
  await withDirectory(async (dir) => {
    if (o.front) await Deno.writeTextFile(`${dir}/orchconfig`, connectionText(o.front.url, o.user));
    const given = typeof flags === "function" ? flags(dir) : flags;
    const names = new Set(given.map(nameOf));
    const all = [...flagsIn(dir, o).filter((flag) => !names.has(nameOf(flag))), ...given];
    const options = { ...optionsOf(...all), podLogsDir: `${dir}/logs` };
    const logged: string[] = [];
    const verbosity = new Verbosity(options.v, moduleLevels(options.vmodule));
    const verbose: Verbose = (module, level) =>
      verbosity.wants(module, level)
        ? (text, detail) => void logged.push(`${module} ${text} ${JSON.stringify(detail) ?? ""}`)
        : undefined;
    const log = Object.assign((level: LogLevel, text: string, detail?: unknown) => {
      logged.push(`${level} ${text} ${detail instanceof Error ? detail.stack : JSON.stringify(detail) ?? ""}`);
    }, { verbose, verbosity });
    const life = new AbortController();
    try {
      const opened = await openBase(options, log, life.signal, o.clientClock);
      const { clock = opened.clock } = o;
      const own = { ...opened, clock, roots: { ...opened.roots, proc: viewProc(`${dir}/proc`) } };
      await run({ base: o.base?.(own) ?? own, dir, logged, end: () => life.abort() });
    } catch (e) {
      throw logged.length === 0 ? e : new Error(`${(e as Error).message}\n${logged.join("\n")}`, { cause: e });
    } finally {
      life.abort();
      if (o.containerd) await removePods(o.containerd);
    }
  });
}

/** Runs with an agent that is ended after, with all its pods. See {@linkcode withBase}. */
export async function withAgent(
  flags: readonly string[] | ((dir: string) => readonly string[]),
  run: (whole: Whole) => Promise<void>,
  o: AgentSurroundings = {},
): Promise<void> {
  await withBase(flags, async ({ base, dir, logged, end }) => {
    const agent = await startAgent(base);
    try {
      await run(wholeOf(agent, base, dir, logged, o.front));
    } finally {
      end();
      await agent.over;
    }
  }, o);
}

function wholeOf(agent: Agent, base: Base, dir: string, logged: readonly string[], front?: Front): Whole {
  return {
    agent,
    base,
    options: base.options,
    dir,
    logged,
    get: (path, o = {}) => get(agent.servers.port, path, { rejectUnauthorized: false, ...o }),
    pod: async (name, wanted = () => true) => {
      let found: Pod | undefined;
      await until(`pod ${name}`, () => {
        found = agent.pods.pods().find((pod) => pod.metadata!.name === name);
        return found !== undefined && !!wanted(found);
      });
      return found!;
    },
    node: async (wanted = () => true) => {
      let found: Loose;
      await until("the node", async () => {
        const { status, body } = await front!.t.fetch("/api/v1/nodes/localhost");
        found = body;
        return status === 200 && !!wanted(body);
      });
      return found;
    },
  };
}

/** Pods outlive their agent. */
async function removePods({ runtime }: Containerd): Promise<void> {
  const client = runtime();
  for (const { id } of await client.listPodSandboxes()) {
    await client.stopPodSandbox(id);
    await client.removePodSandbox(id);
  }
}
