/** Stopping what a client may send. */
import type { Socket } from "node:net";

/** The two calls of a socket's handle that start and stop reading from the system. */
interface Handle {
  readStop(): number;
  readStart(): number;
}

function handleOf(socket: Socket): Handle | undefined {
  const handle: unknown = Reflect.get(socket, "_handle");
  return handle !== null && typeof handle === "object" && "readStop" in handle && "readStart" in handle
    ? handle as Handle
    : undefined;
}

/**
 * Has a TLS socket that is paused stop the accepted socket below it at its handle: in this runtime it would go on reading into memory,
 * and pausing the accepted socket does not stop it either.
 */
export function pauseBelow(socket: Socket, raw: Socket): void {
  const { pause, resume } = socket;
  let stopped = false;
  // Not before what was read already is passed on: each resume would let in more than it lets out.
  const start = () => {
    if (!stopped || socket.isPaused() || socket.readableLength > 0) return;
    stopped = false;
    socket.off("data", start);
    handleOf(raw)?.readStart();
  };
  socket.pause = () => {
    pause.call(socket);
    if (!stopped) {
      stopped = true;
      handleOf(raw)?.readStop();
      socket.on("data", start);
    }
    return socket;
  };
  socket.resume = () => {
    resume.call(socket);
    start();
    return socket;
  };
}
