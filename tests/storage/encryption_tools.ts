/** What the tests of encryption share. */
import { Buffer } from "node:buffer";
import { productOf } from "../../schema/product.ts";
import { randomPool } from "../../server/storage/encryption/random.ts";
import { Encryption, type EncryptionInputs } from "../../server/storage/encryption/mod.ts";

export const utf8 = (text: string) => new TextEncoder().encode(text);
export const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** A key of that many bytes, base64. */
export const secret = (fill: number, length = 32) => Buffer.alloc(length, fill).toString("base64");

const INPUTS: EncryptionInputs = {
  product: productOf("kubernetes"),
  root: "/registry",
  reload: false,
  random: randomPool(),
  now: Date.now,
  serverId: "one",
  service: (config) => Promise.reject(new Error(`${config.name} should not be asked for`)),
};

/** Of entries `[resources, providers]`, as the file would have them. */
export function fileOf(...entries: [resources: string[], ...providers: unknown[]][]): string {
  return JSON.stringify({
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "EncryptionConfiguration",
    resources: entries.map(([resources, ...providers]) => ({ resources, providers })),
  });
}

/** A provider with keys `name: secret`. */
export const keyed = (type: string, keys: Record<string, string>) => ({
  [type]: { keys: Object.entries(keys).map(([name, secret]) => ({ name, secret })) },
});

/** Encryption by a file's text. */
export const encryption = (file: string, more: Partial<EncryptionInputs> = {}): Promise<Encryption> =>
  Encryption.of(file, { ...INPUTS, ...more });
