/** Signs service account tokens (specification, "Authentication": `--service-account-signing-key-file`). */
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import { algorithmsOf, keyId } from "./keys.ts";

/** What a token is about; claims beyond these are the issuer's. */
export interface TokenClaims {
  readonly subject: string;
  readonly audiences: readonly string[];
  /** Seconds since the epoch. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly id: string;
  /** Claim that carries the bound objects, under the product's name. */
  readonly private: Readonly<Record<string, unknown>>;
}

/** Signs with one key. */
export class TokenIssuer {
  readonly #key: KeyObject;
  readonly #algorithm: string;
  readonly #id: string;

  /** @throws Error when the text holds no private key */
  constructor(pem: string, readonly issuer: string) {
    this.#key = createPrivateKey(pem);
    const open = createPublicKey(this.#key);
    this.#algorithm = algorithmsOf(open)[0]!;
    this.#id = keyId(open);
  }

  /** A compact JWT. */
  sign(claims: TokenClaims): Promise<string> {
    return new SignJWT({ ...claims.private })
      .setProtectedHeader({ alg: this.#algorithm, kid: this.#id })
      .setIssuer(this.issuer)
      .setSubject(claims.subject)
      .setAudience([...claims.audiences])
      .setIssuedAt(claims.issuedAt)
      .setNotBefore(claims.issuedAt)
      .setExpirationTime(claims.expiresAt)
      .setJti(claims.id)
      .sign(this.#key);
  }
}
