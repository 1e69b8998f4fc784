/** What the authentication tests share. */
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import type { ExternalSigner } from "../../server/authentication/external_signer/mod.ts";
import { verifyKeys } from "../../server/authentication/keys.ts";
import { TokenIssuer } from "../../server/authentication/token_issuer.ts";
import type { Connection } from "../../server/request.ts";

/** A connection with these certificates. */
export const connection = (...peerCertificates: Uint8Array[]): Connection => ({
  remoteAddress: "127.0.0.1",
  peerCertificates,
  tls: true,
});

/** A GET with these headers. */
export const request = (headers: Record<string, string> = {}): Request => new Request("https://x/api", { headers });

/** Now, in every test. */
export const NOW = Date.parse("2026-11-21T10:00:00Z");

/** A key pair for ES256. */
export function keyPair(): { privateKey: KeyObject; publicPem: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { privateKey, publicPem: publicKey.export({ type: "spki", format: "pem" }) as string };
}

/** A signed token. */
export const sign = (claims: Record<string, unknown>, key: KeyObject, kid?: string): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: "ES256", ...(kid ? { kid } : {}) }).sign(key);

/** Who issues the tokens of {@linkcode signer}. */
export const ISSUER = "https://kubernetes.default.svc";
const issuing = keyPair();

/** Signs tokens of a test server's accounts. */
export function signer(): ExternalSigner {
  const issuer = new TokenIssuer(issuing.privateKey.export({ type: "pkcs8", format: "pem" }) as string, ISSUER);
  const keys = { keys: () => verifyKeys([issuing.publicPem]), published: () => [] };
  const made = { sign: issuer.sign.bind(issuer), keys, metrics: { rows: () => [] }, maxSeconds: 2 ** 32 };
  return made as unknown as ExternalSigner;
}
