/**
 * The server on a host that listens itself, without client certificates: `deno serve -A server/edge.ts [option…]`, or, bundled, an
 * isolate. Its state is in memory, and its history is cut as elsewhere. Who has no token is anonymous; `ORCH_OPTIONS` and `ORCH_TOKENS`
 * (lines of a token file, specification "Authentication") stand for the command line and the file where there is neither.
 */
import process from "node:process";
import { pooled } from "../schema/values/random.ts";
import { edgeExport, type HostInfo } from "./listen/edge.ts";
import { admissionFiles } from "./options/admission_files.ts";
import { logOf } from "../schema/log/settings.ts";
import { metricLabels } from "./options/metric_labels.ts";
import { type Options, parseOptions } from "./options/mod.ts";
import type { OptionName } from "./options/table.ts";
import { outside } from "./options/outside.ts";
import { securityFiles } from "./options/security_files.ts";
import { generateKey, publicKeyPem } from "../pki/keys.ts";
import { Server } from "./server.ts";
import { Compactor } from "./storage/compactor.ts";
import { memoryBackend } from "./storage/memory.ts";

/** What a host may give beside requests: its variables. */
export interface EdgeSettings {
  /** Options as on a command line, parted by spaces. */
  readonly ORCH_OPTIONS?: string | undefined;
  /** Lines of a token file. */
  readonly ORCH_TOKENS?: string | undefined;
}

/** A server, started by its first request: an isolate may not do anything before. */
export class Edge {
  #server: Promise<Server> | undefined;

  constructor(readonly flags: readonly string[], readonly settings: EdgeSettings) {}

  /** Starts it, once. @throws Error when the options are wrong */
  start(): Promise<Server> {
    return this.#server ??= started(this.flags, this.settings);
  }

  /** Answers a request. @throws Error when the options are wrong */
  async fetch(request: Request, info?: HostInfo): Promise<Response> {
    const server = await this.start();
    return await edgeExport((r, connection) => server.fetch(r, connection)).fetch(uncompressed(request), info);
  }
}

/** Hosts compress what they send themselves, some of them what is compressed already. */
function uncompressed(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("accept-encoding");
  return new Request(request, { headers });
}

async function started(flags: readonly string[], settings: EdgeSettings): Promise<Server> {
  const given = (settings.ORCH_OPTIONS ?? "").split(/\s+/).filter((option) => option !== "");
  const parsed = parseOptions([...given, ...flags]);
  if (parsed.kind !== "run") throw new Error(parsed.kind === "errors" ? parsed.errors.join("; ") : parsed.text);
  const { options, warnings } = parsed;
  const faults = unserved(options);
  if (faults.length > 0) throw new Error(faults.join("; "));
  const { log, streams } = logOf(options, Date.now, {
    out: console.log,
    err: console.error,
    every: (ms, call) => void setInterval(call, ms),
  });
  for (const warning of warnings) log("warn", warning);
  const backend = memoryBackend({});
  const random = pooled((bytes) => crypto.getRandomValues(new Uint8Array(bytes)));
  const files = securityFiles(options, undefined);
  const signingKey = files.signingKey ?? generateKey("pkcs8");
  const serviceAccountKeys = files.signingKey ? files.serviceAccountKeys : [publicKeyPem(signingKey)];
  const server = new Server({
    options,
    backend,
    files: { ...files, signingKey, serviceAccountKeys, tokenFile: files.tokenFile ?? settings.ORCH_TOKENS },
    ...admissionFiles(options, () => performance.now()),
    outside,
    address: { host: "127.0.0.1", port: options.securePort },
    hostname: "edge",
    platform: "edge/isolate",
    secret: random(32),
    now: Date.now,
    elapsed: () => performance.now(),
    random,
    log,
    verbose: log.verbose,
    verbosity: log.verbosity,
    metricLabels: metricLabels(options),
  });
  await server.start();
  new Compactor(
    backend,
    (e) => log("warn", "a compaction failed and is tried again", e),
    (text) => log.verbose("compactor", 2)?.(text),
  ).start(options.storeCompactionInterval);
  // A host that ends when nothing is left to do would wait for the server's clocks.
  for (const signal of ["SIGTERM", "SIGINT"]) {
    process.once(signal, () =>
      void server.flush().finally(() => {
        streams.flush();
        process.exit(0);
      }));
  }
  return server;
}

/** Options of what this entry does not have: a store that lasts, what goes with one, and sockets of its own. They are refused, not ignored. */
const UNSERVED: readonly OptionName[] = [
  "data-dir",
  "storage-path",
  "store-servers",
  "store-servers-overrides",
  "encryption-provider-config",
  "service-account-signing-endpoint",
  "audit-policy-file",
  "tracing-config-file",
  "egress-selector-config-file",
  "debug-socket-path",
  "cert-dir",
  "tls-cert-file",
  "tls-sni-cert-key",
];

function unserved({ given, storageBackend }: Options): string[] {
  const lasting = storageBackend !== "" && storageBackend !== "memory";
  const options = [...UNSERVED.filter((name) => given.has(name)), ...(lasting ? ["storage-backend"] : [])];
  return options.map((option) => `--${option}: not on a host that listens itself`);
}

const { ORCH_OPTIONS, ORCH_TOKENS } = process.env;
const edge = new Edge(process.argv.slice(2), { ORCH_OPTIONS, ORCH_TOKENS });

if (import.meta.main) {
  const asked = parseOptions(process.argv.slice(2));
  if (asked.kind === "print") {
    console.log(asked.text);
    process.exit(0);
  }
  edge.start().catch((e) => {
    console.error(`error: ${e instanceof Error ? e.message : e}`);
    process.exit(1);
  });
}

/** What `deno serve` and isolates of one context take. */
export default { fetch: (request: Request, info?: HostInfo): Promise<Response> => edge.fetch(request, info) };
