/** Bearer tokens among the subprotocols of a WebSocket: browsers can set no other header. */
import type { Product } from "../product.ts";

const PREFIX = "base64url.bearer.authorization.k8s.io.";
/** In whatever dialect. */
const ANY = /^base64url\.bearer\.authorization\./;

const listed = (protocols: string): string[] => protocols.split(",").map((p) => p.trim());

/** The one in a header `Sec-WebSocket-Protocol`; undefined: there is none. @throws Error when it is written wrongly */
export function tokenAmong(header: string, product: Product): string | undefined {
  const prefixes = [PREFIX, product.local(PREFIX)], protocols = listed(header);
  const found = protocols.flatMap((p) => {
    const prefix = prefixes.find((x) => p.startsWith(x));
    return prefix === undefined ? [] : [p.slice(prefix.length)];
  });
  if (found.length === 0) return undefined;
  if (found.length > 1) throw new Error("several bearer tokens among the subprotocols");
  if (protocols.length === 1) throw new Error("the token's subprotocol needs another one beside it");
  try {
    const bytes = Uint8Array.fromBase64(found[0]!, { alphabet: "base64url" });
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Error("the token among the subprotocols is not base64url text", { cause });
  }
}

/** The same header for somebody else. */
export const withoutTokens = (header: string): string => listed(header).filter((p) => !ANY.test(p)).join(", ");
