/** A certificate and its key. */
import { createPrivateKey, X509Certificate } from "node:crypto";

/** PEM texts; the certificate may be followed by its chain. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** Whether both can be read and belong together. */
export function fits({ cert, key }: KeyPair): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}
