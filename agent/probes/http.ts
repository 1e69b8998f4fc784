/** Probes and hooks `httpGet`: HTTP/1.1, TLS without looking at the certificate. */
import { type ClientRequest, type IncomingMessage, request as plainRequest, type RequestOptions } from "node:http";
import { request as secureRequest } from "node:https";
import { isIP } from "node:net";
import type { HTTPGetAction } from "../../schema/api/core_v1.ts";
import type { ContainerTarget } from "../types.ts";
import { dialText, hostOf, hostPort, portOf } from "./address.ts";
import { MAX_OUTPUT } from "./outcome.ts";

/** Most places that one request is sent on to. */
const MAX_REDIRECTS = 10;
/** Version of the public agent that this one follows. */
const VERSION = "1.37";

/** What is asked for. */
export interface HttpAsk {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[]>>;
}

/** The answer; of the body what fits. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/** A request that got no answer. */
export class HttpFault extends Error {
  override readonly name = "HttpFault";

  /** @param plain the other side does not speak TLS; @param begun the answer had begun */
  constructor(message: string, readonly plain = false, readonly begun = false) {
    super(message);
  }
}

/** The request of a handler. @throws Error: the handler leads nowhere */
export function httpAsk(action: HTTPGetAction, target: ContainerTarget, purpose: "probe" | "lifecycle"): HttpAsk {
  const address = hostPort(hostOf(action.host, target), portOf(action.port, target.container));
  const base = `${(action.scheme || "HTTP").toLowerCase()}://${address}`;
  const path = URL.parse(action.path ?? "", base);
  return {
    url: new URL(base + (path ? path.pathname + path.search : `/${encodeURI(action.path!)}`)),
    headers: headersOf(action, purpose),
  };
}

function headersOf(action: HTTPGetAction, purpose: string): Record<string, string | string[]> {
  const headers = new Map<string, { name: string; values: string[] }>();
  for (const { name, value } of action.httpHeaders ?? []) {
    const key = name.toLowerCase();
    const known = headers.get(key);
    if (known) known.values.push(value);
    else headers.set(key, { name, values: [value] });
  }
  if (!headers.has("user-agent")) {
    headers.set("user-agent", { name: "User-Agent", values: [`kube-${purpose}/${VERSION}`] });
  }
  if (!headers.has("accept")) headers.set("accept", { name: "Accept", values: ["*/*"] });
  else if (headers.get("accept")!.values[0] === "") headers.delete("accept");
  // One host only, as a request can name no more.
  return Object.fromEntries(
    [...headers].map(([key, { name, values }]) => [name, key === "host" || values.length === 1 ? values[0]! : values]),
  );
}

/** Asks, and goes on to where it is sent on the same host. @throws HttpFault */
export async function httpGet(ask: HttpAsk, signal: AbortSignal): Promise<HttpAnswer> {
  let url = ask.url;
  for (let sent = 0;; sent++) {
    const { status, location, body } = await once(ask, url, signal);
    const next = location === undefined ? undefined : URL.parse(location, url);
    if (!next || next.hostname !== ask.url.hostname || !/^https?:$/.test(next.protocol)) return { status, body };
    if (sent === MAX_REDIRECTS - 1) {
      throw new HttpFault(`Get ${JSON.stringify(location)}: stopped after ${MAX_REDIRECTS} redirects`);
    }
    url = next;
  }
}

/** Codes that say to ask elsewhere. */
const MOVED: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

interface Once extends HttpAnswer {
  readonly location: string | undefined;
}

function once(ask: HttpAsk, url: URL, signal: AbortSignal): Promise<Once> {
  const secure = url.protocol === "https:";
  const port = Number(url.port) || (secure ? 443 : 80);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const address = hostPort(host, port);
  const path = url.pathname + url.search;
  const said = JSON.stringify(`${url.protocol}//${address}${path}`);
  return new Promise((resolve, reject) => {
    let begun = false;
    const fail = (error: unknown) => {
      if (signal.aborted) reject(new HttpFault(`Get ${said}: ${LATE}`, false, begun));
      else reject(new HttpFault(`Get ${said}: ${faultText(address, error)}`, isPlain(error), begun));
    };
    const options: RequestOptions & { rejectUnauthorized: boolean; servername: string } = {
      host,
      port,
      path,
      headers: { ...ask.headers },
      agent: false,
      signal,
      rejectUnauthorized: false,
      servername: isIP(host) ? "" : host,
    };
    let request: ClientRequest;
    try {
      request = (secure ? secureRequest : plainRequest)(options);
    } catch (e) {
      return fail(e);
    }
    request.on("error", fail);
    request.on("response", (response: IncomingMessage) => {
      begun = true;
      const status = response.statusCode!;
      const location = MOVED.has(status) ? response.headers.location : undefined;
      response.on("error", fail);
      readSome(response, (body) => {
        request.destroy();
        resolve({ status, location, body });
      });
    });
    request.end();
  });
}

const LATE = "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";

/** Reads to the limit and no further: what is left of the body is of no use. */
function readSome(response: IncomingMessage, done: (body: string) => void): void {
  const parts: Uint8Array[] = [];
  let size = 0;
  const end = () => {
    const bytes = new Uint8Array(size);
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    done(new TextDecoder().decode(bytes));
  };
  response.on("data", (chunk: Uint8Array) => {
    if (size === MAX_OUTPUT) return;
    const part = chunk.subarray(0, MAX_OUTPUT - size);
    parts.push(part);
    size += part.length;
    if (size === MAX_OUTPUT) end();
  });
  response.on("end", end);
}

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? "";
const isPlain = (error: unknown): boolean => codeOf(error) === "ERR_SSL_WRONG_VERSION_NUMBER";

function faultText(address: string, error: unknown): string {
  if (isPlain(error)) return "http: server gave HTTP response to HTTPS client";
  if (codeOf(error) === "ECONNRESET") return "EOF";
  if (codeOf(error).startsWith("HPE_")) return "malformed HTTP response";
  return dialText(address, error);
}
