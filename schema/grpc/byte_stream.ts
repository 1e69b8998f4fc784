/** Connections as streams of bytes. */
import { concat } from "../values/bytes.ts";
import type { Connection, DuplexOptions } from "./http2.ts";

/** Bytes read at once. */
const PIECE = 64 * 1024;
const NONE = new Uint8Array();

/** A connection as a stream. @param lost told why it ended, where that was not asked for @param sends told what is sent */
export function streamOf(
  connection: Connection,
  lost: (why: string) => void,
  sends: (bytes: Uint8Array) => void = () => {},
): DuplexOptions {
  let buffer = new Uint8Array(PIECE);
  let closed = false;
  const write = (bytes: Uint8Array, done: (e?: Error) => void): void => {
    sends(bytes);
    writeAll(connection, bytes).then(() => done(), (e: Error) => {
      if (!closed) lost(e.message);
      done(e);
    });
  };
  return {
    allowHalfOpen: false,
    read() {
      connection.read(buffer).then((count) => {
        if (closed) return;
        if (count === null) lost("the other side closed the connection");
        this.push(count === null ? null : buffer.slice(0, count));
      }, (e: Error) => {
        if (closed) return;
        lost(e.message);
        this.destroy();
      });
    },
    write: (chunk, _encoding, done) => write(chunk, done),
    writev: (chunks, done) => write(concat(chunks.map(({ chunk }) => chunk)), done),
    destroy(e, done) {
      closed = true;
      // The runtime keeps something of each session that was (docs/limits.md).
      buffer = NONE;
      connection.close();
      done(e);
    },
  };
}

async function writeAll(connection: Connection, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}
