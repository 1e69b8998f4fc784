/** A connection that sends no more than its client's may take (`--max-connection-bytes-per-sec`). */
import { Duplex } from "node:stream";
import type { Pacer } from "../request.ts";

/** The connection, both ways at that pace. */
export function paced(stream: Duplex, pace: Pacer): Duplex {
  /** The last piece is on its way: the end waits for it. */
  let last: Promise<unknown> = Promise.resolve();
  const slow = new Duplex({
    allowHalfOpen: false,
    read: () => void stream.resume(),
    write: (chunk: Uint8Array, _encoding, done) =>
      void pace.take(chunk.length).then(() => {
        if (stream.destroyed || stream.write(chunk)) done();
        else stream.once("drain", done);
      }),
    destroy(error, done) {
      stream.destroy();
      done(error);
    },
  });
  stream.on("data", (chunk: Uint8Array) => {
    stream.pause();
    last = pace.take(chunk.length).then(() => slow.destroyed || !slow.push(chunk) || stream.resume());
  });
  const ended = () => void last.then(() => slow.readableEnded || slow.destroyed || slow.push(null));
  stream.once("end", ended);
  stream.once("close", ended);
  stream.on("error", () => {});
  return slow;
}
