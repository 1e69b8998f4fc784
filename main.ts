/** The API server process: flags → options → server → listener. */
import { hostname } from "node:os";
import { ensureDataDir, listen } from "./server/listen/mod.ts";
import { type Options, parseOptions } from "./server/options/mod.ts";
import { securityFiles } from "./server/options/security_files.ts";
import { outside } from "./server/listen/outside.ts";
import { Server } from "./server/server.ts";
import type { Backend } from "./server/storage/backend.ts";
import { memoryBackend } from "./server/storage/memory.ts";
import { openDenoKv } from "./server/storage/denokv/open.ts";

if (import.meta.main) await run(Deno.args);

/** Runs a server until a signal ends it. */
export async function run(argv: readonly string[]): Promise<void> {
  const parsed = parseOptions(argv);
  if (parsed.kind === "print") return console.log(parsed.text);
  if (parsed.kind === "errors") {
    for (const e of parsed.errors) console.error(`error: ${e}`);
    Deno.exit(1);
  }
  for (const w of parsed.warnings) console.error(`warning: ${w}`);
  await serve(parsed.options);
}

async function serve(options: Options): Promise<void> {
  const started = performance.now();
  const backend = await openBackend(options);
  const host = options.bindAddress || "0.0.0.0";
  const port = options.securePort;
  const data = options.dataDir
    ? await ensureDataDir(options.dataDir, { hostnames: [hostname()], ips: [], port })
    : undefined;
  const server = new Server({
    options,
    backend,
    files: securityFiles(options, data),
    outside,
    address: { host: advertised(options), port },
    hostname: hostname(),
    secret: crypto.getRandomValues(new Uint8Array(32)),
    now: Date.now,
    random: (n) => crypto.getRandomValues(new Uint8Array(n)),
    log: (level, text, detail) => console.error(level, text, detail ?? ""),
  });
  const ready = server.start();
  const listening = await listen((request, connection) => server.app.fetch(request, { connection }), {
    hostname: host,
    port,
    ...(data ? { tls: { cert: data.serving.cert, key: data.serving.key } } : {}),
  });
  await ready;
  console.log(`orch listens on ${listening.url} (ready in ${Math.round(performance.now() - started)} ms)`);
  if (data) console.log(`try: kubectl --kubeconfig ${data.adminConf} get namespaces`);
  const stop = async () => {
    server.drain();
    await listening.close(5000);
    server.stop();
    await backend.close();
    Deno.exit(0);
  };
  Deno.addSignalListener("SIGTERM", stop);
  Deno.addSignalListener("SIGINT", stop);
}

/** `--advertise-address`, else the bind address, else that of the first interface that others can reach. */
function advertised(options: Options): string {
  if (options.advertiseAddress) return options.advertiseAddress;
  const bind = options.bindAddress;
  if (bind && bind !== "0.0.0.0" && bind !== "::" && !bind.startsWith("127.")) return bind;
  const found = Deno.networkInterfaces().find((i) => i.family === "IPv4" && !i.address.startsWith("127."));
  return found?.address ?? "127.0.0.1";
}

async function openBackend(options: Options): Promise<Backend> {
  if (options.backend === "memory") return memoryBackend();
  return await openDenoKv(options.storagePath || `${options.dataDir}/store.kv`);
}
