/** Messages of external signers of service account tokens, service `v1.ExternalJWTSigner`. */
import { callOf } from "../../../schema/grpc/call.ts";
import type { Table } from "../../../schema/grpc/wire.ts";

/** A public key, as the signer tells it. */
export interface ToldKey {
  readonly keyId?: string;
  /** SPKI. */
  readonly key?: Uint8Array;
  readonly excluded?: boolean;
}

/** All keys, and when to ask again. */
export interface ToldKeys {
  readonly keys: readonly ToldKey[];
  readonly timestamp?: { readonly seconds?: number; readonly nanos?: number };
  /** Seconds. */
  readonly refreshHint?: number;
}

const KEY: Table = [[1, "keyId", "string"], [2, "key", "bytes"], [3, "excluded", "bool"]];
const TIMESTAMP: Table = [[1, "seconds", "int"], [2, "nanos", "int"]];
const at = (method: string) => `/v1.ExternalJWTSigner/${method}`;

/** Its calls. */
export const SIGNER = {
  /** `claims`: the payload in base64url. The answer's parts are in base64url as well. */
  sign: callOf<{ claims: string }, { header?: string; signature?: string }>(
    at("Sign"),
    [[1, "claims", "string"]],
    [[1, "header", "string"], [2, "signature", "string"]],
  ),
  fetchKeys: callOf<Record<string, never>, ToldKeys>(
    at("FetchKeys"),
    [],
    [[1, "keys", KEY, "repeated"], [2, "timestamp", TIMESTAMP], [3, "refreshHint", "int"]],
  ),
  metadata: callOf<Record<string, never>, { maxSeconds?: number }>(at("Metadata"), [], [[1, "maxSeconds", "int"]]),
} as const;
