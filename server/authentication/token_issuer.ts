/** Signs service account tokens (specification, "Authentication": `--service-account-signing-key-file`). */
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import type { Cancellable } from "../request.ts";
import { algorithmsOf, keyId } from "./keys.ts";

/** What a token is about; claims beyond these are the issuer's. */
export interface TokenClaims {
  readonly subject: string;
  readonly audiences: readonly string[];
  /** Seconds since the epoch. */
  readonly issuedAt: number;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
  readonly id: string;
  /** Claim that carries the bound objects, under the product's name. */
  readonly private: Readonly<Record<string, unknown>>;
}

/** Makes tokens of claims. */
export interface TokenSigner {
  /** A compact JWT. @throws Error when it cannot be signed, or who wants it goes */
  sign(claims: TokenClaims, wanted?: AbortSignal | Cancellable): Promise<string>;
}

/** All claims of a token, the issuer's among them; the standard ones win over private ones. */
export function tokenPayload(claims: TokenClaims, issuer: string): Record<string, unknown> {
  return {
    ...claims.private,
    iss: issuer,
    sub: claims.subject,
    aud: [...claims.audiences],
    iat: claims.issuedAt,
    nbf: claims.issuedAt,
    exp: claims.expiresAt,
    jti: claims.id,
  };
}

/** Signs with one key. */
export class TokenIssuer implements TokenSigner {
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
    return new SignJWT(tokenPayload(claims, this.issuer))
      .setProtectedHeader({ alg: this.#algorithm, kid: this.#id })
      .sign(this.#key);
  }
}
