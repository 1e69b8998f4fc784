/** The API server's client: one for the whole agent. */
import type { Connection } from "../../schema/connection.ts";
import { CredentialPrograms } from "../../schema/credential_program.ts";
import type { LogLine, Verbose } from "../../schema/log/log.ts";
import type { Product } from "../../schema/product.ts";
import type { RandomBytes } from "../../schema/values/random.ts";
import { KIND, type SpanAttributes } from "../../schema/tracing/span.ts";
import { withoutEnd } from "../../schema/values/ends.ts";
import { NO_TRACES, type Traces } from "../tracing/traces.ts";
import type { Api, ApiRequest, Clock, Follower } from "../types.ts";
import { Answer } from "./answers.ts";
import { exchange, StaleConnection, type Taker } from "./exchange.ts";
import { follow } from "./follow.ts";
import { type Body, type Media, mediaOf, type WatchEvent } from "./media.ts";
import type { ClientMetrics } from "./metrics.ts";
import { type Pace, paceOf } from "./pace.ts";
import { type Line, Pool } from "./pool.ts";
import { runProgram } from "../../host/run_program.ts";
import { WatchTaker } from "./watch_taker.ts";
import { OutOfTime, within } from "./within.ts";

export { connectionFile } from "./connection_file.ts";
export { ClientMetrics } from "./metrics.ts";
export { growing } from "./pauses.ts";
export { within } from "./within.ts";

/** What a client is made with. */
export interface ApiOptions {
  readonly product: Product;
  /** Of the agent, for the server's records: `v1.37.0`. */
  readonly version: string;
  /** Requests a second, and at once after a quiet time. 0: 50 and 100; negative: no limit. */
  readonly orchApiQps: number;
  readonly orchApiBurst: number;
  readonly orchApiContentType: string;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: LogLine;
  /** Told of each request, module `client`; absent: nobody wants that. */
  readonly verbose?: Verbose;
  /** Absent: nothing is traced. */
  readonly traces?: Traces;
  /** Absent: nobody reads figures. */
  readonly metrics?: ClientMetrics;
}

/** How fast and how long a client asks. */
export interface Pacing {
  /** Requests a second; not positive: no limit. */
  readonly qps: number;
  readonly burst: number;
  /** Time of a request, ms. */
  readonly timeoutMs: number;
}

/** The API of one server. */
export interface ApiClient extends Api {
  /** A client at a pace of its own, without more as fast as this one, by the same connections. */
  paced(pacing?: Pacing): Api;
  /** Ends all connections: the next requests open new ones, with the credentials of then. */
  renew(): void;
}

type Verb = Parameters<Api["request"]>[0];
type Query = Readonly<Record<string, string>>;

/** What clients of one server share. */
interface Shared {
  readonly pool: Pool;
  readonly media: Media;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: LogLine;
  readonly verbose: Verbose | undefined;
  readonly traces: Traces;
  readonly metrics: ClientMetrics | undefined;
}

const PACING: Pacing = { qps: 50, burst: 100, timeoutMs: 60_000 };
/** A watch may take so much longer than it was to, ms. */
const WATCH_SLACK_MS = 30_000;
/** So often is a server asked again that says when, and no later than after so many seconds. */
const MAX_AGAIN = 10;
const MAX_AFTER_S = 60;
/** Level of the lines about requests. */
const TOLD_LEVEL = 6;

/** A client of the server that the connection names, which is asked for it before each request. */
export function openApi(connection: () => Connection, o: ApiOptions): ApiClient {
  const { clock, random, log, version } = o;
  const programs = new CredentialPrograms(runProgram, () => clock.now());
  const pool = new Pool({
    shown: (signal) => programs.by(connection(), signal),
    refused: (by) => programs.refused(by),
  });
  const shared: Shared = {
    pool,
    media: mediaOf(o.product, o.orchApiContentType),
    userAgent: `orchlet/${version}`,
    clock,
    random,
    log,
    verbose: o.verbose,
    traces: o.traces ?? NO_TRACES,
    metrics: o.metrics,
  };
  const own = { ...PACING, qps: o.orchApiQps || PACING.qps, burst: o.orchApiBurst || PACING.burst };
  const client = new Client(shared, own);
  return {
    request: client.request.bind(client),
    follow: client.follow.bind(client),
    paced: (pacing = own) => new Client(shared, pacing),
    renew: () => pool.renew(),
  };
}

class Client implements Api {
  readonly #shared: Shared;
  readonly #pace: Pace;
  readonly #timeoutMs: number;

  constructor(shared: Shared, { qps, burst, timeoutMs }: Pacing) {
    this.#shared = shared;
    this.#pace = paceOf(qps, burst, shared.clock);
    this.#timeoutMs = timeoutMs;
  }

  async request<T>(verb: Verb, path: string, o: ApiRequest = {}): Promise<T> {
    const { media, clock } = this.#shared;
    const body = o.body === undefined ? undefined : media.encode(o.body, o.patch);
    const given = o.signal ?? new AbortController().signal;
    for (let again = 0;; again++) {
      await this.#pace.turn(given);
      const answer = await this.#ask(verb, target(path, o.query), body, given);
      if (answer.ok) return answer.object(media) as T;
      const error = answer.error(media);
      const busy = error.code === 429 || error.code >= 500;
      if (!busy || answer.retryAfter === undefined || again === MAX_AGAIN) throw error;
      await clock.wait(Math.min(answer.retryAfter, MAX_AFTER_S) * 1000, given);
      given.throwIfAborted();
    }
  }

  follow<T>(path: string, query: Query, to: Follower<T>, signal: AbortSignal): Promise<void> {
    const { clock, random, log } = this.#shared;
    const list = (at: string, asked: Query, by: AbortSignal) => this.request("GET", at, { query: asked, signal: by });
    return follow({ clock, random, log, list, watch: this.#watch.bind(this) }, path, query, to, signal);
  }

  /**
   * One exchange; once more for each kept connection that the server had closed meanwhile, where nothing can have happened twice: a
   * new connection is never stale.
   */
  async #ask(verb: Verb, path: string, body: Body | undefined, given: AbortSignal): Promise<Answer> {
    const { pool, clock } = this.#shared;
    const late = `${verb} ${path}: no answer within ${this.#timeoutMs / 1000} s`;
    const asked = async (signal: AbortSignal): Promise<Answer> => {
      const line = await pool.line(signal);
      for (;;) {
        const answer = new Answer();
        try {
          await this.#exchange(line, verb, path, body, answer, false, signal);
          return answer;
        } catch (e) {
          if (!(e instanceof StaleConnection) || verb !== "GET") throw e;
        }
      }
    };
    try {
      return await within(clock, this.#timeoutMs, late, [given], asked);
    } catch (e) {
      // Whoever does not answer here may be gone for those that watch, too.
      if (e instanceof OutOfTime) pool.renew();
      throw e;
    }
  }

  async #watch(
    path: string,
    query: Query,
    seconds: number,
    event: (event: WatchEvent) => void,
    given: AbortSignal,
  ): Promise<void> {
    const { pool, clock, media } = this.#shared;
    await this.#pace.turn(given);
    const line = await pool.line(given);
    const taker = new WatchTaker(media, event);
    const late = `${path}: the watch did not end in its time`;
    try {
      await within(
        clock,
        seconds * 1000 + WATCH_SLACK_MS,
        late,
        [given, line.over],
        (signal) => this.#exchange(line, "GET", target(path, query), undefined, taker, true, signal),
      );
    } catch (e) {
      if (!line.over.aborted) throw e;
    }
    taker.end();
  }

  #exchange(
    line: Line,
    method: Verb,
    path: string,
    body: Body | undefined,
    taker: Taker,
    watch: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const { media, userAgent, traces, metrics, verbose, clock } = this.#shared;
    const headers = {
      accept: media.accept,
      "user-agent": userAgent,
      ...(body ? { "content-type": body.type, "content-length": body.bytes.length } : {}),
    };
    return traces.work(`HTTP ${method}`, () => described(line.server, method, path), (span) => {
      const all = { ...headers, ...span.headers() };
      const figures = metrics?.begin(line.server, method, body?.bytes.length ?? 0);
      const say = verbose?.("client", TOLD_LEVEL), began = clock.ticks();
      const tell = (facts: object) =>
        say?.(`${method} ${path}`, { latency: `${Math.round(clock.ticks() - began)}ms`, ...facts });
      let received = 0;
      const traced: Taker = {
        head: (status, given) => {
          span.set({ "http.response.status_code": status });
          if (status >= 400) span.failed("");
          if (status === 401) line.refused();
          figures?.answered(status);
          tell({ resp: status });
          taker.head(status, given);
        },
        piece: (bytes) => {
          received += bytes.length;
          taker.piece(bytes);
        },
      };
      return line.use(() =>
        exchange(() => line.open({ method, path, headers: all, watch }), body?.bytes, traced, signal)
      ).catch((e) => {
        tell({ err: e.message });
        throw e;
      }).finally(() => figures?.over(watch ? undefined : received));
    }, KIND.client);
  }
}

/** A request, as its span tells it. */
function described(server: string, method: string, path: string): SpanAttributes {
  const { hostname, port } = new URL(server);
  return {
    "http.request.method": method,
    "server.address": hostname.replace(/^\[|\]$/g, ""),
    "server.port": port === "" ? undefined : Number(port),
    "url.full": withoutEnd(server, "/") + path,
  };
}

const target = (path: string, query: Query | undefined): string =>
  query && Object.keys(query).length > 0 ? `${path}?${new URLSearchParams(query)}` : path;
