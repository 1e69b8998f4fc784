/** One request of Node's HTTP clients and its answer, piece by piece, ended by a signal. */
import type { ClientRequest, IncomingHttpHeaders } from "node:http";
import { sentOnce } from "../../schema/values/sent_once.ts";

/** A connection that was open from before ended without an answer. */
export class StaleConnection extends Error {}

/** Who takes an answer. What they throw ends the exchange. */
export interface Taker {
  head(status: number, headers: IncomingHttpHeaders): void;
  piece(bytes: Uint8Array): void;
}

/**
 * Sends the request that `open` begins; resolves at the end of its answer.
 * @throws StaleConnection, what the taker throws, the signal's reason, or Error when the answer does not come, or not whole
 */
export function exchange(
  open: () => ClientRequest,
  body: Uint8Array | undefined,
  taker: Taker,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const request = sentOnce(open());
    let over = false;
    const settle = (work: () => void) => {
      if (over) return;
      over = true;
      signal.removeEventListener("abort", cancel);
      work();
    };
    const fail = (e: unknown) =>
      settle(() => {
        reject(e);
        request.destroy();
      });
    const cancel = () => fail(signal.reason);
    signal.addEventListener("abort", cancel, { once: true });
    const attempt = (work: () => void) => {
      try {
        work();
      } catch (e) {
        fail(e);
      }
    };
    let answered = false;
    request.on("response", (response) => {
      answered = true;
      attempt(() => taker.head(response.statusCode ?? 0, response.headers));
      response.on("data", (piece: Uint8Array) => attempt(() => taker.piece(piece)));
      response.on("end", () => settle(resolve));
      response.on("error", fail);
      response.on("close", () => fail(new Error("the connection was closed within an answer")));
    });
    // The runtime ends some without a word, as those that the server makes something else of.
    request.on("close", () => answered || fail(new Error("the connection was closed without an answer")));
    request.on("error", (e: Error & { code?: string }) => {
      const stale = request.reusedSocket && !answered && (e.code === "ECONNRESET" || e.code === "EPIPE");
      fail(stale ? new StaleConnection(e.message, { cause: e }) : e);
    });
    request.end(body);
  });
}
