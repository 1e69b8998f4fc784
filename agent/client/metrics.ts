/** Figures of requests to the API server. */
import type { Registry } from "prom-client";
import { Metrics } from "../metrics.ts";

const TIMES = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
const BYTES = [64, 256, 512, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216];
/** In the place of a status where there was no answer. */
const NONE = "<error>";

/** One request. */
export interface RequestFigures {
  /** Its answer begins. */
  answered(status: number): void;
  /** It is over. @param bytes of its answer; undefined: there is none to measure, as of a watch */
  over(bytes: number | undefined): void;
}

/** See the top of the file. */
export class ClientMetrics {
  readonly #requests;
  readonly #times;
  readonly #sent;
  readonly #received;

  constructor(registry: Registry) {
    const m = new Metrics(registry);
    this.#requests = m.counter(
      "rest_client_requests_total",
      "Requests to the API server, by status, method and host.",
      "code",
      "host",
      "method",
    );
    this.#times = m.histogram(
      "rest_client_request_duration_seconds",
      "How long requests to the API server take, by method and host, s.",
      TIMES,
      "host",
      "verb",
    );
    const bytes = (what: string) =>
      m.histogram(
        `rest_client_${what}_size_bytes`,
        `${what.replace(/^./, (c) => c.toUpperCase())} size in bytes. Broken down by verb and host.`,
        BYTES,
        "host",
        "verb",
      );
    this.#sent = bytes("request");
    this.#received = bytes("response");
  }

  /** A request begins. @param server its URL @param bytes of its body */
  begin(server: string, verb: string, bytes: number): RequestFigures {
    const { host } = new URL(server), end = this.#times.startTimer({ host, verb });
    let isAnswered = false;
    const count = (code: string) => this.#requests.inc({ code, host, method: verb });
    this.#sent.observe({ host, verb }, bytes);
    return {
      answered(status) {
        isAnswered = true;
        count(String(status));
      },
      over: (received) => {
        if (!isAnswered) count(NONE);
        if (received === undefined) return;
        end();
        this.#received.observe({ host, verb }, received);
      },
    };
  }
}
