/**
 * The data directory: an authority of its own, a serving pair, an administrator, the service-account key, a connection file.
 *
 * Each private key is made once and never replaced (of several processes at once, one wins and all read its key); certificates are
 * made from the keys that are there, so that no order of events can leave a certificate beside the key of another.
 */
import { sameBytes } from "../../schema/values/bytes.ts";
import {
  type Authority,
  type CertificateFacts,
  generateKey,
  isSignedBy,
  issueAuthority,
  issueLeaf,
  type LeafOptions,
  parseBundle,
  publicKeyDer,
  publicKeyPem,
} from "../../pki/mod.ts";
import { ipBytes, ipText } from "../../pki/ip.ts";
import type { KeyPair } from "../../pki/pair.ts";
import { hostPort } from "../../schema/values/host_port.ts";
import { readIfThere, readOrMake, replaceFile } from "./files.ts";
import { connectionFile, serverOf } from "./kubeconfig.ts";

/** What the certificates are made for. */
export interface DataDirOptions {
  /** DNS names of the server; `localhost` is always among them. */
  readonly hostnames: readonly string[];
  /** Addresses of the server; the loopback ones are always among them. */
  readonly ips: readonly string[];
  /** Port in the connection file; 0 leaves the file as it is (write it with {@linkcode writeAdminConf} once known). */
  readonly port: number;
  /** Host in the connection file. Default `127.0.0.1`. */
  readonly host?: string;
  /** Directory of the serving pair, there named `apiserver`; a pair that others issued is kept. Default: `server` in the data directory. */
  readonly certDir?: string;
  /** Leave a serving certificate with other names as long as it is good: another server on the directory may have made it. */
  readonly anyNames?: boolean;
  /** ms since the epoch. Default now. */
  readonly now?: number;
}

/** A pair with its files. */
export interface FilePair extends KeyPair {
  readonly certFile: string;
  readonly keyFile: string;
}

/** What the directory holds; all of it PEM. */
export interface DataDir {
  readonly dir: string;
  readonly ca: FilePair;
  readonly serving: FilePair;
  readonly admin: FilePair;
  /** Signs service-account tokens: P-256, private and public. */
  readonly serviceAccount: {
    readonly key: string;
    readonly publicKey: string;
    readonly keyFile: string;
  };
  /** The administrator's connection file. */
  readonly adminConf: string;
  /** Set when that file is kept, as another server on the directory answers there. */
  readonly adminConfOf?: string;
}

/** A certificate with less than this left is made anew. */
const RENEW_MS = 30 * 24 * 60 * 60 * 1000;

const CONTEXT = "orch";

/** The subject of an authority of our own making. Others are their makers' to renew. */
const AUTHORITY = "orch-ca";

/** The facts of the first certificate; undefined when it is damaged. */
function factsOf(cert: string): CertificateFacts | undefined {
  try {
    return parseBundle(cert)[0]!.facts;
  } catch {
    return undefined; // Made anew from the key.
  }
}

const isOf = ({ publicKey }: CertificateFacts, key: string) => sameBytes(publicKey, publicKeyDer(key));

function isInTime({ notBefore, notAfter }: CertificateFacts, now: number): boolean {
  return notAfter.getTime() - now >= RENEW_MS && notBefore.getTime() <= now;
}

/** Reads or makes a private key. @throws Error that names the file when it is damaged: a key is never replaced silently */
async function keyAt(keyFile: string): Promise<string> {
  const key = await readOrMake(keyFile, generateKey);
  try {
    publicKeyDer(key);
  } catch (cause) {
    throw new Error(`Cannot use the private key in "${keyFile}": it does not parse; restore it or remove it`, {
      cause,
    });
  }
  return key;
}

/** @throws Error that names the file for another's certificate that cannot be used: it is not replaced silently either */
async function authorityAt(dir: string, now: number): Promise<FilePair> {
  const certFile = `${dir}/ca.crt`;
  const keyFile = `${dir}/ca.key`;
  const keyThere = await readIfThere(keyFile) !== undefined;
  const key = await keyAt(keyFile);
  const there = await readIfThere(certFile);
  const facts = there === undefined ? undefined : factsOf(there);
  if (there !== undefined && facts !== undefined) {
    const ofKey = isOf(facts, key), ours = facts.commonName === AUTHORITY;
    if (ofKey && (!ours || isInTime(facts, now))) {
      if (facts.notAfter.getTime() > now) return { cert: there, key, certFile, keyFile };
      throw unusable(
        certFile,
        `it ended at ${facts.notAfter.toISOString()}; renew it, or remove it for one of the server's own`,
      );
    }
    // Without a key there was nothing that it could be of.
    if (!ofKey && keyThere) {
      throw unusable(
        certFile,
        `its first certificate is not of the key in "${keyFile}"; put the two of a pair there, or remove it`,
      );
    }
  }
  const cert = issueAuthority(AUTHORITY, key, now);
  await replaceFile(certFile, cert);
  return { cert, key, certFile, keyFile };
}

function unusable(certFile: string, why: string): Error {
  return new Error(`Cannot use the authority in "${certFile}": ${why}`);
}

function sameNames(facts: CertificateFacts, dnsNames: readonly string[], ips: readonly string[]): boolean {
  const canonical = (ip: string) => ipText(ipBytes(ip) ?? new Uint8Array());
  const equal = (a: readonly string[], b: readonly string[]) => [...a].sort().join() === [...b].sort().join();
  return equal(facts.dnsNames, dnsNames) && equal(facts.ips, ips.map(canonical));
}

/** By its key and in its name: without either nobody finds the authority. */
function isIssuedBy(facts: CertificateFacts, { cert, key }: Authority): boolean {
  const authority = factsOf(cert);
  return authority !== undefined && sameBytes(facts.issuer, authority.subject) && isSignedWith(facts, key);
}

function isSignedWith(facts: CertificateFacts, key: string): boolean {
  try {
    return isSignedBy(facts, publicKeyDer(key));
  } catch {
    return false; // In a way that is not of this key's type.
  }
}

async function leafAt(
  path: string,
  authority: Authority,
  options: Omit<LeafOptions, "key">,
  now: number,
  anyNames = false,
): Promise<FilePair> {
  const certFile = `${path}.crt`;
  const keyFile = `${path}.key`;
  const key = await keyAt(keyFile);
  const there = await readIfThere(certFile);
  if (there !== undefined) {
    const facts = factsOf(there);
    const ours = facts !== undefined && isOf(facts, key) && isInTime(facts, now) && isIssuedBy(facts, authority);
    if (ours && (anyNames || sameNames(facts, options.dnsNames ?? [], options.ips ?? []))) {
      return { cert: there, key, certFile, keyFile };
    }
  }
  const cert = issueLeaf(authority, { ...options, key }, now);
  await replaceFile(certFile, cert);
  return { cert, key, certFile, keyFile };
}

/** A pair that is there and that the authority has not issued. */
async function foreignAt(path: string, authority: Authority): Promise<FilePair | undefined> {
  const certFile = `${path}.crt`, keyFile = `${path}.key`;
  const [cert, key] = await Promise.all([readIfThere(certFile), readIfThere(keyFile)]);
  if (cert === undefined || key === undefined) return undefined;
  const first = parseBundle(cert)[0];
  if (!first || isSignedWith(first.facts, authority.key)) return undefined;
  return { cert, key, certFile, keyFile };
}

async function servingAt(dir: string, ca: Authority, options: DataDirOptions, now: number): Promise<FilePair> {
  const { certDir } = options;
  if (certDir !== undefined) await makeDir("cert-dir", certDir);
  const path = certDir === undefined ? `${dir}/server` : `${certDir}/apiserver`;
  const foreign = certDir === undefined ? undefined : await foreignAt(path, ca);
  return foreign ?? await leafAt(
    path,
    ca,
    {
      subject: { commonName: "orch" },
      usage: "server",
      dnsNames: unique(["localhost", ...options.hostnames]),
      ips: unique(["127.0.0.1", "::1", ...options.ips]),
    },
    now,
    options.anyNames,
  );
}

async function serviceAccountAt(dir: string): Promise<DataDir["serviceAccount"]> {
  const keyFile = `${dir}/sa.key`, publicKeyFile = `${dir}/sa.pub`;
  const key = await keyAt(keyFile);
  const publicKey = publicKeyPem(key);
  if (await readIfThere(publicKeyFile) !== publicKey) await replaceFile(publicKeyFile, publicKey);
  return { key, publicKey, keyFile };
}

const unique = (list: readonly string[]) => [...new Set(list)];

/** Makes the directory, for the owner only, unless it is there. @throws Error that names it when it cannot be made */
export async function makeDataDir(dir: string): Promise<void> {
  await makeDir("data-dir", dir, 0o700);
}

async function makeDir(option: string, dir: string, mode?: number): Promise<void> {
  try {
    await Deno.mkdir(dir, { recursive: true, ...(mode === undefined ? {} : { mode }) });
  } catch (cause) {
    throw new Error(`--${option}: cannot make "${dir}": ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/**
 * Makes what is missing, renews what is near its end or has other names, and gives all of it back. Files are 0600, the directory
 * 0700. Safe with several processes at once.
 * @throws Error when the directory cannot be written, or a key in it is damaged
 */
export async function ensureDataDir(dir: string, options: DataDirOptions): Promise<DataDir> {
  const now = options.now ?? Date.now();
  await makeDataDir(dir);
  const ca = await authorityAt(dir, now);
  const [serving, admin, serviceAccount] = await Promise.all([
    servingAt(dir, ca, options, now),
    leafAt(`${dir}/admin`, ca, {
      subject: { commonName: "admin", organizations: ["system:masters"] },
      usage: "client",
    }, now),
    serviceAccountAt(dir),
  ]);
  const data: DataDir = { dir, ca, serving, admin, serviceAccount, adminConf: `${dir}/admin.conf` };
  const other = options.port > 0 ? await writeAdminConf(data, options.port, options.host) : undefined;
  return other === undefined ? data : { ...data, adminConfOf: other };
}

/**
 * Writes the administrator's connection file, unless it is already as it should be, or names another server of the directory that
 * answers: whoever uses that one's file goes on with it. Gives the address of that server.
 */
export async function writeAdminConf(data: DataDir, port: number, host = "127.0.0.1"): Promise<string | undefined> {
  const server = `https://${hostPort(host, port)}`;
  const text = connectionFile({
    server,
    ca: data.ca.cert,
    cert: data.admin.cert,
    key: data.admin.key,
    context: CONTEXT,
    user: "admin",
  });
  const there = await readIfThere(data.adminConf);
  if (there === text) return undefined;
  const named = there === undefined ? undefined : serverOf(there);
  if (named !== undefined && named !== server && await answers(named, data.ca.cert)) return named;
  await replaceFile(data.adminConf, text);
  return undefined;
}

/** How long another server may take to say that it is there, ms. */
const ANSWER_WITHIN = 2_000;

/** Whether somebody with a certificate of the authority answers at the address. */
async function answers(server: string, ca: string): Promise<boolean> {
  const client = Deno.createHttpClient({ caCerts: [ca] });
  try {
    const answer = await fetch(`${server}/livez`, { client, signal: AbortSignal.timeout(ANSWER_WITHIN) });
    await answer.body?.cancel();
    return true;
  } catch {
    return false; // Nobody, or somebody else.
  } finally {
    client.close();
  }
}

/**
 * The serving pair of a directory of its own (`--cert-dir` without `--tls-cert-file`): an authority beside it that nobody else uses.
 * The chain is leaf, then authority. @param name base name of the files
 */
export async function ensureServingPair(
  dir: string,
  name: string,
  names: { readonly hostnames: readonly string[]; readonly ips: readonly string[] },
  now = Date.now(),
): Promise<FilePair> {
  await makeDir("cert-dir", dir, 0o700);
  const authority = await authorityAt(dir, now);
  return await leafAt(`${dir}/${name}`, authority, {
    subject: { commonName: name },
    usage: "server",
    dnsNames: unique(["localhost", ...names.hostnames]),
    ips: unique(["127.0.0.1", "::1", ...names.ips]),
  }, now);
}
