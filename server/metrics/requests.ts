/** Requests and how long they took, by verb, resource, scope and code: counted in plain numbers, read as metrics. */
import { EventMetrics } from "./events.ts";
import type { EventTally, ListRead, RequestInfo, RequestScope, ServedResource, Tally } from "../request.ts";
import { Buckets, type Sample } from "./buckets.ts";
import { ByLabels, counterOf, type DerivedMetric, histogramOf } from "./by_labels.ts";
import { ListMetrics } from "./lists.ts";

const SECONDS = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];
/** Of times that the server itself takes. */
const OWN_SECONDS = SECONDS.slice(2);
/** Of watches that begin with all objects. */
const LISTED_SECONDS = [...SECONDS.slice(2), 90, 120, 180, 300];
const BYTES = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
/** Of what is sent, to the most that is taken. */
const BODY_BYTES = Array.from({ length: 31 }, (_, i) => 50_000 + i * 100_000);
const READ = new Set(["get", "list", "watch"]);
/** Verbs whose bodies are looked into for unknown fields, and the ways of doing that. */
const VALIDATED = new Set(["create", "update", "patch"]), VALIDATIONS = new Set(["", "Ignore", "Strict", "Warn"]);

/** Paths that are no resource, or none that is served. */
const UNSERVED = {};

/** Requests with equal labels. */
interface Row {
  readonly labels: Readonly<Record<string, string>>;
  readonly codes: Map<number, number>;
  readonly times: Buckets;
  /** Without what the server waited for; undefined for dry runs. */
  readonly own: Buckets | undefined;
  /** Of answers that are read; undefined for other verbs. */
  readonly sizes: Buckets | undefined;
  /** Of bodies that are sent, whatever the part of the resource; undefined for other verbs. */
  readonly bodies: Buckets | undefined;
}

/** See the top of the file. There are as many rows as served resources times verbs: paths that are not served share theirs. */
export class RequestTally implements Tally {
  readonly #rows = new Map<string, Row>();
  /** The same, by what is served. */
  readonly #of = new WeakMap<object, Map<string, Row>>();
  /** At work now. */
  readonly #inflight = { readOnly: 0, mutating: 0 };
  /** In queues now. */
  readonly #queued = { readOnly: 0, mutating: 0 };
  readonly #validated = new ByLabels(() => new Buckets(OWN_SECONDS));
  readonly #terminated = new ByLabels(() => 0);
  readonly #deprecated = new ByLabels(() => 1);
  readonly #listed = new ByLabels(() => new Buckets(LISTED_SECONDS));
  readonly #bodies = new ByLabels(() => new Buckets(BODY_BYTES));
  readonly #events = new EventMetrics();
  readonly #lists = new ListMetrics();
  readonly #find: FindServed;

  /** @param find what is served of what a request names, for those that are ended before that is looked up */
  constructor(find: FindServed) {
    this.#find = find;
  }

  /** A request came. */
  begin(scope: RequestScope): void {
    this.#inflight[kindOf(scope)]++;
  }

  /** It was answered so many ms after it came. */
  end(scope: RequestScope, code: number, ms: number): void {
    this.#inflight[kindOf(scope)]--;
    const { codes, times, own, sizes, bodies } = this.#row(scope);
    codes.set(code, (codes.get(code) ?? 0) + 1);
    if (scope.bodySize !== undefined) bodies?.add(scope.bodySize);
    if (scope.info.verb === "watch") return;
    times.add(ms / 1000);
    if (VALIDATED.has(scope.info.verb)) {
      this.#validated.at({ field_validation: validationOf(scope) }).value.add(ms / 1000);
    }
    own?.add((ms - (scope.waitedMs ?? 0)) / 1000);
    if (scope.size !== undefined) sizes?.add(scope.size);
  }

  sent(scope: RequestScope, bytes: number): void {
    this.#row(scope).sizes?.add(bytes);
  }

  terminated(scope: RequestScope, code: number): void {
    this.#terminated.at({ ...requestLabels(scope, this.#served(scope)), code: String(code) }).value++;
  }

  waiting(scope: RequestScope, waits: boolean): void {
    const kind = kindOf(scope), n = waits ? 1 : -1;
    this.#queued[kind] += n;
    this.#inflight[kind] -= n;
  }

  deprecated({ info }: RequestScope, served: ServedResource, removedRelease: string): void {
    const { group, version, resource } = info;
    const subresource = served.subresources.has(info.subresource) ? info.subresource : "";
    this.#deprecated.at({ group, version, resource, subresource, removed_release: removedRelease });
  }

  listed(scope: RequestScope, ms: number): void {
    const { group = "", version = "", resource = "", scope: of = "" } = requestLabels(scope);
    this.#listed.at({ group, version, resource, scope: of }).value.add(ms / 1000);
  }

  read(served: ServedResource, read: ListRead): void {
    this.#lists.read(served, read);
  }

  events(served: ServedResource): EventTally {
    return this.#events.of(served);
  }

  /** What a request is for, where that is served; of parts that are not, nothing is: their names are the client's. */
  #served(scope: RequestScope): ServedResource | undefined {
    if (scope.served || !scope.info.isResource) return scope.served;
    const served = this.#find(scope.info), { subresource } = scope.info;
    return served && (subresource === "" || served.subresources.has(subresource)) ? served : undefined;
  }

  #row(scope: RequestScope): Row {
    const { info } = scope, served = this.#served(scope);
    const verb = metricVerb(scope);
    const dry = scope.query.get("dryRun") === "All" ? "All" : "";
    const of = served ?? UNSERVED;
    let rows = this.#of.get(of);
    if (!rows) this.#of.set(of, rows = new Map());
    // What a path that is not served names is the client's: it is no label.
    const key = `${verb} ${dry} ${served ? info.subresource : ""} ${scopeOf(info, served)}`;
    let row = rows.get(key);
    if (!row) rows.set(key, row = this.#kept(scope, served, dry));
    return row;
  }

  /** The row of labels: a custom resource that is defined anew has those of before. */
  #kept(scope: RequestScope, served: ServedResource | undefined, dry: string): Row {
    const { verb, ...rest } = requestLabels(scope, served);
    const labels = { verb: verb!, dry_run: dry, ...rest };
    const key = Object.values(labels).join(" ");
    let row = this.#rows.get(key);
    if (!row) {
      const own = dry === "" ? new Buckets(OWN_SECONDS) : undefined;
      const sizes = SIZED.has(labels.verb) ? new Buckets(BYTES) : undefined;
      const bodies = served && this.#bodiesOf(scope);
      this.#rows.set(key, row = { labels, codes: new Map(), times: new Buckets(SECONDS), own, sizes, bodies });
    }
    return row;
  }

  #bodiesOf({ info: { group, resource, verb } }: RequestScope): Buckets | undefined {
    const name = BODIES.get(verb);
    return name === undefined ? undefined : this.#bodies.at({ group, resource, verb: name }).value;
  }

  /** Requests answered, a line for each code. */
  totals(metric: string): Sample[] {
    return [...this.#rows.values()].flatMap(({ labels, codes }) =>
      [...codes].map(([code, value]) => ({ metricName: metric, labels: { ...labels, code: String(code) }, value }))
    );
  }

  /** The histogram of durations. */
  durations(metric: string): Sample[] {
    return [...this.#rows.values()].flatMap(({ labels, times }) =>
      times.count === 0 ? [] : times.samples(metric, labels)
    );
  }

  /** Requests at work now, by kind. */
  atWork(metric: string): Sample[] {
    return byKind(this.#inflight)(metric);
  }

  #histogram(of: (row: Row) => Buckets | undefined): (metric: string) => Sample[] {
    return (metric) =>
      [...this.#rows.values()].flatMap((row) => {
        const { dry_run: _, ...labels } = row.labels, buckets = of(row);
        return buckets && buckets.count > 0 ? buckets.samples(metric, labels) : [];
      });
  }

  /** Metrics beside those of all requests. */
  rows(): readonly DerivedMetric[] {
    return [
      {
        name: "apiserver_request_sli_duration_seconds",
        help: "Time to the answer's head without what was waited for, admission webhooks and queues, in seconds",
        type: "histogram",
        samples: this.#histogram((row) => row.own),
      },
      {
        name: "apiserver_current_inqueue_requests",
        help: "Requests waiting in queues now, by kind",
        type: "gauge",
        samples: byKind(this.#queued),
      },
      {
        name: "field_validation_request_duration_seconds",
        help: "Time to the answer's head of writes, by what is done about unknown fields, in seconds",
        type: "histogram",
        samples: histogramOf(this.#validated),
      },
      {
        name: "apiserver_response_sizes",
        help: "Bytes of what was read",
        type: "histogram",
        samples: this.#histogram((row) => row.sizes),
      },
      {
        name: "apiserver_request_body_size_bytes",
        help: "Bytes of what was sent",
        type: "histogram",
        samples: histogramOf(this.#bodies),
      },
      {
        name: "apiserver_request_terminations_total",
        help: "Requests ended in self-defence: not let in, or over their time",
        type: "counter",
        samples: counterOf(this.#terminated),
      },
      {
        name: "apiserver_requested_deprecated_apis",
        help: "1 for each API on its way out that was asked for, with the release that removes it",
        type: "gauge",
        samples: counterOf(this.#deprecated),
      },
      {
        name: "apiserver_watch_list_duration_seconds",
        help: "Time until watches that begin with all objects had been sent those",
        type: "histogram",
        samples: histogramOf(this.#listed),
      },
      ...this.#events.rows(),
      ...this.#lists.rows(),
    ];
  }
}

function byKind(counts: Readonly<Record<string, number>>): (metric: string) => Sample[] {
  return (metricName) =>
    Object.entries(counts).map(([request_kind, value]) => ({ metricName, labels: { request_kind }, value }));
}

function validationOf({ query }: RequestScope): string {
  const asked = query.get("fieldValidation") ?? "";
  return VALIDATIONS.has(asked) ? asked : "invalid";
}

/** What is served of what a request names. */
export type FindServed = (info: RequestInfo) => ServedResource | undefined;

/** Verbs whose bodies are measured, and what they are called there. */
const BODIES: ReadonlyMap<string, string> = new Map([
  ...["create", "update", "patch", "delete"].map((verb) => [verb, verb] as const),
  ["deletecollection", "delete_collection"],
]);
/** Verbs whose answers are measured. */
const SIZED = new Set(["GET", "LIST"]);

/** What a verb is called in metrics: by its method, but for reads. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["get", "GET"],
  ["list", "LIST"],
  ["watch", "WATCH"],
  ["create", "POST"],
  ["update", "PUT"],
  ["patch", "PATCH"],
  ["delete", "DELETE"],
  ["deletecollection", "DELETE"],
]);
/** Subresources that are ways to a node. */
const CONNECTS = new Set(["attach", "exec", "log", "portforward", "proxy"]);
/** A client may invent methods: they are one. */
const METHODS: ReadonlyMap<string, string> = new Map([
  ["GET", "GET"],
  ["HEAD", "GET"],
  ["POST", "POST"],
  ["PUT", "PUT"],
  ["PATCH", "PATCH"],
  ["DELETE", "DELETE"],
]);
const APPLY = "application/apply-patch+yaml";

/** What the verb of a request is called in metrics. */
export function metricVerb({ info, request }: RequestScope): string {
  if (!info.isResource) return METHODS.get(request.method) ?? "other";
  if (info.subresource !== "" && CONNECTS.has(info.subresource)) return "CONNECT";
  if (info.verb === "patch" && request.headers.get("content-type") === APPLY) return "APPLY";
  return NAMES.get(info.verb) ?? "other";
}

const kindOf = ({ info }: RequestScope): "readOnly" | "mutating" => READ.has(info.verb) ? "readOnly" : "mutating";

/** What a request is in metrics. */
export function requestLabels(scope: RequestScope, served = scope.served): Record<string, string> {
  const { info } = scope;
  return {
    verb: metricVerb(scope),
    group: served ? info.group : "",
    version: served ? info.version : "",
    resource: served ? info.resource : "",
    subresource: served ? info.subresource : "",
    scope: scopeOf(info, served),
    component: "apiserver",
  };
}

function scopeOf(info: RequestInfo, served: ServedResource | undefined): string {
  if (!served) return "";
  if (info.name !== "" || info.verb === "create") return "resource";
  return info.namespace !== "" ? "namespace" : "cluster";
}
