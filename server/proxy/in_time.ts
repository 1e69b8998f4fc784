/** Answers of other servers that must end: a request's time goes on when the head of its answer is there. */
import { LONGEST_MS } from "../pause.ts";

/** The body as it comes; it fails when it is not whole after so many ms. One piece is read when the client takes one. */
export function inTime(body: ReadableStream<Uint8Array>, ms: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let late = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setTimeout(() => {
        late = true;
        const error = new Error(`the answer was not whole within ${ms / 1000} s`);
        controller.error(error);
        reader.cancel(error).catch(() => {});
      }, Math.min(ms, LONGEST_MS));
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (late) return;
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      clearTimeout(timer);
    },
    async cancel(reason) {
      clearTimeout(timer);
      await reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}
