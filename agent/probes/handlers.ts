/** Handlers of probes and of hooks. */
import { within } from "../client/within.ts";
import { describe, refOf } from "../pods/names.ts";
import type { Gate } from "../resources/amounts.ts";
import type { Runtime } from "../runtime/types.ts";
import type { Clock, ContainerTarget, Events, Handler, HandlerResult, Handlers } from "../types.ts";
import { askExec, runHook } from "./exec.ts";
import { askGrpc } from "./grpc.ts";
import { httpAsk, httpGet } from "./http.ts";
import { onceHttp2 } from "./http2.ts";
import { HttpFault, onceHttp1 } from "./http_once.ts";
import { errored, failure, type Outcome, success, warning } from "./outcome.ts";
import { askTcp } from "./tcp.ts";

/** What handlers need of the agent. */
export interface HandlerParts {
  readonly runtime: Pick<Runtime, "execSync">;
  readonly events: Events;
  readonly clock: Clock;
  readonly gate: Gate;
}

/** One run of a handler. */
interface Run extends HandlerParts {
  readonly target: ContainerTarget;
  readonly seconds: number;
  readonly signal: AbortSignal;
}

/** How each kind of handler is run. */
type Table = {
  readonly [K in keyof Handler]?: (action: NonNullable<Handler[K]>, run: Run) => Promise<Outcome>;
};

const PROBES: Table = {
  exec: (action, { runtime, target, seconds, signal }) => askExec(runtime, action, target, seconds, signal),
  httpGet: async (action, { target, signal, gate }) => {
    const once = action.protocol === "HTTP2" && gate("H2CContainerProbe") ? onceHttp2 : onceHttp1;
    try {
      const { status, body } = await httpGet(httpAsk(action, target, "probe"), signal, once);
      if (status >= 300 && status < 400) return warning(`Probe terminated redirects, Response body: ${body}`);
      if (status >= 200 && status < 300) return success(body);
      // Not the body: whoever reads events may not be one who may ask the container.
      return failure(`HTTP probe failed with statuscode: ${status}`);
    } catch (e) {
      if (e instanceof HttpFault && !e.begun) return failure(e.message);
      throw e;
    }
  },
  tcpSocket: (action, { target, signal }) => askTcp(action, target, signal),
  grpc: (action, { target, seconds, signal, gate }) =>
    askGrpc(action, target, action.mode === "TLS" && gate("GRPCContainerProbeTLS"), seconds, signal),
};

const HOOKS: Table = {
  exec: (action, { runtime, target, signal }) => runHook(runtime, action, target, signal),
  // Whatever the answer says, it was heard.
  httpGet: async (action, { target, signal, events }) => {
    const ask = httpAsk(action, target, "lifecycle");
    try {
      await httpGet(ask, signal);
    } catch (e) {
      if (!(e instanceof HttpFault && e.plain)) throw e;
      const url = new URL(ask.url);
      const port = url.port || "443";
      url.protocol = "http:";
      url.port = port;
      const headers = Object.entries(ask.headers).filter(([name]) => name.toLowerCase() !== "authorization");
      await httpGet({ url, headers: Object.fromEntries(headers) }, signal);
      const told = `request to HTTPS lifecycle hook ${url.host} got HTTP response, retry with HTTP succeeded`;
      events.pod(target.pod, "Warning", "LifecycleHTTPFallback", told);
    }
    return success();
  },
  sleep: async (action, { clock, signal }) => {
    await clock.wait(Number(action.seconds) * 1000, signal);
    return signal.aborted ? failure("container terminated before sleep hook finished") : success();
  },
};

/** Runs a probe's handler once. Never throws. @param seconds its time */
export function runProbe(
  parts: HandlerParts,
  target: ContainerTarget,
  handler: Handler,
  seconds: number,
  signal: AbortSignal,
): Promise<Outcome> {
  return run(PROBES, parts, target, handler, seconds, signal);
}

/** What a hook does, in the words for one that failed. */
const WORDS: { readonly [K in keyof Handler]?: (action: NonNullable<Handler[K]>) => string } = {
  exec: ({ command = [] }) => `Exec lifecycle hook ([${command.join(" ")}])`,
  httpGet: ({ path = "" }) => `HTTP lifecycle hook (${path})`,
  sleep: ({ seconds }) => `Sleep lifecycle hook (${seconds})`,
};

/** Runs hooks: commands, requests whose answer does not matter, and sleep. */
export class HookHandlers implements Handlers {
  constructor(readonly parts: HandlerParts) {}

  async run(target: ContainerTarget, handler: Handler, signal: AbortSignal): Promise<HandlerResult> {
    const { result, output } = await run(HOOKS, this.parts, target, handler, 0, signal);
    if (result === "success") return { ok: true, output };
    return { ok: false, output: hookFault(target, handler, output) };
  }
}

function hookFault({ pod, container }: ContainerTarget, handler: Handler, fault: string): string {
  const kind = kindOf(WORDS, handler);
  if (!kind) return fault;
  const what = (WORDS[kind] as (action: unknown) => string)(handler[kind]);
  const where = `Container ${JSON.stringify(container.name)} in Pod "${describe(refOf(pod))}"`;
  return `${what} for ${where} failed - error: ${fault}`;
}

/** Which of them a handler is. */
function kindOf(table: { readonly [K in keyof Handler]?: unknown }, handler: Handler): keyof Handler | undefined {
  return (Object.keys(table) as (keyof Handler)[]).find((k) => handler[k]);
}

/** @param seconds 0: its time is the signal's */
async function run(
  table: Table,
  parts: HandlerParts,
  target: ContainerTarget,
  handler: Handler,
  seconds: number,
  outer: AbortSignal,
): Promise<Outcome> {
  const kind = kindOf(table, handler);
  if (!kind) return errored(`missing handler for ${target.container.name}`);
  const ask = table[kind] as (action: unknown, run: Run) => Promise<Outcome>;
  const start = (signal: AbortSignal) => ask(handler[kind], { ...parts, target, seconds, signal });
  try {
    // A command's time is the runtime's to keep, which also ends what it began.
    if (!seconds || kind === "exec") return await start(outer);
    return await within(parts.clock, seconds * 1000, "the handler's time is over", [outer], start);
  } catch (e) {
    return errored((e as Error).message);
  }
}
