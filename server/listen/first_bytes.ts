/** What a client sends first where TLS is spoken: a handshake, or a plain request, which is told that. */
import type { Socket } from "node:net";
import { Buffer } from "node:buffer";

/** Begins of plain requests that are known, as many bytes as the head of a TLS record has. */
const PLAIN = ["GET /", "HEAD ", "POST ", "PUT /", "OPTIO"];
const LENGTH = 5;

const ANSWER = "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n";

/** What becomes of a connection once its first bytes are there. */
export interface FirstBytes {
  /** It goes on, with all of its bytes still to be read. */
  handOn(): void;
  /** It was answered and is ended; what else the client sends is let go. */
  plain(): void;
}

/** Looks at the first bytes of an accepted connection. */
export function greet(socket: Socket, { handOn, plain }: FirstBytes): void {
  let head: Buffer = Buffer.alloc(0);
  const look = (chunk: Buffer) => {
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    const begin = head.toString("latin1", 0, LENGTH);
    if (begin.length < LENGTH && PLAIN.some((known) => known.startsWith(begin))) return;
    socket.off("data", look);
    if (PLAIN.includes(begin)) {
      socket.resume().end(ANSWER);
      return plain();
    }
    socket.pause();
    socket.unshift(head);
    handOn();
  };
  socket.on("data", look);
}
