/** One request of Node's HTTP clients and its answer, bounded in size, ended by a signal. */
import type { ClientRequest, IncomingHttpHeaders } from "node:http";
import { sentOnce } from "../../schema/values/sent_once.ts";
import { LONGEST_MS, pause } from "../pause.ts";
import { bodyText } from "./body_text.ts";
import { boundInterimAnswers } from "./interim_answers.ts";

/** An answer, read. */
export interface TextAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

/** How often a server that names a time is asked again at most, as by the public clients. */
const MAX_RETRIES = 10;

/** A connection that was open from before ended without an answer. */
class StaleConnection extends Error {}

/**
 * Asks once more wherever a kept connection turns out to be stale, which says nothing of the server: each time it is one fewer, and
 * a new one is never stale. Unless there is a reason not to.
 */
export async function pastStale<T>(once: () => Promise<T>, stop: () => boolean): Promise<T> {
  for (;;) {
    try {
      return await once();
    } catch (e) {
      if (!(e instanceof StaleConnection) || stop()) throw e;
    }
  }
}

/** Asks again a server that is too busy or broken, as long as it says (`Retry-After`, seconds) when. @throws what ends the wait */
export async function whenReady(once: () => Promise<TextAnswer>, signal: AbortSignal): Promise<TextAnswer> {
  for (let tries = 0;; tries++) {
    const answer = await once(), seconds = retryAfter(answer);
    if (seconds === undefined || tries === MAX_RETRIES) return answer;
    await pause(Math.min(seconds * 1000, LONGEST_MS), signal);
    signal.throwIfAborted();
  }
}

function retryAfter({ status, headers }: TextAnswer): number | undefined {
  const after = headers["retry-after"] ?? "";
  return (status === 429 || status >= 500) && /^\d+$/.test(after) ? Number(after) : undefined;
}

/**
 * Sends the request that `open` begins, and reads at most `limit` bytes of its answer.
 * @throws StaleConnection, or Error when there is no answer, it is too large, or the signal aborts
 */
export function exchange(
  open: () => ClientRequest,
  body: Uint8Array | undefined,
  limit: number,
  signal: AbortSignal,
): Promise<TextAnswer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const request = sentOnce(open());
    const settle = (work: () => void) => {
      signal.removeEventListener("abort", cancel);
      work();
    };
    const cancel = () => {
      request.destroy();
      settle(() => reject(signal.reason));
    };
    signal.addEventListener("abort", cancel, { once: true });
    boundInterimAnswers(request, (e) => settle(() => reject(e)));
    let answered = false;
    request.once("response", () => answered = true);
    // The runtime ends some without a word, as those that the server makes something else of.
    request.once(
      "close",
      () => answered || settle(() => reject(new Error("the connection was closed without an answer"))),
    );
    request.on(
      "response",
      (response) =>
        bodyText(response, limit).then(
          (body) => settle(() => resolve({ status: response.statusCode ?? 0, body, headers: response.headers })),
          (e) => {
            settle(() => reject(signal.aborted ? signal.reason : e));
            request.destroy();
          },
        ),
    );
    request.on("error", (e) => settle(() => reject(signal.aborted ? signal.reason : told(request, e))));
    request.end(body);
  });
}

/** What a request's error tells. */
export const told = (request: ClientRequest, e: Error & { code?: string }): Error =>
  request.reusedSocket && (e.code === "ECONNRESET" || e.code === "EPIPE")
    ? new StaleConnection(e.message, { cause: e })
    : e;
