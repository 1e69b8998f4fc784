/** A whole API server, put together from its options: catalog, storage, caches, registries, filters. */
import type { Hono } from "hono";
import { Scheme } from "../schema/scheme.ts";
import type { RuleContext } from "../schema/rules/types.ts";
import { fraction, uuid } from "../schema/values/random.ts";
import { Aggregator } from "./aggregation/aggregator.ts";
import { API_SERVICES } from "./aggregation/registrations.ts";
import { buildAdmission } from "./admission/build.ts";
import { kindTools } from "./admission/kinds.ts";
import { resourcesOf } from "./admission/resources_of.ts";
import type { AddressContext } from "./admission/webhooks/address.ts";
import { AdmissionChain } from "./admission/chain.ts";
import { buildApp } from "./app.ts";
import type { Auditing } from "./audit/build.ts";
import { auditingOf } from "./audit_deps.ts";
import { beyondOf } from "./beyond.ts";
import { AuditFilters } from "./filters/audit.ts";
import { RULE_TOOLS } from "./pki/rule_tools.ts";
import type { EscalationContext } from "./authorization/escalation.ts";
import { impersonationFilter } from "./filters/impersonate.ts";
import { tokenRequests } from "./registry/core/token.ts";
import { connections } from "./registry/core/connections.ts";
import { componentStatuses } from "./registry/core/component_statuses.ts";
import { reviews } from "./registry/reviews.ts";
import { makeSecurity, type Security } from "./security.ts";
import { makeFirstContent, serviceAddress, trustOf } from "./first_content.ts";
import { tokenOptions } from "./token_options.ts";
import { chosenControllers, startControllers } from "./controllers/run.ts";
import { SeveralCachers } from "./cache/mod.ts";
import { builtinCatalog, type Catalog } from "./catalog/catalog.ts";
import { CustomResources } from "./customresources/manager.ts";
import { DEFINITIONS } from "./customresources/definition.ts";
import { definitionStrategy } from "./customresources/definitions.ts";
import type { Api } from "./endpoints/api.ts";
import { ContinueTokens } from "./endpoints/continue.ts";
import type { HealthCheck } from "./endpoints/health.ts";
import { pageNotFound } from "./endpoints/plain.ts";
import { healthChecks } from "./health.ts";
import { conversionTransport, hookDeps } from "./hook_deps.ts";
import { otherStores, type ServerInputs } from "./inputs.ts";
import { serverDebugPaths, serverPaths } from "./paths.ts";
import { type RequestFilters, requestFilters } from "./filters/build.ts";
import type { ShownOptions } from "./metrics/shown.ts";
import { HealthMetrics } from "./metrics/slis.ts";
import { BINARY_VERSION } from "./options/mod.ts";
import { uncachedReads } from "./options/watch_cache.ts";
import type { AppEnv } from "./filters/env.ts";
import { storageVersionFilter } from "./filters/storage_versions.ts";
import { ErrorResponses } from "./filters/errors.ts";
import { httpLog } from "./filters/http_log.ts";
import { metricsFilter } from "./filters/metrics.ts";
import { tracingFilter, verbSpans } from "./filters/tracing.ts";
import { ServerMetrics } from "./metrics/registry.ts";
import { makePeers, type PeerParts } from "./peers/make.ts";
import { measure } from "./measure.ts";
import { allWithin } from "./pause.ts";
import { mediaTypes } from "./negotiation/media.ts";
import { printerFor } from "./printing/mod.ts";
import { FieldOwnership } from "./registry/field_ownership.ts";
import { strategies } from "./registry/strategies.ts";
import { returnsDeleted, type Strategy } from "./registry/strategy.ts";
import { SUBRESOURCES } from "./registry/subresources.ts";
import { VIRTUAL } from "./registry/virtual.ts";
import { cachedResources, Registries } from "./registry/registries.ts";
import { makeStorageVersions } from "./storageversions/make.ts";
import type { StorageVersions } from "./storageversions/manager.ts";
import type { Connection } from "./request.ts";
import type { Backend } from "./storage/backend.ts";

/** A server that can be started and stopped. Its application answers from the start; `/readyz` tells when it is ready. */
export class Server {
  readonly app: Hono<AppEnv>;
  readonly catalog: Catalog;
  readonly registries: Registries;
  readonly cacher: SeveralCachers;
  readonly metrics: ServerMetrics;
  readonly #inputs: ServerInputs;
  readonly #stop = new AbortController();
  readonly #security: Security;
  readonly #customs: CustomResources;
  readonly #admission: AdmissionChain;
  readonly #peers: PeerParts;
  readonly #processId: string;
  readonly #fields: FieldOwnership;
  readonly #filters: RequestFilters;
  readonly #versions: StorageVersions | undefined;
  readonly #auditing: Auditing | undefined;
  readonly #slis: HealthMetrics;
  readonly #aggregator: Aggregator;
  readonly #startedAt: number;
  /** Leases that several servers want, by name: whether this one has it. */
  readonly #leading = new Map<string, boolean>();
  readonly #atEnd: (() => Promise<void>)[] = [];
  readonly #atLeave: (() => Promise<void>)[] = [];
  #loaded = false;
  #customized = false;
  #bootstrapped = false;
  #controllers: ReadonlySet<string> | undefined;
  #stopping = false;
  #leaving = false;

  constructor(inputs: ServerInputs) {
    this.#inputs = inputs;
    this.metrics = new ServerMetrics(inputs.now, (i) => this.catalog.find(i.group, i.version, i.resource));
    const { options } = inputs;
    chosenControllers(options.controllers);
    this.#processId = uuid(inputs.random);
    this.#startedAt = inputs.now();
    this.#slis = new HealthMetrics(this.#shownMetrics());
    const scheme = new Scheme(options.product);
    const rules: RuleContext = {
      product: options.product,
      gate: (name) => options.gates.enabled(name),
      now: inputs.now,
      allowPrivileged: options.allowPrivileged,
      certificates: RULE_TOOLS,
      namespaceLabels: (name) => {
        const namespace = this.registries.lister.get("namespaces", "", name);
        return namespace && (namespace.metadata.labels ?? {});
      },
    };
    this.catalog = builtinCatalog(scheme, options.runtime, options.storePrefix, rules.gate);
    const stores = inputs.stores ?? new Map<string, Backend>();
    const cached = cachedResources(scheme, rules, this.catalog.resources());
    this.cacher = new SeveralCachers(inputs.backend, stores, cached, {
      now: inputs.now,
      random: () => fraction(inputs.random),
      prefix: `${options.storePrefix}/`,
      timing: this.metrics.store.ended,
      onError: (e, id) => inputs.log("warn", `watch cache ${id || "log"} failed and is retried`, e),
    });
    const admission = this.#admission = new AdmissionChain([], this.metrics.admission);
    const tables: Record<string, Strategy> = {};
    this.registries = new Registries(
      this.catalog,
      this.cacher,
      {
        scheme,
        rules,
        backend: inputs.backend,
        stores,
        admission,
        garbageCollection: options.enableGarbageCollector,
        atRest: atRest(options.storageMediaType),
        customAtRest: options.gates.enabled("CBORServingAndStorage") ? "cbor" : "json",
        timing: this.metrics.store.ended,
        direct: uncachedReads(options.watchCache, options.watchCacheSizes),
        random: inputs.random,
      },
      Object.assign(
        tables,
        { [DEFINITIONS]: definitionStrategy(inputs.now) },
        strategies({
          eventTtlMs: options.eventTtl,
          escalation: () => this.#escalation(),
          claims: {
            product: options.product,
            gate: (name) => options.gates.enabled(name),
            authorizer: () => this.#security.authorizer,
          },
          services: {
            ranges: options.serviceClusterIpRange,
            nodePorts: options.serviceNodePortRange,
            addresses: () => this.registries.byId("ipaddresses.networking.k8s.io"),
            services: () => this.registries.byId("services")!,
            local: options.product.local,
            random: () => fraction(inputs.random),
          },
        }),
      ),
    );
    const { files, outside, now } = inputs;
    this.#security = makeSecurity(inputs, this.registries, this.cacher, this.metrics);
    const { authorizer, tokens, apiAudiences } = this.#security;
    const { lister, live } = this.registries;
    const configs = inputs.pluginConfigs ?? new Map();
    const hooks = hookDeps({
      scheme,
      rules,
      metrics: this.metrics.hooks,
      catalog: this.catalog,
      outside,
      certFile: options.proxyClientCertFile,
      keyFile: options.proxyClientKeyFile,
      stop: this.#stop.signal,
    });
    admission.install(buildAdmission(options, {
      lister,
      live,
      authorizer,
      configs,
      now,
      random: inputs.random,
      resourcesOf: (apiVersion, kind) => resourcesOf(this.catalog, apiVersion, kind),
      kinds: kindTools(scheme, rules),
      hooks,
    }));
    const proxy = outside.proxy();
    this.#stop.signal.addEventListener("abort", () => proxy.close(), { once: true });
    const subresources = {
      ...SUBRESOURCES,
      ...connections(beyondOf(options, files, outside, proxy)),
      "serviceaccounts/token": tokenRequests(tokenOptions(inputs, apiAudiences)),
    };
    const virtual = {
      ...VIRTUAL,
      ...reviews({ authorizer, tokens, apiAudiences }),
      "componentstatuses": componentStatuses((signal) => inputs.backend.health(signal)),
    };
    const media = mediaTypes(options.product, { cbor: rules.gate("CBORServingAndStorage"), protobuf: true });
    // Custom objects have no Protobuf form; their metadata has.
    const customMedia = [
      ...media.filter((m) => m.kind !== "protobuf"),
      ...media.filter((m) => m.kind === "protobuf").map((m) => ({ ...m, metadataOnly: true })),
    ];
    const places: AddressContext = {
      product: options.product,
      lister,
      options: options as unknown as Readonly<Record<string, unknown>>,
      random: (bytes) => inputs.random(bytes),
    };
    const customs = this.#customs = new CustomResources({
      scheme,
      catalog: this.catalog,
      cacher: this.cacher,
      registries: () => this.registries,
      strategies: tables,
      certificates: RULE_TOOLS,
      hooks: {
        ...places,
        transport: conversionTransport(hooks),
        metrics: this.metrics.conversions,
        now,
      },
      root: options.storePrefix,
      now,
      log: inputs.log,
      verbose: inputs.verbose,
    });
    const peers = this.#peers = makePeers(inputs, this.registries, proxy);
    this.#fields = new FieldOwnership(scheme, inputs.now);
    const api: Api = {
      scheme,
      catalog: this.catalog,
      admission,
      authorizer,
      fields: this.#fields,
      rules,
      tokens: new ContinueTokens(inputs.secret),
      media: (resource) => resource?.storageKind.custom ? customMedia : media,
      store: (resource) => this.registries.store(resource),
      printer: (resource, version) => customs.printer(resource, version) ?? printerFor(resource, options.product),
      loaded: (resource) => customs.loaded(resource),
      subresource: (resource, name) =>
        own(subresources, `${resource.id}/${name}`) ?? customs.subresource(resource, name),
      virtual: (resource) => own(virtual, resource.id),
      peers: peers.peers,
      minRequestTimeout: options.minRequestTimeout,
      deleteWorkers: options.deleteCollectionWorkers,
      random: () => fraction(inputs.random),
    };
    this.#aggregator = new Aggregator({
      addresses: places,
      transport: proxy,
      options,
      identity: files.proxyClient,
      gate: rules.gate,
      random: () => fraction(inputs.random),
      log: inputs.log,
    });
    const errors = new ErrorResponses(scheme, media, (e, id) => inputs.log("error", `request ${id} failed`, e));
    this.#auditing = auditingOf(inputs, this.metrics);
    const audit = this.#auditing && new AuditFilters(this.#auditing, options.product, errors, now);
    this.#versions = makeStorageVersions(inputs, scheme, this.catalog, this.registries);
    const { systemNamespace } = options.product;
    const filters = this.#filters = requestFilters(options, this.catalog, this.registries, now, audit);
    this.app = buildApp({
      early: inputs.verbose ? [httpLog(inputs.verbose, inputs.now), ...filters.early] : filters.early,
      api,
      authorizer: this.metrics.access.authorizing(authorizer),
      others: this.#aggregator,
      authenticate: this.metrics.access.authenticating(inputs.authenticate ?? this.#security.authenticate),
      errors,
      ...(inputs.tracing ? { around: verbSpans } : {}),
      filters: [
        ...(inputs.tracing ? [tracingFilter(inputs.tracing.tracer, errors)] : []),
        ...(audit ? [audit.known] : []),
        metricsFilter(this.metrics.requests, inputs.now),
        impersonationFilter(authorizer, options.product, rules.gate("ConstrainedImpersonation")),
        ...filters.admission,
        ...(this.#versions ? [storageVersionFilter(this.#versions, this.catalog, systemNamespace)] : []),
      ],
      paths: serverPaths({
        inputs,
        catalog: this.catalog,
        media,
        startedAt: this.#startedAt,
        returnsDeleted: (id, version) => returnsDeleted(this.registries.byId(id)?.strategy ?? {}, version),
        peers: peers.documents,
        checks: () => this.#checks(),
        metrics: this.metrics,
        slis: this.#slis,
        fairness: filters.fairness,
        others: this.#aggregator,
      }),
      now: inputs.now,
      auditId: () => uuid(inputs.random),
      tally: this.metrics.requests,
    });
    measure(inputs, {
      metrics: this.metrics,
      cacher: this.cacher,
      others: otherStores(inputs),
      extensions: this.#aggregator.registrations,
      fairness: filters.fairness,
      leading: this.#leading,
      peers: peers.metrics,
      lasting: () => filters.gate.lasting,
      shown: this.#shownMetrics(),
    }, this.#stop.signal);
  }

  /** Which metrics are shown. */
  #shownMetrics(): Omit<ShownOptions, "about"> {
    const { options, metricLabels } = this.#inputs;
    return {
      version: BINARY_VERSION,
      disabled: options.disabledMetrics,
      showHidden: options.showHiddenMetricsForVersion !== "",
      allowed: metricLabels ?? new Map(),
    };
  }

  /** Answers a request of a connection. */
  fetch(request: Request, connection: Connection): Response | Promise<Response> {
    return this.app.fetch(request, { connection });
  }

  /** Answers a request for a page of `/debug/`, whoever asks. */
  async debug(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const pages = serverDebugPaths(this.#inputs, this.#startedAt, () => []);
    const below = `${pathname.slice(0, pathname.lastIndexOf("/"))}/*`;
    const handler = pathname.startsWith("/debug/") ? pages.get(pathname) ?? pages.get(below) : undefined;
    return handler ? await handler({ info: { path: pathname }, request }) : pageNotFound();
  }

  /** What checks on writes of roles ask. */
  #escalation(): EscalationContext {
    const { rbac, authorizer } = this.#security;
    rbac.refresh();
    const group = this.#inputs.options.product.local("rbac.authorization.k8s.io");
    return { rbac: rbac.inner, authorizer, group };
  }

  /** Loads the caches and makes the first content; resolves when the server is ready. */
  async start(): Promise<void> {
    const ticks = setInterval(() => this.#filters.deadlines.tick(this.#inputs.now()), 1000);
    this.#stop.signal.addEventListener("abort", () => clearInterval(ticks), { once: true });
    this.cacher.start(this.#stop.signal).catch((e) => this.#inputs.log("error", "the watch caches stopped", e));
    await this.cacher.whenReady(API_SERVICES);
    this.#loaded = true;
    this.#aggregator.start(this.registries.byId(API_SERVICES), this.#stop.signal);
    await this.#customs.start(this.#stop.signal);
    this.#customized = true;
    await makeFirstContent(this.#inputs, {
      catalog: this.catalog,
      cacher: this.cacher,
      registries: this.registries,
      fields: this.#fields,
      peerAddress: this.#peers.address,
      processId: this.#processId,
      byRbac: this.#security.byRbac,
    });
    this.#bootstrapped = true;
    await this.#versions?.start(this.#stop.signal);
    this.#peers.peers?.start(this.#stop.signal);
    this.#startControllers();
  }

  /** Starts what works by itself inside the server; it ends with {@linkcode stop}. */
  #startControllers(): void {
    if (this.#stop.signal.aborted) return;
    const { options, backend, address, hostname, files, now, random, log, verbose } = this.#inputs;
    const { product, controllers } = options;
    const started = startControllers(
      {
        product,
        catalog: this.catalog,
        registries: this.registries,
        backend,
        admission: this.#admission,
        options,
        hostname,
        port: address.port,
        peerAddress: this.#peers.address,
        serviceAddress: serviceAddress(this.#inputs),
        leaving: () => this.#leaving,
        processId: this.#processId,
        servingCa: files.servingCa,
        extensions: this.#aggregator,
        trust: () => trustOf(this.#inputs),
        now,
        random: () => fraction(random),
        gate: (name) => options.gates.enabled(name),
        queues: this.metrics.queues,
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
  }

  #checks(): HealthCheck[] {
    const { options, backend, now } = this.#inputs;
    const at = ["livez", "readyz", "healthz"] as const;
    const encryption = this.#inputs.encryption?.checks().map((c): HealthCheck => ({ ...c, of: at })) ?? [];
    return encryption.concat(healthChecks({
      product: options.product,
      rbac: this.#security.byRbac,
      fairness: this.#filters.fairness !== undefined,
      peers: { found: this.#peers.address !== undefined, finds: this.#peers.peers !== undefined },
      controllers: this.#controllers ?? new Set(),
      progress: {
        filters: true,
        caches: this.#loaded,
        customs: this.#customized,
        content: this.#bootstrapped,
        versions: this.#versions?.complete,
        controllers: this.#controllers !== undefined,
      },
      cachesReady: this.cacher.ready().every((c) => c.ready),
      stopping: this.#stopping,
      healthTimeout: options.storeHealthcheckTimeout,
      readyTimeout: options.storeReadycheckTimeout,
      inGrace: now() - this.#startedAt < options.livezGracePeriod,
      store: (signal) => backend.health(signal),
      otherStores: otherStores(this.#inputs).map((other) => (signal) => other.health(signal)),
    }));
  }

  /** `/readyz` fails from here on. */
  drain(): void {
    this.#stopping = true;
  }

  /** From here on new requests are told to come again, at another server. */
  refuse(): void {
    this.#filters.gate.refuse();
  }

  /** Resolves when no short request is at work, or after so many ms. */
  idle(ms: number): Promise<void> {
    return this.#filters.gate.idle(ms);
  }

  /** Ends watches and other requests that last. */
  endLasting(): void {
    this.#filters.gate.endLasting();
  }

  /** Gives up leases and stores what is still to be stored of audit events, and sends spans. No request may be at work. */
  async flush(): Promise<void> {
    const log = (e: unknown) => this.#inputs.log("warn", "some work at the end of the server failed", e);
    await allWithin(END_MS, this.#atEnd.splice(0), log);
    await Promise.all([this.#auditing?.sink.close(), this.#inputs.tracing?.close(END_MS)]);
  }

  /** Tells its peers that it goes, from now on: they ask it no more. Waits for the store for so many ms at most. */
  async leave(ms: number): Promise<void> {
    this.#leaving = true;
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

/** Which encoding `--storage-media-type` names. */
function atRest(type: string): "json" | "yaml" | "protobuf" {
  return type.endsWith("json") ? "json" : type.endsWith("yaml") ? "yaml" : "protobuf";
}

/** A table's own row. */
const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
