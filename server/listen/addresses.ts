/** Addresses of a host of both families. */

/** Whether a socket of IPv6 takes connections of IPv4 too, as it does unless the system says otherwise. */
function takesBoth(): boolean {
  try {
    return Deno.readTextFileSync("/proc/sys/net/ipv6/bindv6only").trim() === "0";
  } catch {
    return false; // no IPv6, or nobody tells
  }
}

/** Where to listen for `hostname`: `0.0.0.0` means all interfaces, those of IPv6 too where the system has them. */
export const socketHost = (hostname: string): string => hostname === "0.0.0.0" && takesBoth() ? "::" : hostname;

/** A client's address without the form that a socket of both families gives to one of IPv4. */
export const addressOf = (remote: string): string =>
  remote.startsWith("::ffff:") && remote.includes(".") ? remote.slice("::ffff:".length) : remote;
