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

/** Splits `https://host/path?query`. */
export function splitUrl(address: string): SplitUrl {
  const slash = address.indexOf("/", address.indexOf("://") + 3);
  const mark = address.indexOf("?", slash);
  if (slash > 0 && address.indexOf("#") < 0) {
    const path = mark < 0 ? address.slice(slash) : address.slice(slash, mark);
    if (PLAIN.test(path) || DOTS.test(path)) return { path, query: mark < 0 ? "" : address.slice(mark + 1) };
  }
  // The host may be none that a URL can have, which the path is all the same behind.
  const { pathname, search } = new URL(slash > 0 ? `http://x${address.slice(slash)}` : address);
  return { path: pathname, query: search.slice(1) };
}
