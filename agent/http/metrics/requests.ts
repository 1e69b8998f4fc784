/** How many requests the servers were asked, and how long they took. */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** Which server: one that asks who it is, or not. */
export type ServerType = "readwrite" | "readonly";

const METHODS: ReadonlySet<string> = new Set(["OPTIONS", "GET", "HEAD", "POST", "PUT", "DELETE", "TRACE", "CONNECT"]);
const LONG: ReadonlySet<string> = new Set(["exec", "attach", "portforward", "debug"]);
const LABELS = ["method", "path", "server_type", "long_running"] as const;

/** A request came; what is returned is called at its end. */
export type RequestCount = (method: string, path: string) => () => void;

/** See the top of the file. */
export class RequestMetrics {
  readonly #total;
  readonly #duration;
  readonly #inflight;

  constructor(registry: Registry) {
    const of = (name: string, help: string) => ({ name, help, labelNames: LABELS, registers: [registry] });
    this.#total = new Counter(
      of("kubelet_http_requests_total", "Requests since the start"),
    );
    this.#duration = new Histogram({
      ...of("kubelet_http_requests_duration_seconds", "How long requests take, s"),
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    });
    this.#inflight = new Gauge(of("kubelet_http_inflight_requests", "Requests at work now"));
  }

  /** Counts those of a server. @param paths of its routes: others are counted as `other` */
  of(server_type: ServerType, paths: readonly string[]): RequestCount {
    const known = new Set(paths.map(rootOf));
    return (asked, path) => {
      const root = rootOf(path), bucket = known.has(root) ? root : "other";
      const method = METHODS.has(asked) ? asked : "other";
      const labels = { long_running: String(LONG.has(bucket)), method, path: bucket, server_type };
      this.#total.inc(labels);
      this.#inflight.inc(labels);
      const end = this.#duration.startTimer(labels);
      return () => {
        end();
        this.#inflight.dec(labels);
      };
    };
  }
}

/** Counts WebSockets of streams. */
export function socketCounter(registry: Registry): (subresource: string) => void {
  const counter = new Counter({
    name: "kubelet_websocket_streaming_requests_total",
    help: "Total number of WebSocket streaming requests (exec/attach/portforward) received by the kubelet.",
    labelNames: ["subresource"],
    registers: [registry],
  });
  return (subresource) => counter.inc({ subresource });
}

/** What a path begins with: `exec`, `metrics/resource`. */
function rootOf(path: string): string {
  const [first = "", second = ""] = path.replace(/^\//, "").split("/");
  return first === "metrics" && second !== "" ? `${first}/${second}` : first;
}
