/** The body of a request that is passed on. */
import type { RequestScope } from "../request.ts";

/** Methods whose body, if any, is not sent by the runtime. */
const BODILESS = new Set(["GET", "HEAD"]);

/**
 * The body of a client's request, or null for none. The runtime has one for every OPTIONS, DELETE or POST: where the head does
 * not tell, the first bytes do. @throws unknown the stream's error
 */
export async function bodyOf(
  { request, headers }: Pick<RequestScope, "request" | "headers">,
): Promise<ReadableStream<Uint8Array> | null> {
  const { method, body } = request, length = headers.get("content-length");
  if (body === null || BODILESS.has(method) || length === "0") return null;
  if (length !== null || headers.get("transfer-encoding") !== null) return body;
  const reader = body.getReader();
  let first = await reader.read();
  while (first.value?.length === 0) first = await reader.read();
  return first.done ? null : rest(reader, first.value);
}

/** The stream of a reader, with what it has read already. */
function rest(reader: ReadableStreamDefaultReader<Uint8Array>, first: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(first),
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}
