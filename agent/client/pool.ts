/** Connections to the API server: bounded, kept, and taken anew when credentials change. */
import http, { type ClientRequest } from "node:http";
import https from "node:https";
import { type Connection, tlsOf } from "../../schema/connection.ts";
import type { Shows } from "../../schema/credential_program.ts";
import { withoutEnd } from "../../schema/values/ends.ts";

/** Requests at once, connections kept without use, how long, and how soon a silent one is asked for a sign of life, ms. */
const MAX_REQUESTS = 32;
const MAX_IDLE = 8;
const IDLE_MS = 60_000;
const PROBE_MS = 30_000;

/** What is sent. */
export interface Outgoing {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | number>>;
  /** It lasts: it takes no place of other requests. Their number is bounded by those who watch. */
  readonly watch: boolean;
}

/** Connections with the same credentials. */
export interface Line {
  /** Aborts when other connections are to be used: what lasts ends then, other requests come to their end. */
  readonly over: AbortSignal;
  /** `https://host:6443` */
  readonly server: string;
  /** Runs an exchange that begins by `open`. */
  use<T>(run: () => Promise<T>): Promise<T>;
  open(outgoing: Outgoing): ClientRequest;
  /** The server does not know who asks by it (401). */
  refused(): void;
}

/** See the top of the file. */
export class Pool {
  #line: OpenLine | undefined;

  constructor(private readonly connections: Shows<Connection>) {}

  /** The connections to use now. @throws Error where nothing says who asks; the signal's reason */
  async line(signal: AbortSignal): Promise<Line> {
    const connection = await this.connections.shown(signal);
    if (this.#line && !sameWay(this.#line.connection, connection)) this.renew();
    this.#line ??= new OpenLine(connection, (by) => this.connections.refused(by));
    this.#line.connection = connection;
    return this.#line;
  }

  /** Ends all connections; the next request opens new ones. */
  renew(): void {
    this.#line?.retire();
    this.#line = undefined;
  }
}

/** A token may change on an open connection; all else is said when it opens. */
function sameWay(a: Connection, b: Connection): boolean {
  return a === b || (["server", "ca", "cert", "key", "serverName", "insecure"] as const).every((k) => a[k] === b[k]);
}

class OpenLine implements Line {
  readonly #end = new AbortController();
  readonly #agents: { readonly requests: http.Agent; readonly watches: http.Agent };
  readonly #secure: boolean;
  #busy = 0;

  constructor(public connection: Connection, private readonly told: (by: Connection) => void) {
    this.#secure = new URL(connection.server).protocol === "https:";
    const Agent = this.#secure ? https.Agent : http.Agent;
    const kept = { keepAlive: true, keepAliveMsecs: PROBE_MS, scheduling: "lifo" } as const;
    this.#agents = {
      requests: new Agent({ ...kept, maxSockets: MAX_REQUESTS, maxFreeSockets: MAX_IDLE, timeout: IDLE_MS }),
      watches: new Agent({ ...kept, maxFreeSockets: MAX_IDLE }),
    };
  }

  get over(): AbortSignal {
    return this.#end.signal;
  }

  get server(): string {
    return this.connection.server;
  }

  refused(): void {
    this.told(this.connection);
  }

  async use<T>(run: () => Promise<T>): Promise<T> {
    this.#busy++;
    try {
      return await run();
    } finally {
      this.#busy--;
      this.#settle();
    }
  }

  open({ method, path, headers, watch }: Outgoing): ClientRequest {
    const { server, authorization } = this.connection;
    const { protocol, hostname, port, pathname } = new URL(server);
    const options = {
      protocol,
      hostname: hostname.replace(/^\[|\]$/g, ""),
      ...(port ? { port } : {}),
      path: withoutEnd(pathname, "/") + path,
      method,
      headers: { ...headers, ...(authorization ? { authorization } : {}) },
      agent: watch ? this.#agents.watches : this.#agents.requests,
    };
    return this.#secure ? https.request({ ...options, ...tlsOf(this.connection) }) : http.request(options);
  }

  retire(): void {
    this.#end.abort(new Error("the connections to the API server are taken anew"));
    this.#settle();
  }

  #settle(): void {
    if (this.#busy > 0 || !this.over.aborted) return;
    this.#agents.requests.destroy();
    this.#agents.watches.destroy();
  }
}
