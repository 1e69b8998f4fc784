/** Messages of key management services, versions v1beta1 (`v1` in configurations) and v2, and of what v2 leaves in the store. */
import { callOf } from "../../../../schema/grpc/call.ts";
import { decode, encode, type Table } from "../../../../schema/grpc/wire.ts";

/** An annotation of a data key. */
export interface Annotation {
  readonly key?: string;
  readonly value?: Uint8Array;
}

const ANNOTATION: Table = [[1, "key", "string"], [2, "value", "bytes"]];

/** Calls of v2. Absent fields are undefined. */
export const V2 = {
  status: callOf<Record<string, never>, { version?: string; healthz?: string; keyId?: string }>(
    "/v2.KeyManagementService/Status",
    [],
    [[1, "version", "string"], [2, "healthz", "string"], [3, "keyId", "string"]],
  ),
  encrypt: callOf<
    { plaintext: Uint8Array; uid: string },
    { ciphertext?: Uint8Array; keyId?: string; annotations: Annotation[] }
  >(
    "/v2.KeyManagementService/Encrypt",
    [[1, "plaintext", "bytes"], [2, "uid", "string"]],
    [[1, "ciphertext", "bytes"], [2, "keyId", "string"], [3, "annotations", ANNOTATION, "repeated"]],
  ),
  decrypt: callOf<
    { ciphertext: Uint8Array; uid: string; keyId: string; annotations: readonly Annotation[] },
    { plaintext?: Uint8Array }
  >(
    "/v2.KeyManagementService/Decrypt",
    [[1, "ciphertext", "bytes"], [2, "uid", "string"], [3, "keyId", "string"], [
      4,
      "annotations",
      ANNOTATION,
      "repeated",
    ]],
    [[1, "plaintext", "bytes"]],
  ),
} as const;

/** Calls of v1. */
export const V1 = {
  version: callOf<{ version: string }, { version?: string }>(
    "/v1beta1.KeyManagementService/Version",
    [[1, "version", "string"]],
    [[1, "version", "string"], [2, "runtimeName", "string"], [3, "runtimeVersion", "string"]],
  ),
  encrypt: callOf<{ version: string; plain: Uint8Array }, { cipher?: Uint8Array }>(
    "/v1beta1.KeyManagementService/Encrypt",
    [[1, "version", "string"], [2, "plain", "bytes"]],
    [[1, "cipher", "bytes"]],
  ),
  decrypt: callOf<{ version: string; cipher: Uint8Array }, { plain?: Uint8Array }>(
    "/v1beta1.KeyManagementService/Decrypt",
    [[1, "version", "string"], [2, "cipher", "bytes"]],
    [[1, "plain", "bytes"]],
  ),
} as const;

/** How a data key comes from what the service decrypts: it is the key, or a seed of keys. */
export const SOURCE = { key: 0, seed: 1 } as const;

/** What v2 leaves in the store after its prefix. */
export interface EncryptedObject {
  readonly data: Uint8Array;
  readonly keyId: string;
  /** The data key or seed, encrypted by the service. */
  readonly source: Uint8Array;
  readonly annotations: readonly Annotation[];
  readonly sourceType: number;
}

const ENCRYPTED_OBJECT: Table = [
  [1, "data", "bytes"],
  [2, "keyId", "string"],
  [3, "source", "bytes"],
  [4, "annotations", ANNOTATION, "repeated"],
  [5, "sourceType", "enum"],
];

/** Its bytes. */
export const encodeEncrypted = (o: EncryptedObject): Uint8Array => encode(ENCRYPTED_OBJECT, o);

/** The object of the bytes, not checked. @throws Error when they are none */
export function decodeEncrypted(bytes: Uint8Array): EncryptedObject {
  const none = new Uint8Array();
  const read = decode<Partial<EncryptedObject>>(ENCRYPTED_OBJECT, bytes);
  return { data: none, keyId: "", source: none, annotations: [], sourceType: 0, ...read };
}
