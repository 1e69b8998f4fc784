/** Holding back who writes to a WebSocket: it tells only how much waits. */
import { pause } from "../pause.ts";

/** Bytes that may wait in a socket. */
const WAITING_BYTES = 1 << 20;
/** How often a full socket is looked at, ms. */
const LOOK_MS = 20;
/** A socket that stays full for so long is given up, ms. */
const STUCK_MS = 60_000;

/** Waits until the socket can take more; false: it is over, or who reads it has stopped reading. */
export async function room(socket: WebSocket, signal: AbortSignal): Promise<boolean> {
  for (let waited = 0; !signal.aborted && socket.readyState === socket.OPEN; waited += LOOK_MS) {
    if (socket.bufferedAmount < WAITING_BYTES) return true;
    if (waited >= STUCK_MS) return false;
    await pause(LOOK_MS, signal);
  }
  return false;
}
