/** Path and query of a request's address, without the cost of a URL where there is nothing to resolve. */

/** See the top of the file. */
export interface SplitUrl {
  /** As a URL has it, but that dot segments are not resolved: they are names that nothing has. Percent-encoding is kept. */
  readonly path: string;
  /** Without the question mark; empty without a query. */
  readonly query: string;
}

/** Nothing to encode, and no segment that begins with a dot. */
const PLAIN = /^(?:\/(?![.])[\w\-.:~]*)+$/;

/** A segment that a URL would resolve. */
const DOTS = /\/(?:\.|%2e){1,2}(?=\/|$)/i;

/** What stands behind the host of `https://host/path?query`, as it came; a query may follow the host at once. */
export function behindHost(address: string): string {
  const host = address.indexOf("://") + 3, slash = address.indexOf("/", host), mark = address.indexOf("?", host);
  if (slash >= 0 && (mark < 0 || slash < mark)) return address.slice(slash);
  return mark < 0 ? "/" : `/${address.slice(mark)}`;
}

/** Splits `https://host/path?query`. The host may be none that a URL can have. */
export function splitUrl(address: string): SplitUrl {
  const behind = behindHost(address), mark = behind.indexOf("?");
  const path = mark < 0 ? behind : behind.slice(0, mark), query = mark < 0 ? "" : behind.slice(mark + 1);
  if (behind.indexOf("#") < 0 && (PLAIN.test(path) || DOTS.test(path))) return { path, query };
  // A URL takes backslashes of paths for slashes, and resolves dots between them.
  const { pathname, search } = new URL(`http://x${path.replaceAll("\\", "%5C")}${behind.slice(path.length)}`);
  return { path: pathname, query: search.slice(1) };
}
