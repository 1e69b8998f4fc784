/** A key management service on a Unix socket, for tests: it speaks both versions, and can rotate, fail and count. */
import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, createHash } from "node:crypto";
import * as grpc from "@grpc/grpc-js";
import { decode, encode, type Table } from "../../server/storage/etcd/wire.ts";

const ANNOTATION: Table = [[1, "key", "string"], [2, "value", "bytes"]];
type Message = Record<string, unknown>;
type Handler = (request: Message) => Message;
type Row = readonly [request: Table, response: Table, handle: Handler];

/** A running service. */
export class KmsPlugin {
  /** The key it uses now, by name. */
  keyId = "key-1";
  healthz = "ok";
  /** Calls fail with it while it is set. */
  failure: grpc.status | undefined;
  readonly calls: string[] = [];
  #server = new grpc.Server();

  constructor(readonly path: string) {}

  get endpoint(): string {
    return `unix://${this.path}`;
  }

  count(method: string): number {
    return this.calls.filter((c) => c === method).length;
  }

  async start(): Promise<void> {
    this.#server = new grpc.Server();
    this.#add("v2.KeyManagementService", {
      Status: [[], [[1, "version", "string"], [2, "healthz", "string"], [3, "keyId", "string"]], () => ({
        version: "v2",
        healthz: this.healthz,
        keyId: this.keyId,
      })],
      Encrypt: [
        [[1, "plaintext", "bytes"], [2, "uid", "string"]],
        [[1, "ciphertext", "bytes"], [2, "keyId", "string"], [3, "annotations", ANNOTATION, "repeated"]],
        ({ plaintext }) => ({
          ciphertext: cipher(this.keyId, plaintext as Uint8Array),
          keyId: this.keyId,
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
    });
    this.#add("v1beta1.KeyManagementService", {
      Version: [[[1, "version", "string"]], [[1, "version", "string"]], () => ({ version: "v1beta1" })],
      Encrypt: [
        [[1, "version", "string"], [2, "plain", "bytes"]],
        [[1, "cipher", "bytes"]],
        ({ plain }) => ({ cipher: cipher("v1", plain as Uint8Array) }),
      ],
      Decrypt: [
        [[1, "version", "string"], [2, "cipher", "bytes"]],
        [[1, "plain", "bytes"]],
        (q) => ({ plain: decipher("v1", q["cipher"] as Uint8Array) }),
      ],
    });
    await new Promise<void>((resolve, reject) =>
      this.#server.bindAsync(
        `unix:${this.path}`,
        grpc.ServerCredentials.createInsecure(),
        (e) => e ? reject(e) : resolve(),
      )
    );
  }

  stop(): void {
    this.#server.forceShutdown();
  }

  #add(service: string, rows: Record<string, Row>): void {
    const definition: Record<string, grpc.MethodDefinition<Message, Message>> = {};
    const handlers: Record<string, grpc.handleUnaryCall<Message, Message>> = {};
    for (const [name, [request, response, handle]] of Object.entries(rows)) {
      definition[name] = {
        path: `/${service}/${name}`,
        requestStream: false,
        responseStream: false,
        requestSerialize: (m) => Buffer.from(encode(request, m)),
        requestDeserialize: (b) => decode<Message>(request, Uint8Array.from(b)),
        responseSerialize: (m) => Buffer.from(encode(response, m)),
        responseDeserialize: (b) => decode<Message>(response, Uint8Array.from(b)),
      };
      handlers[name] = (call, reply) => {
        this.calls.push(name);
        if (this.failure !== undefined) return reply({ code: this.failure, details: "told to fail" });
        try {
          reply(null, handle(call.request));
        } catch (e) {
          reply({ code: grpc.status.INVALID_ARGUMENT, details: (e as Error).message });
        }
      };
    }
    this.#server.addService(definition, handlers);
  }
}

const keyOf = (keyId: string) => createHash("sha256").update(keyId).digest();
const IV = Buffer.alloc(16, 3);

function cipher(keyId: string, plain: Uint8Array): Uint8Array {
  const c = createCipheriv("aes-256-cbc", keyOf(keyId), IV);
  return Buffer.concat([c.update(plain), c.final()]);
}

function decipher(keyId: string, bytes: Uint8Array): Uint8Array {
  const d = createDecipheriv("aes-256-cbc", keyOf(keyId), IV);
  return Buffer.concat([d.update(bytes), d.final()]);
}
