/** A certificate and its key. */
import { createPrivateKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";

/** PEM texts; the certificate may be followed by its chain. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

/** A new private key, PEM. */
export const newKey = (): string =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();

/** Whether a text is a private key that can be used. */
export function isKey(text: string): boolean {
  try {
    createPrivateKey(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether both can be read and belong together. */
export function fits({ cert, key }: Pair): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

/** From when to when a certificate is good, ms. @throws Error for a text that is none */
export function lifeOf(cert: string): { readonly from: number; readonly to: number } {
  const { validFrom, validTo } = new X509Certificate(cert);
  return { from: Date.parse(validFrom), to: Date.parse(validTo) };
}

/** Reads a pair of files. @throws Error that names what cannot be read, or does not fit */
export async function readPair(certFile: string, keyFile: string): Promise<Pair> {
  const [cert, key] = await Promise.all([readFile(certFile, "utf8"), readFile(keyFile, "utf8")]);
  if (!fits({ cert, key })) throw new Error(`${certFile} and ${keyFile} hold no certificate with its key in PEM`);
  return { cert, key };
}
