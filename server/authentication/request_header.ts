/** A front proxy's headers, believed when its own client certificate is (`--requestheader-*`). */
import { type Certificate, verifyChain } from "../../pki/mod.ts";
import type { Connection } from "../request.ts";
import { headerText, type RequestHeaders } from "../request_headers.ts";
import type { Authenticator } from "./types.ts";

/** What the method needs. Header names in any case. */
export interface RequestHeaderOptions {
  readonly roots: () => readonly Certificate[];
  readonly now: () => number;
  /** Common names of proxies; empty: every verified one. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

interface Seen {
  readonly roots: readonly Certificate[];
  readonly until: number;
  /** Undefined: a proxy that may speak for others. */
  readonly refusal: string | undefined;
}

/** Repeated headers are joined by a comma and a space; a name with just these cannot be told from two. Values may be empty. */
export const headerValues = (headers: RequestHeaders, name: string): string[] => {
  const joined = headers.get(name);
  return joined === null ? [] : headerText(joined).split(", ");
};

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** `X-Remote-Extra-Scopes: a` under prefix `X-Remote-Extra-` is `{scopes: ["a"]}`. Keys may be any text, and each has a value. */
export function extraOf(headers: RequestHeaders, prefixes: readonly string[]): Record<string, string[]> {
  const out = new Map<string, string[]>();
  for (const prefix of prefixes.map((p) => p.toLowerCase())) {
    headers.forEach((_, name) => {
      if (!name.startsWith(prefix)) return;
      const values = headerValues(headers, name);
      const key = unescaped(name.slice(prefix.length));
      out.set(key, [...(out.get(key) ?? []), ...values]);
    });
  }
  return Object.fromEntries(out);
}

/**
 * The method. A connection without a certificate, or a request without a user header, is none of its own. It throws an Error that
 * says why for a certificate that is not the proxy's.
 */
export function requestHeaders(options: RequestHeaderOptions): Authenticator {
  const seen = new WeakMap<Connection, Seen>();
  const refusal = (connection: Connection): string | undefined => {
    const roots = options.roots(), now = options.now();
    let known = seen.get(connection);
    if (!known || known.roots !== roots || known.until < now) {
      known = { roots, ...judge(connection, roots, now, options.allowedNames) };
      seen.set(connection, known);
    }
    return known.refusal;
  };
  const lower = (names: readonly string[]) => names.map((name) => name.toLowerCase());
  const [users, uids, groups] = [options.usernameHeaders, options.uidHeaders, options.groupHeaders].map(lower);
  const first = (headers: RequestHeaders, names: readonly string[]) =>
    headerText(names.map((n) => headers.get(n)).find((v) => v !== null && v !== "") ?? "");
  return {
    name: "request header",
    authenticate(request, connection) {
      if (connection.peerCertificates.length === 0) return undefined;
      const name = first(request.headers, users!);
      if (name === "") return undefined;
      const why = refusal(connection);
      if (why !== undefined) throw new Error(`request header: ${why}`);
      const uid = first(request.headers, uids!);
      return {
        user: {
          name,
          ...(uid ? { uid } : {}),
          groups: groups!.flatMap((h) => headerValues(request.headers, h)).filter((group) => group !== ""),
          extra: extraOf(request.headers, options.extraHeaderPrefixes),
        },
      };
    },
  };
}

function judge(
  connection: Connection,
  roots: readonly Certificate[],
  now: number,
  allowed: readonly string[],
): Pick<Seen, "until" | "refusal"> {
  const result = verifyChain(connection.peerCertificates, roots, now);
  if (!result.ok) return { until: now + 60_000, refusal: result.reason };
  const { until } = result;
  if (allowed.length === 0 || allowed.includes(result.leaf.commonName)) return { until, refusal: undefined };
  return { until, refusal: `the common name "${result.leaf.commonName}" is not allowed` };
}
