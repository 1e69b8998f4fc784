/** Passes a client's request on, and its answer back: streams both ways, one end for both. */
import { isLongRunning } from "../filters/long_running.ts";
import { inTime } from "../in_time.ts";
import type { RequestScope } from "../request.ts";
import { bodyOf } from "./body.ts";
import { answerHeaders, asksUpgrade, requestHeaders } from "./headers.ts";
import type { ProxyAnswer, ProxyHeaders, ProxyTarget, ProxyTransport } from "./types.ts";
import { openTunnel } from "./tunnel.ts";
import { untilEnd } from "./until_end.ts";

/** How a request is passed on. */
export interface ForwardOptions {
  readonly transport: ProxyTransport;
  readonly target: ProxyTarget;
  /** Headers put in place of the client's. */
  readonly set?: ProxyHeaders;
  /** The client's headers, by lower-case names, that are not passed on. */
  drop?(name: string): boolean;
  /** The answer's headers, by lower-case names, that are not passed on. */
  dropAnswer?(name: string): boolean;
  /** An answer in place of one that is not to be passed on: its body is not read. */
  replace?(answer: ProxyAnswer): Response | undefined;
  /** Ends the request beside the client's going. */
  readonly signal?: AbortSignal;
  /** The answer must be whole so long after its head, ms, where the request has no less time. */
  readonly restMs?: number;
}

/** Answers that have no body. */
const EMPTY = new Set([204, 205, 304]);

/**
 * Passes a request on. What it throws is for the caller to tell the client of.
 * @throws Error when the other server cannot be reached or its answer is none; {@linkcode NoTunnel}
 */
export async function forward(scope: RequestScope, options: ForwardOptions): Promise<Response> {
  const { request, headers } = scope, { transport, target, replace } = options;
  const upgrade = asksUpgrade(headers);
  const signal = options.signal ? AbortSignal.any([scope.signal, options.signal]) : scope.signal;
  const passed = requestHeaders(headers, {
    client: scope.connection.remoteAddress,
    set: [["audit-id", scope.auditId], ...(options.set ?? [])],
    drop: (name) => options.drop?.(name) === true,
    upgrade,
  });
  const { method } = request;
  const pass = (answer: ProxyAnswer) => responseOf(scope, answer, options);
  if (upgrade) {
    return await openTunnel(
      scope,
      signal,
      (until) => transport.upgrade(target, { method, headers: passed, body: null }, until),
      pass,
    );
  }
  const body = await bodyOf(scope);
  const answer = await transport.send(target, { method, headers: passed, body }, signal);
  const other = replace?.(answer);
  if (!other) return pass(answer);
  await answer.body.cancel().catch(() => {});
  return other;
}

/** The answer as the client is sent it. @throws Error for a status that no answer can have */
function responseOf(
  scope: RequestScope,
  { status, headers, body }: ProxyAnswer,
  { dropAnswer, restMs = Infinity }: ForwardOptions,
): Response {
  if (status < 200 || status > 599) {
    void body.cancel().catch(() => {});
    throw new Error(`the server answered with the status ${status}`);
  }
  const empty = EMPTY.has(status) || scope.request.method === "HEAD";
  const lasts = isLongRunning(scope.info);
  if (lasts) scope.streams = !empty;
  if (empty) void body.cancel().catch(() => {});
  const out = new Headers();
  for (const [name, value] of answerHeaders(headers)) if (!dropAnswer?.(name.toLowerCase())) out.append(name, value);
  if (empty) return new Response(null, { status, headers: out });
  const ms = Math.min(scope.limitMs ?? Infinity, restMs);
  const rest = lasts ? untilEnd(scope, body) : ms < Infinity ? inTime(body, ms) : body;
  return new Response(rest, { status, headers: out });
}
