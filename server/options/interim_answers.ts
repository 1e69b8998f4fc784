/** Answers before the one that counts (1xx). */
import type { ClientRequest } from "node:http";

/** So many may come; servers that have something to say send one or two. */
const MOST = 100;

/**
 * Ends a request whose server sends them without end, and tells of it: each is small, nobody waits for them to be taken, and all else in
 * the process would.
 */
export function boundInterimAnswers(request: ClientRequest, failed: (e: Error) => void): void {
  let seen = 0;
  request.on("information", () => {
    if (++seen <= MOST) return;
    const error = new Error(`the server sent more than ${MOST} answers of 1xx`);
    request.destroy(error);
    failed(error);
  });
}
