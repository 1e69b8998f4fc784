/** JSON Web Tokens in their compact form. */
import { decodeJwt } from "jose";

/** Three parts in the alphabet of URLs, without padding or blanks: the library takes both behind a signature. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

const HTTPS = "https://";
/** An issuer that also names itself without a scheme. */
const GOOGLE = `${HTTPS}accounts.google.com`;

/** The names by which an issuer's tokens may call it. */
export const namesOf = (issuer: string): string[] =>
  issuer === GOOGLE ? [issuer, issuer.slice(HTTPS.length)] : [issuer];

/** Who a token says that it is of, not verified; undefined for what is no such token, or says nothing of it. */
export function issuerOf(token: string): string | undefined {
  if (!COMPACT.test(token)) return undefined;
  try {
    const { iss } = decodeJwt(token);
    return iss === GOOGLE.slice(HTTPS.length) ? GOOGLE : iss;
  } catch {
    return undefined;
  }
}
