/** Where a gRPC endpoint is, by the names that gRPC has for it. */

/** A path of a Unix socket (the name of an abstract one after `@`), or a host (an IPv6 address without brackets) and port. */
export type Target = { readonly path: string } | { readonly host: string; readonly port: number };

/** Of names without one. */
const PORT = 443;

/** `host[:port]`, `dns:…`, `dns://resolver/…`, `unix:path`, `unix:///path`, `unix-abstract:name`; undefined for what is none of them. */
export function targetOf(endpoint: string): Target | undefined {
  const [, abstract, path] = /^unix(-abstract)?:(?:\/\/(?=\/|[^/]*$))?(.+)$/.exec(endpoint) ?? [];
  if (path) return { path: abstract ? `@${path}` : path };
  const [, named, bracketed, port] =
    /^(?:dns:(?:\/\/[^/]*\/)?)?(?:([^\s/:[\]]+)|\[([^\s\]]+)\])(?::(\d+))?$/.exec(endpoint) ?? [];
  const host = bracketed ?? named;
  return host ? { host, port: port ? Number(port) : PORT } : undefined;
}
