import type { Limits } from "./types.ts";

/**
 * Handshake, first request and idle times follow the public server's (its header time is 32 s; its idle time 90 s is doubled here
 * because a request in flight is counted, not bytes). The count keeps memory under 2 GB at the measured 79 KB a connection.
 */
export const DEFAULT_LIMITS: Limits = {
  handshakeMs: 10_000,
  firstRequestMs: 32_000,
  idleMs: 180_000,
  connections: 20_000,
  lingerMs: 5_000,
};

/** Connections take three descriptors each; a fourth is left for the rest of the server. */
const DESCRIPTORS = 4;

/** Most connections that the descriptors of this process allow; as many as are asked for where their number is not known. */
export function connectionsFor(descriptors: number | undefined, asked: number): number {
  return descriptors === undefined ? asked : Math.max(1, Math.min(asked, Math.floor(descriptors / DESCRIPTORS)));
}

/** How many descriptors this process may have; undefined where the system does not say so. */
export function descriptorsAllowed(): number | undefined {
  try {
    const [, allowed] = /^Max open files\s+(\d+)/m.exec(Deno.readTextFileSync("/proc/self/limits")) ?? [];
    return allowed === undefined ? undefined : Number(allowed);
  } catch {
    return undefined;
  }
}
