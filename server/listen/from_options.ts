/** From the options of serving to those of the listener. */
import type { Options } from "../options/mod.ts";
import { type Certificate, parseBundle } from "../../pki/mod.ts";
import { ensureServingPair } from "./data_dir.ts";
import { followTlsFiles, readTlsFiles, type TlsFiles } from "./tls_files.ts";
import type { Listening, ListenOptions } from "./types.ts";

/** The options that say how to serve. */
export type ServingOptions = Pick<
  Options,
  | "certDir"
  | "tlsCertFile"
  | "tlsPrivateKeyFile"
  | "tlsSniCertKey"
  | "tlsMinVersion"
  | "tlsCipherSuites"
  | "tlsCurvePreferences"
  | "disableHttp2Serving"
  | "http2MaxStreamsPerConnection"
  | "goawayChance"
  | "shutdownSendRetryAfter"
  | "permitPortSharing"
>;

/** Where a pair comes from when `--tls-cert-file` is not given. */
export interface PairSource {
  /** Files of the data directory's pair; without, one is made in `--cert-dir`. */
  readonly pair?: { readonly certFile: string; readonly keyFile: string };
  /** File of the authorities named to clients. */
  readonly clientCaFile?: string;
  /** Names of a pair made in `--cert-dir`. */
  readonly names: { readonly hostnames: readonly string[]; readonly ips: readonly string[] };
}

/** What {@linkcode servingFrom} gives. */
export interface Serving {
  /** For {@linkcode listen}; host, port and limits are the caller's. */
  readonly listen: Pick<ListenOptions, "tls" | "http2" | "reusePort">;
  /** What clients will hold against it: certificates whose time it is not. */
  readonly warnings: readonly string[];
  /** Serves what the files hold, as they change, until the signal aborts. */
  follow(listener: Pick<Listening, "reloadTls">, signal: AbortSignal, onError: (error: unknown) => void): Promise<void>;
}

async function pairFiles(o: ServingOptions, source: PairSource): Promise<{ certFile: string; keyFile: string }> {
  if (o.tlsCertFile !== "") return { certFile: o.tlsCertFile, keyFile: o.tlsPrivateKeyFile };
  return source.pair ?? await ensureServingPair(o.certDir, "apiserver", source.names);
}

/** What is said of a certificate whose time it is not; nothing of others, and of such as cannot be read here. */
function untimely(file: string, pem: string, now: number): string[] {
  const { facts } = certificateIn(pem) ?? {};
  if (!facts || facts.notBefore.getTime() <= now && now < facts.notAfter.getTime()) return [];
  const [begin, end] = [facts.notBefore, facts.notAfter].map((time) => time.toISOString());
  return [`clients will refuse the certificate in "${file}": it is good from ${begin} to ${end}`];
}

function certificateIn(pem: string): Certificate | undefined {
  try {
    return parseBundle(pem)[0];
  } catch {
    return undefined;
  }
}

/** Reads the serving files, makes a self-signed pair where none is named. @throws Error that names the option and path */
export async function servingFrom(o: ServingOptions, source: PairSource, now = Date.now()): Promise<Serving> {
  const { certFile, keyFile } = await pairFiles(o, source);
  const files: TlsFiles = {
    certFile,
    keyFile,
    sni: o.tlsSniCertKey,
    ...(source.clientCaFile === undefined ? {} : { clientCaFile: source.clientCaFile }),
    ...(o.tlsMinVersion === "" ? {} : { minVersion: o.tlsMinVersion }),
    cipherSuites: o.tlsCipherSuites,
    groups: o.tlsCurvePreferences,
    disableHttp2: o.disableHttp2Serving,
  };
  const tls = readTlsFiles(files);
  const served = [tls, ...tls.sni ?? []], names = [certFile, ...o.tlsSniCertKey.map(({ cert }) => cert)];
  return {
    warnings: served.flatMap(({ cert }, i) => untimely(names[i]!, cert, now)),
    listen: {
      tls,
      http2: {
        maxStreams: o.http2MaxStreamsPerConnection,
        goawayChance: o.goawayChance,
        sendsAway: o.shutdownSendRetryAfter,
      },
      reusePort: o.permitPortSharing,
    },
    follow: (listener, signal, onError) => followTlsFiles(files, tls, listener, signal, onError),
  };
}
