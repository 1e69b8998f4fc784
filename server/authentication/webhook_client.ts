/** Calls of a webhook that answers reviews: retries, time-outs, bounds. */
import { decodeTyped } from "../../schema/codec/typed.ts";
import { builtInMessage } from "../../schema/messages.ts";
import type { Json, JsonMap } from "../../schema/model/types.ts";
import { ValueError } from "../../schema/values/error.ts";
import { pause } from "../pause.ts";
import { type Cancellable, signalOf } from "../request.ts";
import { said } from "../said.ts";

/** Posts JSON to the webhook's server, with its TLS set-up and credentials. Injected: nothing here opens a connection. */
export interface PostJson {
  (body: string, signal: AbortSignal): Promise<{ readonly status: number; readonly body: string }>;
  /** Closes its connections, where it keeps some. */
  close?(): void;
}

/** How often and how long. Times in milliseconds. */
export interface RetryLimits {
  readonly attempts: number;
  readonly firstWait: number;
  readonly factor: number;
  readonly timeout: number;
}

/** Five attempts with about four seconds between them, half a minute each at most; one that takes that long is the last. */
export const RETRY: RetryLimits = { attempts: 5, firstWait: 500, factor: 1.5, timeout: 30_000 };

/** Answers of a server that is too busy or has failed, which may pass. One that is out of service (503) says when, or is believed. */
const passing = (status: number) => status === 429 || (status >= 500 && status !== 503);
/** Nor does a server that is not there come back while a request waits; one that drops a connection may be there. */
const dropped = (error: unknown) => error instanceof Error && "code" in error && error.code === "ECONNRESET";

/** What the answered status of a review is, by its kind; the same in all versions. */
const STATUSES = {
  TokenReview: "authentication.v1.TokenReviewStatus",
  SubjectAccessReview: "authorization.v1.SubjectAccessReviewStatus",
  ImageReview: "imagepolicy.v1alpha1.ImageReviewStatus",
} as const;

/** How a call ended: `canceled` with what asked for it, `error` where what came is no answer. */
export type CallResult = "success" | "error" | "timeout" | "canceled";

/** Hears of each attempt. */
export interface CallWatch {
  /** ms */
  now(): number;
  ended(result: CallResult, ms: number): void;
}

/** What is sent; the answer is another of its kind. */
export interface Review {
  readonly apiVersion: string;
  readonly kind: keyof typeof STATUSES;
  readonly spec: unknown;
}

/**
 * Sends one review and returns the answered object, its status, where it has one, of the types that the API gives it. It ends with
 * what asks for it: nobody would hear the answer.
 * @throws Error when no attempt was answered with 200 to 206 and a JSON object that is, as far as it says, a review of this kind and version
 */
export async function callWebhook(
  post: PostJson,
  review: Review,
  limits: RetryLimits = RETRY,
  asking?: AbortSignal | Cancellable,
  watch?: CallWatch,
): Promise<Record<string, unknown>> {
  const body = JSON.stringify(review), ended = signalOf(asking);
  let wait = limits.firstWait, last: unknown;
  for (let attempt = 1; attempt <= limits.attempts; attempt++) {
    const late = AbortSignal.timeout(limits.timeout), start = watch?.now() ?? 0;
    const tell = (result: CallResult) => watch?.ended(result, watch.now() - start);
    try {
      const answer = await post(body, ended ? AbortSignal.any([late, ended]) : late);
      if (answer.status >= 200 && answer.status <= 206) {
        const told = reviewOf(answer.body, review);
        tell("success");
        return told;
      }
      last = new Error(said(answer.body) ?? `the webhook answered ${answer.status}`);
      tell("error");
      if (!passing(answer.status)) break;
    } catch (error) {
      last = error;
      tell(ended?.aborted ? "canceled" : late.aborted ? "timeout" : "error");
      if (late.aborted || !dropped(error)) break;
    }
    if (attempt < limits.attempts) await pause(wait, ended);
    if (ended?.aborted) break;
    wait *= limits.factor;
  }
  throw last instanceof Error ? last : new Error("the webhook cannot be reached", { cause: last });
}

function reviewOf(text: string, sent: Review): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw new SyntaxError("the webhook's answer is no object");
  }
  const { apiVersion = sent.apiVersion, kind = sent.kind, ...rest } = value as Record<string, unknown>;
  if (apiVersion !== sent.apiVersion || kind !== sent.kind) {
    throw new SyntaxError(
      `the webhook answered a ${kind} of ${apiVersion}, it should be a ${sent.kind} of ${sent.apiVersion}`,
    );
  }
  const { status } = rest;
  return status === undefined || status === null ? rest : { ...rest, status: statusOf(status as Json, sent.kind) };
}

/** "false" is no answer that could be taken for a yes. @throws SyntaxError */
function statusOf(status: Json, kind: Review["kind"]): JsonMap {
  try {
    return decodeTyped(builtInMessage(STATUSES[kind])!, status, { path: "status" }, { unknown: [] });
  } catch (e) {
    if (e instanceof ValueError) throw new SyntaxError(`the webhook's answer: ${e.message}`, { cause: e });
    throw e;
  }
}
