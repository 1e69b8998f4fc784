/** One request of a handler by HTTP/1.1, TLS without looking at the certificate. */
import { type ClientRequest, type IncomingMessage, request as plainRequest, type RequestOptions } from "node:http";
import { request as secureRequest } from "node:https";
import { isIP } from "node:net";
import type { Readable } from "node:stream";
import { hostPort } from "../../schema/values/host_port.ts";
import { dialText } from "./address.ts";
import { MAX_OUTPUT } from "./outcome.ts";

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

/** Codes that say to ask elsewhere. */
export const MOVED: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** An answer, or where to ask. */
export interface Once extends HttpAnswer {
  readonly location: string | undefined;
}

/** Asks once. @throws HttpFault */
export function onceHttp1(ask: HttpAsk, url: URL, signal: AbortSignal): Promise<Once> {
  const secure = url.protocol === "https:", { host, port } = placeOf(url);
  const path = url.pathname + url.search;
  return new Promise((resolve, reject) => {
    let begun = false;
    const fail = (error: unknown) => reject(faultOf(url, error, signal, begun));
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
    // Whoever would go on with another protocol has answered all the same.
    request.on("upgrade", (response: IncomingMessage, socket: Readable) => {
      socket.destroy();
      resolve({ status: response.statusCode!, location: undefined, body: "" });
    });
    request.end();
  });
}

/** Where a URL leads. */
function placeOf(url: URL): { readonly host: string; readonly port: number } {
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  return { host: url.hostname.replace(/^\[|\]$/g, ""), port };
}

/** Why there is no answer. @param begun it had begun */
export function faultOf(url: URL, error: unknown, signal: AbortSignal, begun: boolean): HttpFault {
  const { host, port } = placeOf(url), address = hostPort(host, port);
  const said = JSON.stringify(`${url.protocol}//${address}${url.pathname}${url.search}`);
  if (signal.aborted) return new HttpFault(`Get ${said}: ${LATE}`, false, begun);
  return new HttpFault(`Get ${said}: ${faultText(address, error)}`, isPlain(error), begun);
}

const LATE = "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";

/** Reads to the limit and no further: what is left of the body is of no use. */
export function readSome(response: Readable, done: (body: string) => void): void {
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
  if (codeOf(error).startsWith("HPE_")) return malformedText(error);
  return dialText(address, error);
}

/** With the first line of what came instead of an answer. */
function malformedText(error: unknown): string {
  const { rawPacket } = error as { rawPacket?: Uint8Array };
  const line = new TextDecoder().decode(rawPacket?.subarray(0, MAX_OUTPUT)).split(/\r?\n/, 1)[0];
  return `net/http: HTTP/1.x transport connection broken: malformed HTTP response ${JSON.stringify(line)}`;
}
