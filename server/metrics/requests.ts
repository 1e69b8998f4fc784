/** Requests and how long they took, by verb, resource, scope and code: counted in plain numbers, read as metrics. */
import type { RequestScope } from "../request.ts";
import { Buckets, type Sample } from "./buckets.ts";

const SECONDS = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];
const READ = new Set(["get", "list", "watch"]);

/** Paths that are no resource, or none that is served. */
const UNSERVED = {};

/** Requests with equal labels. */
interface Row {
  readonly labels: Readonly<Record<string, string>>;
  readonly codes: Map<number, number>;
  readonly times: Buckets;
}

/** See the top of the file. There are as many rows as served resources times verbs: paths that are not served share theirs. */
export class RequestTally {
  readonly #rows = new Map<string, Row>();
  /** The same, by what is served. */
  readonly #of = new WeakMap<object, Map<string, Row>>();
  /** At work now. */
  readonly #inflight = { readOnly: 0, mutating: 0 };

  /** A request came. */
  begin(scope: RequestScope): void {
    this.#inflight[kindOf(scope)]++;
  }

  /** It was answered so many ms after it came. */
  end(scope: RequestScope, code: number, ms: number): void {
    this.#inflight[kindOf(scope)]--;
    const { codes, times } = this.#row(scope);
    codes.set(code, (codes.get(code) ?? 0) + 1);
    if (scope.info.verb !== "watch") times.add(ms / 1000);
  }

  #row(scope: RequestScope): Row {
    const { info, served } = scope;
    const verb = metricVerb(scope);
    const dry = scope.query.get("dryRun") === "All" ? "All" : "";
    const of = served ?? UNSERVED;
    let rows = this.#of.get(of);
    if (!rows) this.#of.set(of, rows = new Map());
    // What a path that is not served names is the client's: it is no label.
    const key = `${verb} ${dry} ${served ? info.subresource : ""} ${scopeOf(scope)}`;
    let row = rows.get(key);
    if (!row) rows.set(key, row = this.#kept(scope, dry));
    return row;
  }

  /** The row of labels: a custom resource that is defined anew has those of before. */
  #kept(scope: RequestScope, dry: string): Row {
    const { verb, ...rest } = requestLabels(scope);
    const labels = { verb: verb!, dry_run: dry, ...rest };
    const key = Object.values(labels).join(" ");
    let row = this.#rows.get(key);
    if (!row) this.#rows.set(key, row = { labels, codes: new Map(), times: new Buckets(SECONDS) });
    return row;
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
    return Object.entries(this.#inflight).map(([request_kind, value]) => ({
      metricName: metric,
      labels: { request_kind },
      value,
    }));
  }
}

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
export function requestLabels(scope: RequestScope): Record<string, string> {
  const { info, served } = scope;
  return {
    verb: metricVerb(scope),
    group: served ? info.group : "",
    version: served ? info.version : "",
    resource: served ? info.resource : "",
    subresource: served ? info.subresource : "",
    scope: scopeOf(scope),
    component: "apiserver",
  };
}

function scopeOf({ info, served }: RequestScope): string {
  if (!served) return "";
  if (info.name !== "" || info.verb === "create") return "resource";
  return info.namespace !== "" ? "namespace" : "cluster";
}
