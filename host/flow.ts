/** Stopping and starting what a client may send. */
import type { Socket } from "node:net";

/** The two calls of a socket's handle that start and stop reading from the system. */
interface Handle {
  readStop(): number;
  readStart(): number;
}

/** Turns the bytes from one client off and on. Both are idempotent. */
export interface Flow {
  pause(): void;
  resume(): void;
}

function handleOf(socket: Socket): Handle | undefined {
  const handle: unknown = Reflect.get(socket, "_handle");
  return handle !== null && typeof handle === "object" && "readStop" in handle && "readStart" in handle
    ? handle as Handle
    : undefined;
}

/**
 * The flow of an outer socket. A TLS socket that is paused goes on reading into memory in this runtime (a client could send without
 * bound to a handler that does not read), so the accepted socket below it is stopped at its handle, which pausing it does not do
 * either. A test sends more than memory should hold to a handler that does not read.
 */
export function flowOf(outer: Socket, raw: Socket): Flow {
  const own = ownFlow(outer);
  if (outer === raw) return own;
  let stopped = false;
  // Not before what was read already is passed on: each resume would let in more than it lets out.
  const start = () => {
    if (!stopped || outer.isPaused() || outer.readableLength > 0) return;
    stopped = false;
    outer.off("data", start);
    handleOf(raw)?.readStart();
  };
  return {
    pause() {
      own.pause();
      if (stopped) return;
      stopped = true;
      handleOf(raw)?.readStop();
      outer.on("data", start);
    },
    resume() {
      own.resume();
      start();
    },
  };
}

function ownFlow(socket: Socket): Flow {
  const { pause, resume } = socket;
  return { pause: () => void pause.call(socket), resume: () => void resume.call(socket) };
}

/** Has whoever pauses a TLS socket stop the connection below it too, for those that know of the one socket only. */
export function pauseBelow(socket: Socket, raw: Socket): void {
  const flow = flowOf(socket, raw);
  socket.pause = () => {
    flow.pause();
    return socket;
  };
  socket.resume = () => {
    flow.resume();
    return socket;
  };
}
