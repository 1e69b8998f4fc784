/** What certificates, keys and their files say. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileFault } from "../files.ts";
import { fits, type KeyPair } from "../../pki/pair.ts";

/** Whether a text is a private key that can be used. */
export function isKey(text: string): boolean {
  try {
    createPrivateKey(text);
    return true;
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
export async function readPair(certFile: string, keyFile: string): Promise<KeyPair> {
  const text = (file: string) =>
    readFile(file, "utf8").catch((e) => {
      throw fileFault("read", file, e);
    });
  const [cert, key] = await Promise.all([text(certFile), text(keyFile)]);
  if (!fits({ cert, key })) throw new Error(`${certFile} and ${keyFile} hold no certificate with its key in PEM`);
  return { cert, key };
}
