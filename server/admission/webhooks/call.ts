/** One call of one webhook. */
import { badRequest, StatusError } from "../../../schema/status.ts";
import { uuid } from "../../../schema/values/random.ts";
import type { Span } from "../../../schema/tracing/span.ts";
import type { Attributes, PluginContext } from "../types.ts";
import { type Addressing, addressing, NoAddress } from "./address.ts";
import type { HookDeps } from "./deps.ts";
import { CallFailure, denial } from "./failure.ts";
import type { Hook } from "./hook.ts";
import { BadAnswer, readResponse, type Response, reviewText } from "./review.ts";
import type { SeenObjects } from "./seen.ts";
import type { Candidate } from "./table.ts";
import type { HookAddress, HookAnswer, HookTransport } from "./transport.ts";
import { posting, spanning } from "./spans.ts";
import { postWithin } from "./within.ts";
import { said } from "../../said.ts";

/**
 * Asks a webhook; warnings and annotations of its answer are passed on.
 * @throws StatusError 400 for a dry run that the webhook does not bear, {@linkcode CallFailure}, {@linkcode Denied}
 */
export type Ask = (a: Attributes, candidate: Candidate, seen: SeenObjects) => Promise<Response>;

/** The asking of a server's webhooks: see {@linkcode Ask} for what it throws. */
export function asking(ctx: PluginContext, deps: HookDeps, transport: HookTransport): Ask {
  const whereIs = addressing(ctx);
  return async (a, { hook, target }, seen) => {
    if (a.dryRun && !hook.dry) {
      throw badRequest(`admission webhook ${JSON.stringify(hook.name)} does not support dry run`);
    }
    const known = "the webhook takes no version of AdmissionReview that is known (v1, v1beta1)";
    if (!hook.version) throw new CallFailure(hook.name, `no review can be made: ${known}`, 400);
    const uid = uuid(ctx.random), text = reviewText(deps.scheme, hook, a, { uid, target, ...seen });
    const response = await spanning(a, hook, uid, async (span) => {
      const answer = await send(hook, place(whereIs, hook, secondsLeft(hook, a, ctx.now())), text, transport, a, span);
      return read(deps, hook, uid, answer);
    });
    for (const [key, value] of Object.entries(response.auditAnnotations)) a.annotate(`${hook.name}/${key}`, value);
    for (const warning of response.warnings) a.warn(warning);
    if (!response.allowed) throw denial(hook.name, response.status);
    return response;
  };
}

/** What a webhook is told of the time that it has: its own, or what is left of the request's. */
function secondsLeft({ timeout }: Hook, { endsAt = Infinity }: Attributes, now: number): number {
  return Math.max(1, Math.ceil(Math.min(timeout, endsAt - now) / 1000));
}

function place(whereIs: Addressing, hook: Hook, seconds: number): HookAddress {
  try {
    return whereIs(hook.client, seconds);
  } catch (e) {
    if (e instanceof NoAddress) throw new CallFailure(hook.name, `failed to call webhook: ${e.message}`, 503);
    throw e;
  }
}

async function send(
  hook: Hook,
  address: HookAddress,
  text: string,
  transport: HookTransport,
  a: Attributes,
  span: Span | undefined,
): Promise<HookAnswer> {
  try {
    return await posting(
      span,
      a,
      address,
      (headers) => postWithin(hook.timeout, transport, address, text, a.signal, headers),
    );
  } catch (e) {
    if (e instanceof StatusError) throw e;
    throw new CallFailure(hook.name, `failed to call webhook: ${(e as Error).message}`, 503, { cause: e });
  }
}

function read(deps: HookDeps, hook: Hook, uid: string, { status, body }: HookAnswer): Response {
  if (status < 200 || status > 206) {
    const why = `failed to call webhook: ${said(body) ?? `the server answered ${status}`}`;
    throw new CallFailure(hook.name, why, status < 400 ? 503 : status);
  }
  try {
    return readResponse(deps.scheme, hook, uid, body);
  } catch (e) {
    if (!(e instanceof BadAnswer)) throw e;
    throw new CallFailure(hook.name, `sent an invalid response: ${e.message}`, 503, { cause: e });
  }
}
