/** What a client sends first where TLS is spoken: a handshake that may go on or not, or a plain request, which is told that. */
import type { Socket } from "node:net";
import { Buffer } from "node:buffer";
import { offeredGroups } from "./client_hello.ts";

/** Begins of plain requests that are known, as many bytes as the head of a TLS record has. */
const PLAIN = ["GET /", "HEAD ", "POST ", "PUT /", "OPTIO"];
const LENGTH = 5;

const ANSWER = "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n";

/** A fatal alert, `handshake_failure`. */
const ALERT = Uint8Array.of(21, 3, 3, 0, 2, 2, 40);

/** What becomes of a connection once its first bytes are there. */
export interface FirstBytes {
  /** It goes on, with all of its bytes still to be read. */
  handOn(): void;
  /** It was answered and is ended; what else the client sends is let go. */
  plain(): void;
  /** It was told that the handshake fails, and is ended: the client offers no group of `groups`. */
  refused(): void;
}

/** Looks at the first bytes of an accepted connection. `groups`: those of key exchanges of which clients must offer one; empty: any. */
export function greet(socket: Socket, { handOn, plain, refused }: FirstBytes, groups: readonly number[]): void {
  let head: Buffer = Buffer.alloc(0);
  const look = (chunk: Buffer) => {
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    const begin = head.toString("latin1", 0, LENGTH);
    if (begin.length < LENGTH && PLAIN.some((known) => known.startsWith(begin))) return;
    const isPlain = PLAIN.includes(begin), offered = isPlain || groups.length === 0 ? groups : offeredGroups(head);
    if (offered === undefined) return;
    socket.off("data", look);
    if (isPlain) {
      socket.resume().end(ANSWER);
      return plain();
    }
    // Who does not tell what it has is left to the runtime.
    if (offered.length > 0 && !offered.some((group) => groups.includes(group))) {
      socket.resume().end(ALERT);
      return refused();
    }
    socket.pause();
    socket.unshift(head);
    handOn();
  };
  socket.on("data", look);
}
