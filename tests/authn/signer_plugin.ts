/** An external signer of service account tokens on a Unix socket, for tests: it can rotate, forget, lie and fail. */
import { createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import type { Table } from "../../schema/grpc/wire.ts";
import { type Message, type Row, SocketPlugin } from "../fixture/socket_plugin.ts";

const KEY: Table = [[1, "keyId", "string"], [2, "key", "bytes"], [3, "excluded", "bool"]];
const TIMESTAMP: Table = [[1, "seconds", "int"], [2, "nanos", "int"]];

/** A key of the signer. */
export interface SignerKey {
  readonly keyId: string;
  readonly privateKey: string;
  readonly key: Uint8Array;
  readonly excluded?: boolean;
}

/** A new key of P-256. */
export function signerKey(keyId: string): SignerKey {
  const { privateKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const der = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  return { keyId, privateKey, key: Uint8Array.from(der) };
}

const base64url = (bytes: Uint8Array): string => bytes.toBase64({ alphabet: "base64url", omitPadding: true });

/** A running signer. */
export class SignerPlugin extends SocketPlugin {
  /** What it tells; the first signs. */
  keys: SignerKey[] = [signerKey("key-1")];
  timestamp: Message | undefined = { seconds: 1_700_000_000, nanos: 500_000_000 };
  refreshHint = 60;
  maxSeconds = 86_400;
  /** In place of the header's members, or of the whole header. */
  header: Message | string = {};
  signature: string | undefined;
  /** What it was asked to sign last, as text. */
  claims = "";

  protected services(): Readonly<Record<string, Readonly<Record<string, Row>>>> {
    return {
      "v1.ExternalJWTSigner": {
        Sign: [
          [[1, "claims", "string"]],
          [[1, "header", "string"], [2, "signature", "string"]],
          ({ claims }) => this.#sign(claims as string),
        ],
        FetchKeys: [
          [],
          [[1, "keys", KEY, "repeated"], [2, "timestamp", TIMESTAMP], [3, "refreshHint", "int"]],
          () => ({ keys: this.keys, timestamp: this.timestamp, refreshHint: this.refreshHint }),
        ],
        Metadata: [[], [[1, "maxSeconds", "int"]], () => ({ maxSeconds: this.maxSeconds })],
      },
    };
  }

  #sign(claims: string): Message {
    this.claims = new TextDecoder().decode(Uint8Array.fromBase64(claims, { alphabet: "base64url" }));
    const { privateKey, keyId } = this.keys[0]!;
    const text = typeof this.header === "string"
      ? this.header
      : JSON.stringify({ alg: "ES256", typ: "JWT", kid: keyId, ...this.header });
    const header = base64url(new TextEncoder().encode(text));
    const bytes = new TextEncoder().encode(`${header}.${claims}`);
    const made = sign("sha256", bytes, { key: privateKey, dsaEncoding: "ieee-p1363" });
    return { header, signature: this.signature ?? base64url(Uint8Array.from(made)) };
  }
}
