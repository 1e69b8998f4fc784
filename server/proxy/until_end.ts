/** Answers of other servers that go on after their head is there: who waits for a request's end must learn of theirs. */
import type { RequestScope } from "../request.ts";

/** The body as it comes; when it ends, fails or is left, the request is over. One piece is read when the client takes one. */
export function untilEnd(scope: RequestScope, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  scope.streams = true;
  const reader = body.getReader();
  const over = () => scope.cancel?.();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      over();
    },
    async cancel(reason) {
      over();
      await reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}
