/** Addresses at sockets that take both families of the internet protocol. */

/**
 * Where to listen for `host`: `0.0.0.0` means all interfaces, those of IPv6 too where a socket of it takes both.
 * @param v6only `/proc/sys/net/ipv6/bindv6only`; undefined: the system has no IPv6, or does not tell
 */
export const socketHost = (host: string, v6only: string | undefined): string =>
  host === "0.0.0.0" && v6only?.trim() === "0" ? "::" : host;

/** A client's address without the form that a socket of both families gives to one of IPv4. */
export const addressOf = (remote: string): string =>
  remote.startsWith("::ffff:") && remote.includes(".") ? remote.slice("::ffff:".length) : remote;
