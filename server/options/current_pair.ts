/** A certificate and its key in files that may be replaced while the server runs. */
import { fits, type KeyPair } from "../../pki/pair.ts";
import { current } from "./current.ts";
import { readText } from "./files.ts";

/** An option and the file that it names. */
export interface PairFile {
  readonly option: string;
  readonly path: string;
}

/**
 * The pair in the files, as it is when asked for, or up to a minute before. What cannot be read, or does not fit together (the
 * certificate new, the key old), changes nothing.
 * @throws Error that names the option, when the files cannot be read at first, or hold no pair
 */
export function currentPair(cert: PairFile, key: PairFile, now: () => number): () => KeyPair {
  const read = (): KeyPair => ({ cert: readText(cert.option, cert.path), key: readText(key.option, key.path) });
  const first = read();
  if (!fits(first)) throw new Error(`--${cert.option} and --${key.option}: no certificate with its key in PEM`);
  let pair = first;
  // The same pair is the same object.
  return current(first, () => {
    const next = read();
    return (next.cert !== pair.cert || next.key !== pair.key) && fits(next) ? pair = next : pair;
  }, now);
}
