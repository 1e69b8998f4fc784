/** How many connections a process has descriptors for. */

/** A fourth for connections: each takes up to three, and what else the process does needs some. */
const PART = 4;

/**
 * Most connections that a process allows; as many as are asked for where that is not known.
 * @param limits `/proc/self/limits`; undefined: the system has none
 */
export function connectionsFor(limits: string | undefined, asked: number): number {
  const allowed = /^Max open files\s+(\d+)/m.exec(limits ?? "")?.[1];
  return allowed === undefined ? asked : Math.max(1, Math.min(asked, Math.floor(Number(allowed) / PART)));
}
