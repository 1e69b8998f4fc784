/** A key management service on a Unix socket, for tests: it speaks both versions, and can rotate, fail and count. */
import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, createHash } from "node:crypto";
import type { Table } from "../../schema/grpc/wire.ts";
import { type Row, SocketPlugin } from "../fixture/socket_plugin.ts";

const ANNOTATION: Table = [[1, "key", "string"], [2, "value", "bytes"]];

/** A running service. */
export class KmsPlugin extends SocketPlugin {
  /** The key it uses now, by name. */
  keyId = "key-1";
  healthz = "ok";
  /** The version that it says to speak, where that is not the one that it is asked in. */
  speaks: string | undefined;
  /** What it gives in place of what it encrypts. */
  instead: Uint8Array | undefined;
  /** The key that v2 encrypts by, where it is not the one that it says to use. */
  encryptsBy: string | undefined;

  protected services(): Readonly<Record<string, Readonly<Record<string, Row>>>> {
    return {
      "v2.KeyManagementService": {
        Status: [[], [[1, "version", "string"], [2, "healthz", "string"], [3, "keyId", "string"]], () => ({
          version: this.speaks ?? "v2",
          healthz: this.healthz,
          keyId: this.keyId,
        })],
        Encrypt: [
          [[1, "plaintext", "bytes"], [2, "uid", "string"]],
          [[1, "ciphertext", "bytes"], [2, "keyId", "string"], [3, "annotations", ANNOTATION, "repeated"]],
          ({ plaintext }) => ({
            ciphertext: this.instead ?? cipher(this.keyId, plaintext as Uint8Array),
            keyId: this.encryptsBy ?? this.keyId,
            annotations: [{ key: "version.example.com", value: new TextEncoder().encode("1") }],
          }),
        ],
        Decrypt: [
          [[1, "ciphertext", "bytes"], [2, "uid", "string"], [3, "keyId", "string"], [
            4,
            "annotations",
            ANNOTATION,
            "repeated",
          ]],
          [[1, "plaintext", "bytes"]],
          ({ ciphertext, keyId, annotations }) => {
            const [annotation] = annotations as { key?: string }[];
            if (annotation?.key !== "version.example.com") throw new Error("no annotation");
            return { plaintext: decipher(keyId as string, ciphertext as Uint8Array) };
          },
        ],
      },
      "v1beta1.KeyManagementService": {
        Version: [[[1, "version", "string"]], [[1, "version", "string"]], () => ({
          version: this.speaks ?? "v1beta1",
        })],
        Encrypt: [
          [[1, "version", "string"], [2, "plain", "bytes"]],
          [[1, "cipher", "bytes"]],
          ({ plain }) => ({ cipher: this.instead ?? cipher("v1", plain as Uint8Array) }),
        ],
        Decrypt: [
          [[1, "version", "string"], [2, "cipher", "bytes"]],
          [[1, "plain", "bytes"]],
          (q) => ({ plain: decipher("v1", q["cipher"] as Uint8Array) }),
        ],
      },
    };
  }
}

const keyOf = (keyId: string) => createHash("sha256").update(keyId).digest();
const IV = Buffer.alloc(16, 3);

/** As the service encrypts. */
export function cipher(keyId: string, plain: Uint8Array): Uint8Array {
  const c = createCipheriv("aes-256-cbc", keyOf(keyId), IV);
  return Buffer.concat([c.update(plain), c.final()]);
}

function decipher(keyId: string, bytes: Uint8Array): Uint8Array {
  const d = createDecipheriv("aes-256-cbc", keyOf(keyId), IV);
  return Buffer.concat([d.update(bytes), d.final()]);
}
