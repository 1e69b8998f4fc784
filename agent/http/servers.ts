/** Starts the agent's servers. */
import { alwaysAllow, webhookAuthorizer } from "./auth/authorize.ts";
import { certificateReader } from "./auth/certificates.ts";
import { ClientCa } from "./auth/client_ca.ts";
import { type Guard, guard } from "./auth/guard.ts";
import { tokenReader } from "./auth/tokens.ts";
import { faultAnswer, send, textAnswer } from "./answer.ts";
import { pingRoutes } from "./health.ts";
import { type Incoming, listen, type Listener, type ListenOptions } from "./listen/listen.ts";
import { nodeMetrics, processMetrics, runningMetrics } from "./metrics/process.ts";
import { RequestMetrics, type ServerType } from "./metrics/requests.ts";
import { requestSpan } from "./request_span.ts";
import { tellRequest } from "./http_log.ts";
import { Routes } from "./routes.ts";
import { readTarget } from "./target.ts";
import { NO_TRACES } from "../tracing/traces.ts";
import { fullRoutes, readOnlyRoutes, sharedRoutes } from "./tables.ts";
import type { HttpOptions, HttpParts, Servers } from "./types.ts";

/** How long until an address for `/healthz` is asked for again, ms. */
const AGAIN_MS = 5_000;

/**
 * Starts what the options ask for. Where `/healthz` has no address that is told, and tried again.
 * @throws Error when another address cannot be had, `--client-ca-file` cannot be read, or there is nobody to ask about users
 */
export async function startServers(parts: HttpParts, options: HttpOptions): Promise<Servers> {
  const { log, clock, metrics } = parts;
  const failed = (error: Error) => log("warn", "a connection came to nothing", error.message);
  const shared = sharedRoutes(parts, options);
  const full = new Routes(fullRoutes(parts, options, shared));
  const requests = new RequestMetrics(metrics);
  processMetrics(metrics);
  nodeMetrics(metrics, parts.nodeName, parts.version, parts.hierarchy);
  runningMetrics(metrics, parts.runtime);
  const started: Listener[] = [], over = new AbortController();
  const start = async (wanted: boolean, o: Omit<ListenOptions, "now" | "failed">): Promise<number> => {
    if (!wanted) return 0;
    const listener = await listen({ ...o, now: () => clock.ticks(), failed });
    if (over.signal.aborted) await listener.close(0);
    else started.push(listener);
    return listener.port;
  };
  const close = async (graceMs: number) => {
    over.abort();
    await Promise.all(started.map((l) => l.close(graceMs)));
  };
  const answer = (routes: Routes, type: ServerType, guarded?: Guard) => {
    const count = requests.of(type, routes.routes.map(({ path }) => path));
    return (incoming: Incoming) => answered(parts, routes, incoming, guarded, count);
  };
  try {
    const { guarded, ca } = guardOf(parts, options, failed);
    const tls = {
      pair: () => parts.pair(),
      clientCa: () => ca.pem(),
      minVersion: options.tlsMinVersion,
      cipherSuites: options.tlsCipherSuites,
    };
    const port = await start(options.enableServer, {
      host: options.address,
      port: options.port,
      tls,
      handle: answer(full, "readwrite", guarded),
    });
    const readOnlyPort = await start(options.readOnlyPort > 0, {
      host: options.address,
      port: options.readOnlyPort,
      handle: answer(new Routes(readOnlyRoutes(shared)), "readonly"),
    });
    const pings = new Routes(pingRoutes);
    const startHealthz = () =>
      start(options.healthzPort > 0, {
        host: options.healthzBindAddress,
        port: options.healthzPort,
        handle: (incoming) => answered(parts, pings, incoming),
      });
    const later = async (e: unknown): Promise<void> => {
      log("error", "/healthz is not served", (e as Error).message);
      await clock.wait(AGAIN_MS, over.signal);
      if (!over.signal.aborted) await startHealthz().catch(later);
    };
    const healthzPort = await startHealthz().catch((e) => {
      later(e);
      return 0;
    });
    return { port, readOnlyPort, healthzPort, close };
  } catch (e) {
    await close(0);
    throw e;
  }
}

function guardOf(parts: HttpParts, options: HttpOptions, failed: (e: Error) => void): { guarded: Guard; ca: ClientCa } {
  const { api, clock, product, nodeName, log } = parts;
  const ca = new ClientCa(options.clientCaFile, clock, failed);
  const asked = (what: string) => {
    if (api) return { api, clock, product, nodeName };
    throw new Error(`no client provided, cannot use webhook ${what}`);
  };
  const ways = {
    certificates: certificateReader(ca, product, () => clock.now()),
    tokens: options.authenticationTokenWebhook
      ? tokenReader(asked("authentication"), options.authenticationTokenWebhookCacheTtl)
      : undefined,
    anonymous: options.anonymousAuth,
    product,
  };
  const authorize = options.authorizationMode === "AlwaysAllow" ? alwaysAllow : webhookAuthorizer(
    asked("authorization"),
    {
      authorized: options.authorizationWebhookCacheAuthorizedTtl,
      unauthorized: options.authorizationWebhookCacheUnauthorizedTtl,
    },
  );
  return { guarded: guard(ways, authorize, log), ca };
}

/** One request from its coming to the end of its answer. Never rejects. */
async function answered(
  { log, clock, traces = NO_TRACES, verbose }: Pick<HttpParts, "log" | "clock" | "traces" | "verbose">,
  routes: Routes,
  incoming: Incoming,
  guarded?: Guard,
  count: (method: string, path: string) => () => void = () => () => {},
): Promise<void> {
  const { request, response, signal } = incoming, method = request.method ?? "";
  const target = readTarget(request.url ?? "");
  if (!target) return await send(textAnswer(400, "400 Bad Request"), response, method, signal);
  const { path, query } = target, startedAt = clock.now();
  const over = count(method, path);
  signal.addEventListener("abort", over, { once: true });
  tellRequest(verbose, incoming, () => clock.now());
  try {
    const place = routes.at(target, method);
    if ("status" in place) return await send(place, response, method, signal);
    const found = await guarded?.(incoming, path) ?? place.choose({ method, accept: request.headers.accept });
    if (!("route" in found)) return await send(found, response, method, signal);
    const { route, params } = found;
    await traces.serve(requestSpan(incoming, route.path, path, startedAt), async (span) => {
      const answer = await route.handler({ params, query, path, incoming });
      span.set({ "http.response.status_code": answer?.status });
      if (answer && answer.status >= 500) span.failed("");
      await (answer ? send(answer, response, method, signal) : ended(signal));
    });
  } catch (e) {
    log("error", `${method} ${path}`, e);
    await send(faultAnswer(500, e instanceof Error ? e.message : String(e)), response, method, signal);
  }
}

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
