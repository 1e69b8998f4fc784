import type { Limits } from "./types.ts";

/**
 * Handshake, first request and idle times follow the public server's (its header time, for both, is 32 s; its idle time 90 s is doubled here
 * because a request in flight is counted, not bytes). The count keeps memory under 2 GB at the measured 79 KB a connection. Who watches
 * over a WebSocket has nothing to say but that he is there, some bytes in half a minute; the runtime gathers 64 MB for a message.
 */
export const DEFAULT_LIMITS: Limits = {
  handshakeMs: 32_000,
  firstRequestMs: 32_000,
  idleMs: 180_000,
  connections: 20_000,
  lingerMs: 5_000,
  socketBytes: 2 * 1024 * 1024,
};

/** What the system lets this process have; undefined where it does not say so. */
export const systemLimits = (): string | undefined => read("/proc/self/limits");

/** Whether sockets of IPv6 take it alone, as the system says it; undefined where it does not. */
export const v6Only = (): string | undefined => read("/proc/sys/net/ipv6/bindv6only");

function read(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}
