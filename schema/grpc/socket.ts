/** Sockets of `node:net` and `node:tls`, and streams like them, as connections. */
import type { Connection, Emitter } from "./http2.ts";

/** Of such a stream so much as is used. */
export interface Socket extends Emitter {
  /** What has come; null: nothing. */
  read(): Uint8Array | null;
  unshift(bytes: Uint8Array): unknown;
  write(bytes: Uint8Array, done: (e?: Error | null) => void): unknown;
  destroy(): unknown;
  ref?(): unknown;
  unref?(): unknown;
}

/** See the top of the file. */
export function connectionOf(socket: Socket): Connection {
  let over = false, failure: Error | undefined, wake = () => {};
  socket.on("readable", () => wake());
  socket.on("error", (e: Error) => failure ??= e);
  for (const end of ["end", "close"]) {
    socket.on(end, () => {
      over = true;
      wake();
    });
  }
  return {
    async read(into) {
      for (;;) {
        const piece = socket.read();
        if (piece) return taken(socket, piece, into);
        if (failure) throw failure;
        if (over) return null;
        await new Promise<void>((resolve) => wake = resolve);
      }
    },
    write: (bytes) =>
      new Promise((resolve, reject) => socket.write(bytes, (e) => e ? reject(e) : resolve(bytes.length))),
    close: () => void socket.destroy(),
    ref: () => void socket.ref?.(),
    unref: () => void socket.unref?.(),
  };
}

/** Bytes that there is no room for stay for the next one who reads. */
function taken(socket: Socket, piece: Uint8Array, into: Uint8Array): number {
  const count = Math.min(piece.length, into.length);
  into.set(piece.subarray(0, count));
  if (count < piece.length) socket.unshift(piece.subarray(count));
  return count;
}
