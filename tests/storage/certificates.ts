/** An authority, a server's pair for 127.0.0.1 and clients' pairs, for tests. */
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import type { Tls } from "../../server/storage/etcd/mod.ts";
import type { MemberTls } from "./etcd_server.ts";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** What {@linkcode certificates} makes. */
export interface Certificates {
  readonly ca: Uint8Array;
  readonly server: MemberTls;
  /** Users `one` and `two`. */
  client(n: 1 | 2): Tls;
  /** The user who may do everything. */
  readonly root: Tls;
  remove(): Promise<void>;
}

/** A new authority with its pairs, the server's as files. */
export async function certificates(): Promise<Certificates> {
  const dir = await Deno.makeTempDir({ prefix: "tls-" });
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]) as CryptoKeyPair;
  const dates = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) };
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=test",
    keys,
    signingAlgorithm: ALGORITHM,
    ...dates,
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  });
  let serial = 10;
  const issue = async (name: string) => {
    const own = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]) as CryptoKeyPair;
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: String(++serial),
      subject: `CN=${name}`,
      issuer: ca.subject,
      publicKey: own.publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: ALGORITHM,
      ...dates,
      extensions: [
        new x509.SubjectAlternativeNameExtension([{ type: "ip", value: "127.0.0.1" }]),
        new x509.ExtendedKeyUsageExtension(["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"]),
      ],
    });
    const pkcs8 = await crypto.subtle.exportKey("pkcs8", own.privateKey);
    return { cert: certificate.toString("pem"), key: x509.PemConverter.encode(pkcs8, "PRIVATE KEY") };
  };
  const encoder = new TextEncoder();
  const pem = ca.toString("pem");
  const server = await issue("etcd");
  const files = { cert: `${dir}/server.crt`, key: `${dir}/server.key`, ca: `${dir}/ca.crt` };
  await Deno.writeTextFile(files.cert, server.cert);
  await Deno.writeTextFile(files.key, server.key);
  await Deno.writeTextFile(files.ca, pem);
  const clients = [await issue("one"), await issue("two"), await issue("root")].map(({ cert, key }): Tls => ({
    ca: encoder.encode(pem),
    cert: encoder.encode(cert),
    key: encoder.encode(key),
  }));
  return {
    ca: encoder.encode(pem),
    server: files,
    client: (n) => clients[n - 1]!,
    root: clients[2]!,
    remove: () => Deno.remove(dir, { recursive: true }),
  };
}
