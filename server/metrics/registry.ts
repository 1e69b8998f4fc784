/** Metrics of one server under the public server's names. */
import { Gauge, Registry } from "prom-client";
import { AdmissionCounts } from "../admission/counts.ts";
import { PluginTimes } from "../admission/times.ts";
import { HookMetrics } from "../admission/webhooks/metrics.ts";
import { AuthorizationMetrics } from "../authorization/metrics.ts";
import { AccessMetrics } from "./access.ts";
import { StoreRequests } from "./store_requests.ts";
import type { Sample } from "./buckets.ts";
import type { DerivedMetric } from "./by_labels.ts";
import { ConversionMetrics } from "./conversions.ts";
import { ExpressionMetrics } from "./expressions.ts";
import { ImpersonationMetrics } from "./impersonation.ts";
import { QueueMetrics } from "./queues.ts";
import { type FindServed, RequestTally } from "./requests.ts";
import { ServiceAccountMetrics } from "./service_accounts.ts";
import { ShownMetrics, type ShownOptions } from "./shown.ts";
import { TokenCacheMetrics } from "./token_cache.ts";

/** What the filters and the endpoints count. */
export class ServerMetrics {
  readonly registry = new Registry();
  /** Requests answered. */
  readonly requests: RequestTally;
  /** How long admission plugins take. */
  readonly admission: PluginTimes;
  /** What policies and Pod Security come to. */
  readonly plugins = new AdmissionCounts();
  /** What admission webhooks come to. */
  readonly hooks = new HookMetrics();
  /** What conversion webhooks come to. */
  readonly conversions = new ConversionMetrics();
  /** How long expressions of custom kinds take. */
  readonly expressions: ExpressionMetrics;
  /** Who was known, and let in. */
  readonly access: AccessMetrics;
  /** Who was somebody else. */
  readonly impersonation: ImpersonationMetrics;
  /** Which tokens of service accounts were used. */
  readonly serviceAccounts = new ServiceAccountMetrics();
  /** Which authorizers decided, and what their webhooks come to. */
  readonly authorization = new AuthorizationMetrics();
  /** What caches of tokens come to. */
  readonly tokenCaches: TokenCacheMetrics;
  /** What stores are asked for. */
  readonly store = new StoreRequests();
  /** What queues of controllers come to. */
  readonly queues: QueueMetrics;
  #shown: ShownMetrics | undefined;

  /** @param now the clock that plugins and access are timed by, ms */
  constructor(now: () => number, find: FindServed) {
    this.requests = new RequestTally(find);
    this.expressions = new ExpressionMetrics(now);
    this.access = new AccessMetrics(now);
    this.impersonation = new ImpersonationMetrics(now);
    this.queues = new QueueMetrics(now);
    this.tokenCaches = new TokenCacheMetrics(now);
    this.admission = new PluginTimes(now);
    this.#derived(
      "apiserver_request_total",
      "Requests answered, by verb, dry run, resource, scope and HTTP code",
      "counter",
      (name) => this.requests.totals(name),
    );
    this.#derived(
      "apiserver_request_duration_seconds",
      "Time from the request's coming to its answer's head, in seconds",
      "histogram",
      (name) => this.requests.durations(name),
    );
    this.#derived(
      "apiserver_current_inflight_requests",
      "Requests being worked on now, by kind",
      "gauge",
      (name) => this.requests.atWork(name),
    );
    this.derived([
      ...this.requests.rows(),
      ...this.access.rows(),
      ...this.impersonation.rows(),
      ...this.serviceAccounts.rows(),
      ...this.authorization.rows(),
      ...this.tokenCaches.rows(),
      ...this.queues.rows(),
      ...this.admission.rows(),
      ...this.plugins.rows(),
      ...this.hooks.rows(),
      ...this.conversions.rows(),
      ...this.expressions.rows(),
    ]);
  }

  /** Metrics that are counted elsewhere and asked for when they are read. */
  derived(rows: readonly DerivedMetric[]): void {
    for (const { name, help, type, samples } of rows) this.#derived(name, help, type, samples);
  }

  /** A metric that is counted elsewhere and asked for when it is read. */
  #derived(name: string, help: string, type: string, values: (name: string) => Sample[]): void {
    if (this.#shown) throw new Error(`the metric ${name} came after it was settled what is shown`);
    const get = () => Promise.resolve({ name, help, type, aggregator: "sum", values: values(name) });
    this.registry.registerMetric({ name, get, reset: () => {} } as unknown as Gauge);
  }

  /** A gauge or counter whose values are counted elsewhere and asked for when it is read. */
  figure(
    name: string,
    help: string,
    type: "gauge" | "counter",
    read: () => readonly (readonly [labels: Record<string, string>, value: number])[],
  ): void {
    this.#derived(name, help, type, () => read().map(([labels, value]) => ({ metricName: name, labels, value })));
  }

  /** Shows those that are there now, as the options say. */
  show(options: Omit<ShownOptions, "about">): void {
    this.#shown = new ShownMetrics(this.registry, { ...options, about: true });
  }

  /** A gauge whose values are asked for when it is read. */
  gauge(
    name: string,
    help: string,
    labelNames: string[],
    collect: (set: (labels: Record<string, string>, v: number) => void) => void,
  ) {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
      collect() {
        this.reset();
        collect((labels, value) => this.set(labels, value));
      },
    });
  }

  /** All that is shown, as text. */
  text(): Promise<string> {
    return this.#shown?.text() ?? Promise.resolve("");
  }

  /** All that is shown, as Protobuf messages. */
  protobuf(): Promise<Uint8Array> {
    return this.#shown?.protobuf() ?? Promise.resolve(new Uint8Array());
  }

  /** Counters and histograms count from nothing again. */
  async reset(): Promise<void> {
    await this.#shown?.reset();
  }
}
