/** What all rooms of an agent stand on: its clock, its way to the API server, the runtime and the machine. */
import { Registry } from "prom-client";
import type { Connection } from "../schema/connection.ts";
import type { Log } from "../schema/log/log.ts";
import { pooled, type RandomBytes } from "../schema/values/random.ts";
import { CLOCK } from "./clock.ts";
import { type ClientCertificates, clientCertificates } from "./certificates/mod.ts";
import { type ApiClient, ClientMetrics, openApi } from "./client/mod.ts";
import { countedRuntime } from "./http/metrics/runtime_operations.ts";
import { hostnameOf } from "./node/mod.ts";
import type { AgentOptions } from "./options/mod.ts";
import { Hierarchy } from "./resources/hierarchy.ts";
import { type KernelRoots, type Machine, readMachine } from "./resources/machine.ts";
import { openRuntime } from "./runtime/mod.ts";
import { toldRuntime } from "./runtime/told.ts";
import type { Runtime } from "./runtime/types.ts";
import { openTraces } from "./tracing/open.ts";
import type { Traces } from "./tracing/traces.ts";
import type { Clock } from "./types.ts";

/** See the top of the file. */
export interface Base {
  readonly options: AgentOptions;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: Log;
  /** The agent's life. */
  readonly signal: AbortSignal;
  readonly nodeName: string;
  gate(name: string): boolean;
  /** Undefined: there is no API server (a node of its own). */
  readonly client: ApiClient | undefined;
  /** By what the client says who it is; there where the client is. */
  readonly credentials: ClientCertificates | undefined;
  readonly runtime: Runtime;
  readonly hierarchy: Hierarchy;
  readonly machine: Machine;
  readonly roots: KernelRoots;
  readonly metrics: Registry;
  /** Of probes, which have a page of their own. */
  readonly probeMetrics: Registry;
  readonly traces: Traces;
  /** Sends spans that are not sent yet, in at most so many ms. */
  endTraces(ms: number): Promise<void>;
}

const ROOTS: KernelRoots = { proc: "/proc", sys: "/sys" };
const CGROUPS = "/sys/fs/cgroup";

/** Opens it. @throws Error that says which option, or what of the host, it cannot be opened for */
export async function openBase(options: AgentOptions, log: Log, signal: AbortSignal, clock = CLOCK): Promise<Base> {
  const random = pooled((bytes) => crypto.getRandomValues(new Uint8Array(bytes)));
  const metrics = new Registry();
  const nodeName = hostnameOf(options.hostnameOverride);
  const { product } = options;
  const { traces, close: endTraces } = openTraces(options.tracing, {
    hostname: nodeName,
    random,
    now: () => clock.now(),
    told: (e) => log("warn", "spans are lost", e),
  });
  const common = { version: options.gitVersion, clock, random, log, verbose: log.verbose, traces };
  const figures = new ClientMetrics(metrics);
  const open = (connection: () => Connection) => openApi(connection, { ...options, ...common, metrics: figures });
  const credentials = options.orchconfig === ""
    ? undefined
    : await clientCertificates(options, { nodeName, product, clock, random, log, open, metrics }, signal);
  const runtime = openRuntime({
    endpoint: options.containerRuntimeEndpoint,
    imageEndpoint: options.imageServiceEndpoint,
    requestTimeout: options.runtimeRequestTimeout,
    traces,
  });
  return {
    options,
    clock,
    random,
    log,
    signal,
    nodeName,
    gate: (name) => options.gates.enabled(name),
    credentials,
    client: credentials && open(() => credentials.connection()),
    runtime: countedRuntime(toldRuntime(runtime, log.verbose, clock), metrics),
    hierarchy: await Hierarchy.open(CGROUPS),
    machine: await readMachine(ROOTS),
    roots: ROOTS,
    metrics,
    probeMetrics: new Registry(),
    traces,
    endTraces,
  };
}
