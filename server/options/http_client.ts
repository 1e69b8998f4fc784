/**
 * HTTP clients for what options name: webhooks and issuers. Node's, not the runtime's `fetch`, whose TLS refuses a server that
 * serves the very certificate it is trusted by, as self-signed ones do.
 */
import type http from "node:http";
import type https from "node:https";
import { type Connection, tlsOf } from "../../schema/connection.ts";
import { plainOver, secureOver } from "./egress_agent.ts";
import type { SomeDial } from "./environment_proxy.ts";
import { pinned } from "./pinned_agent.ts";
import { exchange, pastStale, type TextAnswer, whenReady } from "./https_exchange.ts";
import { credentialPrograms } from "./credential_programs.ts";

/** Bytes of an answer read at most, connections kept without use and how long, ms, redirects followed. */
const LIMIT = 1024 * 1024;
const MAX_IDLE = 25;
const IDLE_MS = 90_000;
const MAX_REDIRECTS = 10;

interface Clients {
  readonly http: typeof http;
  readonly https: typeof https;
  readonly plain: http.Agent;
  readonly secure: https.Agent;
}

/** A function whose connections stay open until it is closed. */
export interface Closable {
  close(): void;
}

/** How servers are reached, without TLS and with it; directly where nothing is said. */
export interface Ways {
  readonly plain?: SomeDial | undefined;
  readonly secure?: SomeDial | undefined;
}

type Ask = (url: URL, shown: Shown, body: string | undefined, signal: AbortSignal) => Promise<TextAnswer>;

/** What a request shows, and whom it trusts. */
interface Shown {
  readonly tls: Pick<https.RequestOptions, "ca" | "cert" | "key" | "servername" | "rejectUnauthorized">;
  readonly headers: Readonly<Record<string, string>>;
}

/** Requests by some ways. Nothing is loaded before the first one. */
function asker(ways: Ways): { ask: Ask; close: () => void } {
  let clients: Promise<Clients> | undefined;
  const ask: Ask = async (url, { tls, headers }, body, signal) => {
    const { http, https, plain, secure } = await (clients ??= load(ways));
    const bytes = body === undefined ? undefined : new TextEncoder().encode(body);
    const options = {
      method: bytes ? "POST" : "GET",
      headers: { ...headers, ...(bytes ? { "content-length": bytes.length } : {}) },
    };
    const once = () =>
      exchange(
        () =>
          url.protocol === "https:"
            ? https.request(url, { ...options, ...tls, agent: secure })
            : http.request(url, { ...options, agent: plain }),
        bytes,
        LIMIT,
        signal,
      );
    return await pastStale(once, () => signal.aborted);
  };
  const close = () =>
    void clients?.then(({ plain, secure }) => {
      plain.destroy();
      secure.destroy();
    });
  return { ask, close };
}

async function load(ways: Ways): Promise<Clients> {
  const [{ default: http }, { default: https }] = await Promise.all([import("node:http"), import("node:https")]);
  const kept = { keepAlive: true, maxFreeSockets: MAX_IDLE, timeout: IDLE_MS, scheduling: "lifo" } as const;
  return {
    http,
    https,
    plain: plainOver(new http.Agent(kept), ways.plain),
    secure: pinned(secureOver(new https.Agent(kept), ways.secure)),
  };
}

/** Posts JSON to a webhook, whose authority is trusted alone. @param connection as it is at the time */
export function postJson(
  connection: () => Connection,
  ways: Ways = {},
): ((body: string, signal: AbortSignal) => Promise<{ status: number; body: string }>) & Closable {
  const programs = credentialPrograms(), { ask, close } = asker(ways);
  const post = async (body: string, signal: AbortSignal) => {
    const by = await programs.by(connection(), signal);
    const answer = await whenReady(() => ask(new URL(by.server), shownBy(by), body, signal), signal);
    if (answer.status === 401) programs.refused(by);
    return answer;
  };
  return Object.assign(post, { close });
}

function shownBy(connection: Connection): Shown {
  const { authorization } = connection;
  return {
    headers: {
      "content-type": "application/json",
      accept: "application/json",
      ...(authorization ? { authorization } : {}),
    },
    tls: tlsOf(connection),
  };
}

/**
 * Fetches text from a server that the authority (PEM), or without one the host's roots, vouch for. It throws an Error for any
 * answer but 2xx, once it has followed redirections as far as it may. A bearer's token is shown to the host that is asked, and to no other.
 */
export function fetchText(
  ca: string | undefined,
  ways: Ways = {},
): ((url: string, signal: AbortSignal, bearer?: string) => Promise<string>) & Closable {
  const { ask, close } = asker(ways), tls = ca ? { ca } : {}, accept = "application/json, */*";
  const get = async (url: string, signal: AbortSignal, bearer?: string) => {
    const { origin } = new URL(url);
    let at = new URL(url);
    for (let i = 0; i <= MAX_REDIRECTS; i++) {
      const authorization = bearer && at.origin === origin ? { authorization: `Bearer ${bearer}` } : {};
      const { status, body, headers } = await ask(
        at,
        { tls, headers: { accept, ...authorization } },
        undefined,
        signal,
      );
      if (status >= 300 && status < 400 && headers.location) at = new URL(headers.location, at);
      else if (status < 200 || status >= 300) throw new Error(`${url} answered ${status}`);
      else return body;
    }
    throw new Error(`${url} led to too many others`);
  };
  return Object.assign(get, { close });
}
