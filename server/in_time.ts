/** Answers that must end: a request's time goes on when the head of its answer is there. */
import { LONGEST_MS } from "./pause.ts";

/**
 * The body as it comes; it fails when it is not whole after so many ms (Infinity: it may take as long as it likes), whether others are
 * slow to send it or the client to read it. `over` hears once how many bytes were taken, whole or not. One piece is read when the
 * client takes one.
 */
export function inTime(
  body: ReadableStream<Uint8Array>,
  ms: number,
  over: (bytes: number) => void = () => {},
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let bytes = 0, ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    clearTimeout(timer);
    over(bytes);
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (ms === Infinity) return;
      timer = setTimeout(() => {
        end();
        const error = new Error(`the answer was not whole within ${ms / 1000} s`);
        controller.error(error);
        reader.cancel(error).catch(() => {});
      }, Math.min(ms, LONGEST_MS));
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (ended) return;
        if (!done) {
          bytes += value.length;
          return controller.enqueue(value);
        }
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      end();
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}
