/** A whole API server: its parts, and its life from the start to the end. */
import type { Hono } from "hono";
import { fraction } from "../schema/values/random.ts";
import { API_SERVICES } from "./aggregation/registrations.ts";
import { buildApp } from "./app.ts";
import { appParts } from "./app_parts.ts";
import type { SeveralCachers } from "./cache/mod.ts";
import type { Catalog } from "./catalog/catalog.ts";
import { chosenControllers, startControllers } from "./controllers/run.ts";
import type { HealthCheck } from "./endpoints/health.ts";
import { pageNotFound } from "./endpoints/plain.ts";
import type { AppEnv } from "./filters/env.ts";
import { type FirstContent, firstContent, serviceAddress, trustOf } from "./first_content.ts";
import { healthChecks, type Stage } from "./health.ts";
import { otherStores, type ServerInputs } from "./inputs.ts";
import { measure } from "./measure.ts";
import { makeParts, type ServerParts } from "./parts.ts";
import { serverDebugPaths } from "./paths.ts";
import { allWithin } from "./pause.ts";
import type { Registries } from "./registry/registries.ts";
import type { Connection } from "./request.ts";

/** A server that can be started and stopped. Its application answers from the start; `/readyz` tells when it is ready. */
export class Server {
  readonly app: Hono<AppEnv>;
  readonly catalog: Catalog;
  readonly registries: Registries;
  readonly cacher: SeveralCachers;
  readonly #inputs: ServerInputs;
  readonly #parts: ServerParts;
  readonly #stop = new AbortController();
  /** Leases that several servers want, by name: whether this one has it. */
  readonly #leading = new Map<string, boolean>();
  readonly #atEnd: (() => Promise<void>)[] = [];
  readonly #atLeave: (() => Promise<void>)[] = [];
  #reached: Stage = "filters";
  #controllers: ReadonlySet<string> = new Set();
  #end: "far" | "draining" | "leaving" = "far";

  /** Puts it together. @throws Error for options and files that it cannot work with */
  constructor(inputs: ServerInputs) {
    this.#inputs = inputs;
    chosenControllers(inputs.options.controllers);
    const parts = this.#parts = makeParts(inputs, this.#stop.signal);
    this.catalog = parts.data.catalog;
    this.registries = parts.data.registries;
    this.cacher = parts.data.cacher;
    this.app = buildApp(appParts(inputs, parts, () => this.#checks()));
    measure(inputs, parts, this.#leading, this.#stop.signal);
  }

  /** Answers a request of a connection. */
  fetch(request: Request, connection: Connection): Response | Promise<Response> {
    return this.app.fetch(request, { connection });
  }

  /** Answers a request for a page of `/debug/`, whoever asks. */
  async debug(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const pages = serverDebugPaths(this.#inputs, this.#parts.startedAt, () => [], true);
    const below = `${pathname.slice(0, pathname.lastIndexOf("/"))}/*`;
    const handler = pathname.startsWith("/debug/") ? pages.get(pathname) ?? pages.get(below) : undefined;
    return handler ? await handler({ info: { path: pathname }, request }) : pageNotFound();
  }

  /** Loads the caches and makes the first content; resolves when the server is ready. */
  async start(): Promise<void> {
    const { filters, aggregator, customs, versions, peers, looks } = this.#parts;
    const ticks = setInterval(() => {
      filters.deadlines.tick(this.#inputs.elapsed());
      for (const look of looks) look();
    }, 1000);
    this.#stop.signal.addEventListener("abort", () => clearInterval(ticks), { once: true });
    this.cacher.start(this.#stop.signal).catch((e) => this.#inputs.log("error", "the watch caches stopped", e));
    await this.cacher.whenReady(API_SERVICES);
    this.#reached = "caches";
    aggregator.start(this.registries.byId(API_SERVICES), this.#stop.signal);
    await customs.start(this.#stop.signal);
    this.#reached = "customs";
    const content = firstContent(this.#inputs, {
      catalog: this.catalog,
      cacher: this.cacher,
      registries: this.registries,
      fields: this.#parts.data.fields,
      peerAddress: peers.address,
      processId: this.#parts.processId,
      byRbac: this.#parts.security.byRbac,
    });
    await content.make();
    this.#reached = "content";
    await versions?.start(this.#stop.signal);
    peers.peers?.start(this.#stop.signal);
    this.#startControllers(content);
  }

  /** Starts what works by itself inside the server; it ends with {@linkcode stop}. */
  #startControllers(content: FirstContent): void {
    if (this.#stop.signal.aborted) return;
    const { options, backend, address, hostname, files, now, elapsed, random, log, verbose } = this.#inputs;
    const { product, controllers } = options;
    const { data, peers, processId, aggregator, metrics } = this.#parts;
    const started = startControllers(
      {
        product,
        catalog: this.catalog,
        registries: this.registries,
        backend,
        admission: data.admission,
        options,
        hostname,
        port: address.port,
        peerAddress: peers.address,
        serviceAddress: serviceAddress(this.#inputs),
        leaving: () => this.#end === "leaving",
        processId,
        servingCa: files.servingCa,
        extensions: aggregator,
        content,
        trust: () => trustOf(this.#inputs),
        now,
        elapsed,
        random: () => fraction(random),
        gate: (name) => options.gates.enabled(name),
        queues: metrics.queues,
        leading: (lease, is) => this.#leading.set(lease, is),
        atEnd: (work) => this.#atEnd.push(work),
        atLeave: (work) => this.#atLeave.push(work),
        log,
        verbose: verbose ?? (() => undefined),
      },
      controllers,
      this.#stop.signal,
    );
    this.#controllers = new Set(started);
    this.#reached = "controllers";
  }

  #checks(): HealthCheck[] {
    const { options, backend, now } = this.#inputs;
    const { security, filters, peers, versions, startedAt } = this.#parts;
    return healthChecks({
      product: options.product,
      rbac: security.byRbac,
      fairness: filters.fairness !== undefined,
      peers: { found: peers.address !== undefined, finds: peers.peers !== undefined },
      controllers: this.#controllers,
      reached: this.#reached,
      versions: versions?.complete,
      cachesReady: this.cacher.ready().every((c) => c.ready),
      stopping: this.#end !== "far",
      healthTimeout: options.storeHealthcheckTimeout,
      readyTimeout: options.storeReadycheckTimeout,
      inGrace: now() - startedAt < options.livezGracePeriod,
      store: (signal) => backend.health(signal),
      otherStores: otherStores(this.#inputs).map((other) => (signal) => other.health(signal)),
      encryption: this.#inputs.encryption?.checks() ?? [],
      encryptionFollowed: options.encryptionProviderConfig !== "" && options.encryptionProviderConfigAutomaticReload,
    });
  }

  /** `/readyz` fails from here on. */
  drain(): void {
    if (this.#end === "far") this.#end = "draining";
  }

  /** From here on new requests are told to come again, at another server. */
  refuse(): void {
    this.#parts.filters.gate.refuse();
  }

  /** Resolves when no short request is at work, or after so many ms. */
  idle(ms: number): Promise<void> {
    return this.#parts.filters.gate.idle(ms);
  }

  /** Ends watches and other requests that last. */
  endLasting(): void {
    this.#parts.filters.gate.endLasting();
  }

  /** Gives up leases and stores what is still to be stored of audit events, and sends spans. No request may be at work. */
  async flush(): Promise<void> {
    const log = (e: unknown) => this.#inputs.log("warn", "some work at the end of the server failed", e);
    await allWithin(END_MS, this.#atEnd.splice(0), log);
    await Promise.all([this.#parts.auditing?.sink.close(), this.#inputs.tracing?.close(END_MS)]);
  }

  /** Tells its peers that it goes, from now on: they ask it no more. Waits for the store for so many ms at most. */
  async leave(ms: number): Promise<void> {
    this.#end = "leaving";
    await allWithin(ms, this.#atLeave.splice(0), (e) => this.#inputs.log("warn", "peers are not told of the end", e));
  }

  /** Stops the caches. The backend stays open: it is the caller's. */
  stop(): void {
    this.drain();
    this.#stop.abort();
  }
}

/** How long a server that stops may still give up leases, and then send spans, ms each. */
const END_MS = 5_000;
