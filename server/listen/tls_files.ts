/** Serving pairs that live in files, and following them. */
import type { KeyPair } from "../../pki/pair.ts";
import { followFile, readText } from "../options/files.ts";
import { checkPair } from "./handshake.ts";
import type { Listening, TlsOptions } from "./types.ts";

/** The files that the options of serving name, and the rest of what a handshake goes by. */
export interface TlsFiles extends Omit<TlsOptions, "cert" | "key" | "sni" | "clientCa"> {
  readonly certFile: string;
  readonly keyFile: string;
  /** `--tls-sni-cert-key`. */
  readonly sni?: readonly { readonly cert: string; readonly key: string; readonly domains: readonly string[] }[];
  readonly clientCaFile?: string;
}

/** Reads the files. @throws Error that names the option and the path of one that cannot be read, or of two that are no pair */
export function readTlsFiles(files: TlsFiles): TlsOptions {
  return tlsOf(files, (read) => read());
}

/** Gives a part as it is read, or in its place what was there before. */
type Part = <T>(read: () => T, before: T | undefined) => T;

function tlsOf(
  { certFile, keyFile, sni = [], clientCaFile, ...rest }: TlsFiles,
  part: Part,
  before?: TlsOptions,
): TlsOptions {
  const own = (): KeyPair => readPair(["tls-cert-file", certFile], ["tls-private-key-file", keyFile]);
  const { cert, key } = part(own, before);
  return {
    ...rest,
    cert,
    key,
    sni: sni.map((pair, i) => {
      const named = () => readPair(["tls-sni-cert-key", pair.cert], ["tls-sni-cert-key", pair.key]);
      return { ...part<KeyPair>(named, before?.sni?.[i]), names: pair.domains };
    }),
    ...(clientCaFile === undefined
      ? {}
      : { clientCa: part(() => readText("client-ca-file", clientCaFile), before?.clientCa) }),
  };
}

/** An option and the path that it names. */
type Named = readonly [option: string, path: string];

function readPair(certFile: Named, keyFile: Named): KeyPair {
  const pair = { cert: readText(...certFile), key: readText(...keyFile) };
  const [cert, key] = [certFile, keyFile].map(([option, path]) => `--${option} ${JSON.stringify(path)}`);
  checkPair(pair, ` of ${cert} and ${key}`);
  return pair;
}

/**
 * Has the listener serve what is in the files, whenever one changes, until the signal aborts. A state in between (the certificate
 * new, the key old) does not load and leaves its pair as it was, and the others alone: the other file's change is the next try.
 * @param read what the listener serves, as it was read from them
 */
export async function followTlsFiles(
  files: TlsFiles,
  read: TlsOptions,
  listener: Pick<Listening, "reloadTls">,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<void> {
  let served = read;
  const part: Part = (again, before) => {
    try {
      return again();
    } catch (error) {
      onError(error);
      return before!;
    }
  };
  const reload = () => {
    try {
      const next = tlsOf(files, part, served);
      listener.reloadTls(next);
      served = next;
    } catch (error) {
      onError(error);
    }
  };
  const texts = new Map([[files.certFile, read.cert], [files.keyFile, read.key]]);
  for (const [i, { cert, key }] of (files.sni ?? []).entries()) {
    texts.set(cert, read.sni![i]!.cert).set(key, read.sni![i]!.key);
  }
  if (files.clientCaFile !== undefined) texts.set(files.clientCaFile, read.clientCa!);
  await Promise.all([...texts].map(([path, text]) => followFile(path, reload, signal, text)));
}
