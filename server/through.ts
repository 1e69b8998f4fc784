/** Bodies that pass through a stream of Node's: packing and unpacking. */
import { pipeline, Readable, type Transform } from "node:stream";

/** Bytes that come out before others have their turn. */
const TURN = 64 * 1024;

/** Node's and the web's stream types differ in name only. */
type NodeBytes = Parameters<typeof Readable.fromWeb>[0];

/**
 * What comes of a body, as it is taken: a fault of the one is a fault of the other, and who leaves the one leaves the other. Not by
 * `Readable.toWeb`, which takes all that there is, though nobody reads.
 */
export function through(body: ReadableStream<Uint8Array>, by: Transform): ReadableStream<Uint8Array> {
  const out = pipeline(Readable.fromWeb(body as NodeBytes), by, () => {});
  const pieces: AsyncIterator<Uint8Array, undefined> = out[Symbol.asyncIterator]();
  let left = TURN;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) return controller.close();
      controller.enqueue(value);
      if ((left -= value.length) > 0) return;
      // Where nothing waits for the network, all else in the process would wait for the end.
      left = TURN;
      await new Promise<void>((resolve) => setImmediate(resolve));
    },
    cancel: () => void out.destroy(),
  }, { highWaterMark: 0 });
}
