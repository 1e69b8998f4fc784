/**
 * HTTP/2 by `node:http2`: half of what `fetch` costs, and without its pause of 40 ms before a body (head and body go out as two
 * segments, the second of which waits for the acknowledgement of the first).
 */
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from "node:http2";
import type { Target } from "./target.ts";
import type { Answer, Transport } from "./transport.ts";

/** Requests go to the connections in turns. */
export function overHttp2({ url, identity }: Target, connections: number): Transport {
  const { ca, cert, key } = identity;
  // A window that the client never makes the server wait for.
  const settings = { enablePush: false, initialWindowSize: 16 * 1024 * 1024 };
  const options = { ca, ...(cert && key ? { cert, key } : {}), settings };
  const sessions = Array.from({ length: connections }, () => {
    const session = connect(url, options);
    // What breaks a connection breaks its streams too, which tell.
    session.on("error", () => {});
    session.on("connect", () => session.setLocalWindowSize(64 * 1024 * 1024));
    return session;
  });
  let next = 0;
  return {
    send({ method = "GET", path, body }, headers) {
      const session = sessions[next++ % sessions.length]!;
      const stream = session.request({ ":method": method, ":path": path, ...headers }, {
        endStream: body === undefined,
      });
      if (body !== undefined) stream.end(body);
      return answerOf(session, stream);
    },
    close: () => sessions.forEach((session) => session.destroy()),
  };
}

function answerOf(session: ClientHttp2Session, stream: ClientHttp2Stream): Promise<Answer> {
  return new Promise((resolve, reject) => {
    stream.once("error", reject);
    stream.once("close", () => reject(new Error(session.destroyed ? "the connection broke" : "a stream ended early")));
    stream.once(
      "response",
      (head) =>
        resolve({
          status: Number(head[":status"]),
          head: () => Object.fromEntries(Object.entries(head).map(([name, value]) => [name, String(value)])),
          read: (piece) => read(stream, piece),
          cancel,
        }),
    );
    const cancel = () => stream.close(constants.NGHTTP2_CANCEL);
  });
}

function read(stream: ClientHttp2Stream, piece: (bytes: Uint8Array) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.on("data", piece);
    stream.once("end", resolve);
    stream.once("error", reject);
    stream.once("close", () => {
      const { rstCode } = stream;
      if (rstCode === constants.NGHTTP2_NO_ERROR || rstCode === constants.NGHTTP2_CANCEL) return resolve();
      reject(new Error(`a stream ended with code ${rstCode}`));
    });
  });
}
