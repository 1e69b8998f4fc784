/** Answers of other servers that go on after their head is there: who waits for a request's end must learn of theirs. */
import { inTime } from "../in_time.ts";
import type { RequestScope } from "../request.ts";

/** The body as it comes; when it ends, fails or is left, the request is over. One piece is read when the client takes one. */
export function untilEnd(scope: RequestScope, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  scope.streams = true;
  return inTime(body, Infinity, () => scope.cancel?.());
}
