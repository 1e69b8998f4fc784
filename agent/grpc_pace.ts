/** How often others on the host may ask a service of the agent's own. */
import type { Clock } from "./types.ts";

/** Requests a second, and at once after a quiet time. */
const QPS = 100, BURST = 10;

/** Whether one more may ask now. */
export function paced(clock: Clock): () => boolean {
  let tokens = BURST, at = clock.ticks();
  return () => {
    const now = clock.ticks();
    tokens = Math.min(BURST, tokens + (now - at) * QPS / 1000);
    at = now;
    if (tokens < 1) return false;
    tokens--;
    return true;
  };
}
