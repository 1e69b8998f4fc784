/** Hosts and ports in one text, as URLs and sockets name them. */

/** A host (an IPv6 address without brackets) and a port. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** A host as a URL has it: an IPv6 address in brackets. */
export const urlHost = (host: string): string => host.includes(":") ? `[${host}]` : host;

/** `host:port`, an IPv6 address in brackets. */
export const hostPort = (host: string, port: number | string): string => `${urlHost(host)}:${port}`;

/** Reads {@linkcode hostPort}; undefined for what is none. */
export function parseHostPort(text: string): HostPort | undefined {
  const [, bracketed, plain, digits] = /^(?:\[([^[\]]+)\]|([^[\]:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain, port = Number(digits);
  return host !== undefined && port >= 1 && port <= 65535 ? { host, port } : undefined;
}
