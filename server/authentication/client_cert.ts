/** Client certificates: the common name is the user, the organizations are the groups. */
import { createHash } from "node:crypto";
import type { Product } from "../../schema/product.ts";
import { children, oidText, read, text } from "../../pki/der.ts";
import {
  type Certificate,
  type CertificateFacts,
  certificateFacts,
  type ChainResult,
  verifyChain,
} from "../../pki/mod.ts";
import type { Connection, User } from "../request.ts";
import type { Authenticated, Authenticator } from "./types.ts";

/** Attribute of a subject that holds the user's uid. */
const UID_OID = "1.3.6.1.4.1.57683.2";

/** What the method needs. */
export interface ClientCertOptions {
  readonly product: Product;
  /** The authorities now; a new array after a reload. */
  readonly roots: () => readonly Certificate[];
  readonly now: () => number;
  /** Gate AllowParsingUserUIDFromCertAuth. */
  readonly parseUid: boolean;
  /** Hears with each request how long its certificate is good for yet, ms; below zero: it has ended. */
  readonly remaining?: ((ms: number) => void) | undefined;
}

interface Seen {
  readonly roots: readonly Certificate[];
  /** The answer holds until then: the first end of a certificate on the path. */
  readonly until: number;
  readonly answer: Authenticated | Error | undefined;
  /** When the client's own certificate ends, ms since the epoch; NaN: it is none. */
  readonly end: number;
}

/**
 * A verification per connection, again after a reload of the authorities or the end of a certificate on the path. It throws
 * an Error that says why for a certificate that does not hold; without a certificate, or by one without a common name, nobody is
 * known.
 */
export function clientCertificates(options: ClientCertOptions): Authenticator {
  const seen = new WeakMap<Connection, Seen>();
  const check = (connection: Connection): Authenticated | undefined => {
    if (connection.peerCertificates.length === 0) return undefined;
    const roots = options.roots(), now = options.now();
    let known = seen.get(connection);
    if (!known || known.roots !== roots || known.until < now) {
      const result = verifyChain(connection.peerCertificates, roots, now);
      const der = connection.peerCertificates[0]!;
      known = { roots, end: endOf(der), ...judge(result, der, options, now) };
      seen.set(connection, known);
    }
    if (!Number.isNaN(known.end)) options.remaining?.(known.end - now);
    if (known.answer instanceof Error) throw known.answer;
    return known.answer;
  };
  return { name: "x509", authenticate: (_request, connection) => check(connection) };
}

function endOf(der: Uint8Array): number {
  try {
    return certificateFacts(der).notAfter.getTime();
  } catch {
    return NaN;
  }
}

function judge(
  result: ChainResult,
  der: Uint8Array,
  options: ClientCertOptions,
  now: number,
): Pick<Seen, "until" | "answer"> {
  // A refusal is asked again after a minute: a certificate may become valid.
  if (!result.ok) return { until: now + 60_000, answer: new Error(`x509: ${result.reason}`) };
  const { until } = result;
  if (!result.leaf.commonName) return { until, answer: undefined };
  try {
    return { until, answer: { user: userOf(result.leaf, der, options) } };
  } catch (error) {
    return { until, answer: error as Error };
  }
}

function userOf(leaf: CertificateFacts, der: Uint8Array, { product, parseUid }: ClientCertOptions): User {
  const id = createHash("sha256").update(der).digest("hex");
  const uid = parseUid ? uidOf(leaf.subject) : undefined;
  return {
    name: leaf.commonName,
    groups: leaf.organizations,
    ...(uid ? { uid } : {}),
    extra: { [product.local("authentication.kubernetes.io/credential-id")]: [`X509SHA256=${id}`] },
  };
}

/** @throws Error when there are several uids, or an empty one */
function uidOf(subject: Uint8Array): string | undefined {
  const found = children(read(subject)).flatMap((set) => children(set)).flatMap((pair) => {
    const [id, content] = children(pair);
    return id && content && oidText(id) === UID_OID ? [text(content)] : [];
  });
  if (found.length > 1) throw new Error("x509: the certificate names several uids");
  if (found[0] === "") throw new Error("x509: the certificate names an empty uid");
  return found[0];
}
