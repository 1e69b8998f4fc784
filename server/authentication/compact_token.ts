/** JSON Web Tokens in their compact form. */
import { decodeJwt } from "jose";

/** Three parts in the alphabet of URLs, without padding or blanks: the library takes both behind a signature. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Who a token says that it is of, not verified; undefined for what is no such token, or says nothing of it. */
export function issuerOf(token: string): string | undefined {
  if (!COMPACT.test(token)) return undefined;
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}
