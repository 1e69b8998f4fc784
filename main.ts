/** The API server process: flags → options → server → listener. */
import { isIP } from "node:net";
import { hostname } from "node:os";
import { domainToASCII } from "node:url";
import { pooled } from "./schema/values/random.ts";
import { cpuProfile } from "./host/cpu_profile.ts";
import { giveBackMemory } from "./host/give_back.ts";
import {
  type DataDir,
  type DataDirOptions,
  ensureDataDir,
  followDataDir,
  listen,
  type Listening,
  makeDataDir,
  readProcess,
  servingFrom,
} from "./server/listen/mod.ts";
import { admissionFiles } from "./server/options/admission_files.ts";
import { advertisedAddress, localAddress } from "./server/options/advertised.ts";
import { type Options, parseOptions } from "./server/options/mod.ts";
import { logFiles } from "./server/options/log_files.ts";
import { logOf } from "./schema/log/settings.ts";
import { metricLabels } from "./server/options/metric_labels.ts";
import type { Egress } from "./server/options/egress.ts";
import { egressOf } from "./server/options/egress_of.ts";
import { environmentDial } from "./server/options/environment_proxy.ts";
import { outsideBy } from "./server/options/outside.ts";
import { expirationWarnings, openSigner } from "./server/options/signer.ts";
import { securityFiles } from "./server/options/security_files.ts";
import type { Log } from "./schema/log/log.ts";
import { hostPort, parseHostPort } from "./schema/values/host_port.ts";
import { toldWhenSlow } from "./server/pause.ts";
import { serverIdentity } from "./server/bootstrap/system.ts";
import type { Outside } from "./server/security.ts";
import { firstAddress } from "./server/first_content.ts";
import type { ExternalSigner } from "./server/authentication/external_signer/mod.ts";
import type { ServerInputs } from "./server/inputs.ts";
import { Server } from "./server/server.ts";
import type { Backend } from "./server/storage/backend.ts";
import { storeCommand } from "./server/storage/command_line.ts";
import { Compactor } from "./server/storage/compactor.ts";
import { type Encryption, followEncryption, openEncryption } from "./server/storage/encryption/mod.ts";
import { storeSecret } from "./server/storage/facts.ts";
import { openStores, type Stores } from "./server/storage/open.ts";

/** A start that waits so long says for what, ms. */
const SLOW_MS = 5_000;

if (import.meta.main) await run(Deno.args);

/** Runs a server until a signal ends it, or, after `store`, a command on its store. Exits with 1 when it cannot start. */
export async function run(argv: readonly string[]): Promise<void> {
  if (argv[0] === "store") Deno.exit(await storeCommand(argv.slice(1), console.log, console.error));
  const parsed = parseOptions(argv);
  if (parsed.kind === "print") return console.log(parsed.text);
  if (parsed.kind === "errors") fail(parsed.errors);
  const log = processLog(parsed.options);
  for (const warning of parsed.warnings) log("warn", warning);
  try {
    await serve(parsed.options, log);
  } catch (e) {
    fail([e instanceof Error ? e.message : String(e)]);
  }
}

function fail(errors: readonly string[]): never {
  for (const e of errors) console.error(`error: ${e}`);
  Deno.exit(1);
}

async function serve(options: Options, log: Log): Promise<void> {
  const started = performance.now(), stop = new AbortController();
  const place = placeOf(options);
  await makeDataDir(options.dataDir);
  const egress = await egressOf(options);
  const madeFor = dataDirOptions(options, place);
  const opened = soon(openStores(options), log, "the store");
  const [stores, data] = await Promise.all([opened, ensureDataDir(options.dataDir, madeFor)]);
  let current = data;
  if (data.adminConfOf) {
    log("warn", `${data.adminConf} stays as it is: ${data.adminConfOf} answers, and is what it names`);
  }
  const held = await hold(options, stores, log);
  const handshakes = { failed: 0 };
  const server = new Server(await inputsOf(options, place, held, { egress, handshakes, log, dataDir: () => current }));
  for (const compactor of held.compactors) compactor.start(options.storeCompactionInterval);
  const ready = server.start();
  // Told below, where it is waited for.
  ready.catch(() => {});
  if (held.encryption && options.encryptionProviderConfigAutomaticReload) {
    followEncryption(held.encryption, options, { log }, stop.signal)
      .catch((e) => log("error", "no file is followed", e));
  }
  followDataDir(data, madeFor, {
    now: Date.now,
    told: (next) => current = next,
    failed: (e) => log("error", "certificates of the data directory are not renewed; it is tried again", e),
  }, stop.signal).catch((e) => log("error", "certificates of the data directory are not followed", e));
  const listening = await listenAs(options, place, server, data, stop.signal, { log, handshakes });
  giveBackMemory(stop.signal);
  const debug = options.debugSocketPath ? await listenForDebugging(options.debugSocketPath, server, log) : undefined;
  await ready;
  let ending: Promise<void> | undefined;
  // A terminal's signal comes twice under `deno task`, which passes it on: the second would close the store under the first.
  const end = () => void (ending ??= endAll(options, server, [listening, debug], held, stop));
  for (const signal of ["SIGTERM", "SIGINT"] as const) Deno.addSignalListener(signal, end);
  console.log(`orch listens on ${listening.url} (ready in ${Math.round(performance.now() - started)} ms)`);
  console.log(`try: ${tryNext(options, data, place)}`);
}

/** ms since whenever, never going back. */
function elapsed(): number {
  return performance.now();
}

/** Where a server is. */
interface Place {
  /** Address that it listens on. */
  readonly bind: string;
  readonly port: number;
  /** Address that clients reach it by. */
  readonly host: string;
  /** Address by which this host reaches it. */
  readonly local: string;
}

function placeOf(options: Options): Place {
  const bind = options.bindAddress || "0.0.0.0", host = advertisedAddress(options, Deno.networkInterfaces());
  return { bind, port: options.securePort, host, local: localAddress(bind) };
}

function dataDirOptions(options: Options, { host, local, port }: Place): DataDirOptions {
  const names = namesOf(options);
  return {
    hostnames: names.hostnames,
    // With the first addresses of the service ranges: those of the API's own service.
    ips: [host, local, ...names.ips, ...options.serviceClusterIpRange.map(firstAddress)],
    port,
    host: local,
    ...(options.given.has("cert-dir") ? { certDir: options.certDir } : {}),
  };
}

/** A start waits for others as long as their options say: who looks on hears for what. */
function soon<T>(work: Promise<T>, log: Log, what: string): Promise<T> {
  return toldWhenSlow(work, SLOW_MS, () => log("warn", `the start waits for ${what}`));
}

/** What a process holds until its end. */
interface Held {
  readonly stores: Stores;
  /** By store as it was opened: what it reads decrypted, and writes encrypted, where there is encryption. */
  readonly plain: ReadonlyMap<Backend, Backend>;
  readonly compactors: readonly Compactor[];
  readonly encryption: Encryption | undefined;
  readonly signer: ExternalSigner | undefined;
}

async function hold(options: Options, stores: Stores, log: Log): Promise<Held> {
  const encryption = await openEncryption(options, { serverId: hostname(), now: Date.now, log });
  const plain = new Map([stores.main, ...stores.others].map((store) => [store, encryption?.over(store) ?? store]));
  const signer = await soon(openSigner(options, { now: Date.now, log }), log, "--service-account-signing-endpoint");
  for (const warning of expirationWarnings(options, signer?.maxSeconds)) log("warn", warning);
  const compactors = [...plain.keys()].map((store) =>
    new Compactor(
      store,
      (e) => log("warn", "a compaction failed and is tried again", e),
      (text) => log.verbose("compactor", 2)?.(text),
    )
  );
  return { stores, plain, compactors, encryption, signer };
}

async function inputsOf(
  options: Options,
  { host, port }: Place,
  { stores, plain, encryption, signer }: Held,
  { egress, handshakes, log, dataDir }: {
    egress: Egress | undefined;
    handshakes: { readonly failed: number };
    log: Log;
    dataDir(): DataDir;
  },
): Promise<ServerInputs> {
  const random = pooled((bytes) => crypto.getRandomValues(new Uint8Array(bytes)));
  const outside = outsideBy(egress, environmentDial(Deno.env.get));
  const audit = options.auditPolicyFile ? await auditOf(options, outside, log) : undefined;
  const tracing = options.tracingConfigFile ? await tracingOf(options, random, egress, log) : undefined;
  return {
    options,
    ...(audit ? { audit } : {}),
    ...(tracing ? { tracing } : {}),
    backend: plain.get(stores.main)!,
    stores: new Map([...stores.byResource].map(([id, store]) => [id, plain.get(store)!])),
    ...(encryption ? { encryption } : {}),
    files: securityFiles(options, dataDir, (e) => log("error", "a file stays as it was read before", e)),
    ...(signer ? { signer } : {}),
    ...admissionFiles(options, elapsed, (e) => log("error", "a folder of manifests stays as it was read before", e)),
    ...(options.enableLogsHandler ? { logs: logFiles("/var/log") } : {}),
    outside,
    ...(egress ? { egress: egress.metrics } : {}),
    handshakes,
    address: { host, port },
    hostname: hostname(),
    platform: `${Deno.build.os}/${Deno.build.arch === "x86_64" ? "amd64" : "arm64"}`,
    secret: await storeSecret(stores.main, random),
    memory: () => ({ ...Deno.memoryUsage() }),
    timeProfile: cpuProfile,
    process: readProcess,
    now: Date.now,
    elapsed,
    random,
    log,
    verbose: log.verbose,
    verbosity: log.verbosity,
    metricLabels: metricLabels(options),
  };
}

/** Ends it all in the order in which nobody misses what is gone, and then the process. */
async function endAll(
  options: Options,
  server: Server,
  [listening, debug]: readonly [Listening, Listening | undefined],
  { plain, compactors, encryption, signer }: Held,
  stop: AbortController,
): Promise<void> {
  server.drain();
  // While it still answers: who would pass something on to it finds another one.
  const left = server.leave(CLOSE_MS);
  await new Promise((done) => setTimeout(done, options.shutdownDelayDuration));
  if (options.shutdownSendRetryAfter) {
    server.refuse();
    await server.idle(options.requestTimeout || CLOSE_MS);
  }
  server.endLasting();
  // Requests that end by themselves have their time, what lasts has its own after that.
  const answered = server.idle(options.requestTimeout || CLOSE_MS);
  await listening.close(options.shutdownWatchTerminationGracePeriod || CLOSE_MS, answered);
  await debug?.close(0);
  await server.flush();
  await left;
  stop.abort();
  for (const compactor of compactors) compactor.stop();
  server.stop();
  encryption?.close();
  signer?.close();
  await Promise.all(plain.keys().map((store) => store.close()));
  Deno.exit(0);
}

/** The log that the options ask for. What waits in it is written before the process ends. */
function processLog(options: Options): Log {
  const { log, streams } = logOf(options, Date.now, {
    out: console.log,
    err: console.error,
    every: (ms, call) => Deno.unrefTimer(setInterval(call, ms)),
  });
  // An error that nobody catches ends the process without unloading it.
  for (const end of ["unload", "error", "unhandledrejection"]) {
    globalThis.addEventListener(end, () => streams.flush());
  }
  return log;
}

/** What requests are recorded by. Loaded only where there is a policy: most servers have none, and each start pays for it. */
async function auditOf(options: Options, outside: Outside, log: Log) {
  const { auditInputs } = await import("./server/options/audit_files.ts");
  return auditInputs(options, outside, Date.now, (e) => log("warn", "old audit logs are not put in order", e));
}

/** How requests are traced. Loaded only where there is a configuration, as above. */
async function tracingOf(
  options: Options,
  random: (bytes: number) => Uint8Array,
  egress: Egress | undefined,
  log: Log,
) {
  const { openTracing } = await import("./server/options/tracing_files.ts");
  const told = (e: unknown) => log("warn", "spans are lost: the collector did not take them", e);
  const dial = egress?.to("controlplane");
  return await openTracing(options, {
    server: serverIdentity(hostname(), options.securePort),
    random,
    now: Date.now,
    told,
    ...(dial ? { dial } : {}),
  });
}

/** How long what is sent may take to end after the server was told to, ms. */
const CLOSE_MS = 5_000;

async function listenAs(
  options: Options,
  { bind, port }: Place,
  server: Server,
  data: DataDir,
  signal: AbortSignal,
  { log, handshakes }: { log: Log; handshakes: { failed: number } },
): Promise<Listening> {
  const handler = (request: Request, connection: Parameters<Server["fetch"]>[1]) => server.fetch(request, connection);
  const onError = (e: unknown) => log("warn", "a connection failed", e);
  const at = { hostname: bind, port, onError };
  if (options.plainHttp) return await listen(handler, at);
  const serving = await servingFrom(options, {
    pair: data.serving,
    clientCaFile: options.clientCaFile || data.ca.certFile,
    names: namesOf(options),
  });
  for (const warning of serving.warnings) log("warn", warning);
  const onHandshakeError = (host: string, port: number, why: string) => {
    handshakes.failed++;
    log.verbose("listener", 5)?.(`TLS handshake error from ${hostPort(host, port)}: ${why}`);
  };
  const listening = await listen(handler, { ...at, onHandshakeError, ...serving.listen });
  const unused = (e: unknown) => log("warn", "files of serving pairs stay as they were read before", e);
  serving.follow(listening, signal, unused).catch(unused);
  return listening;
}

/** Pages for operators on a local socket, for whoever may open it (`--debug-socket-path`). */
function listenForDebugging(path: string, server: Server, log: Log): Promise<Listening> {
  const onError = (e: unknown) => log("warn", "a debugging connection failed", e);
  return listen((request) => server.debug(request), { hostname: "localhost", port: 0, path, onError });
}

/** Names of the server: its host's, that of the API's service in the cluster, and the external one, which may be an address. */
function namesOf(options: Options): { hostnames: string[]; ips: string[] } {
  const service = options.product.service;
  const inCluster = [service, `${service}.default`, `${service}.default.svc`, `${service}.default.svc.cluster.local`];
  const outer = parseHostPort(options.externalHostname)?.host ?? options.externalHostname;
  if (isIP(outer) !== 0) return { hostnames: [hostname(), ...inCluster], ips: [outer] };
  // As clients verify it. With a name that is not of ASCII some read nothing of a certificate.
  const name = domainToASCII(outer);
  return { hostnames: [hostname(), ...name === "" ? [] : [name], ...inCluster], ips: [] };
}

/** One command that shows that it works. */
function tryNext(options: Options, { adminConf, adminConfOf }: DataDir, { local, port }: Place): string {
  const own = hostPort(local, port);
  if (options.plainHttp) return `curl 'http://${own}/readyz?verbose'`;
  const to = adminConfOf === undefined ? "" : ` --server https://${own}`;
  // The connection file trusts the authority of the data directory.
  const trusted = options.tlsCertFile === "" ? "" : " --certificate-authority AUTHORITY-OF-TLS-CERT-FILE";
  return `kubectl --kubeconfig ${adminConf}${to}${trusted} get namespaces`;
}
