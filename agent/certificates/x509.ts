/** Requests for certificates, and certificates that sign themselves. The library is loaded when one of them is wanted. */
import { createPrivateKey, createPublicKey } from "node:crypto";
import { generateKey } from "../../pki/keys.ts";
import type { KeyPair } from "../../pki/pair.ts";
import { formatIp, tryParseIp } from "../../schema/values/ip.ts";

/** What a certificate is to say. */
export interface Template {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly ips: readonly string[];
}

/** For clients whose clock is behind; and how long a certificate that signs itself is good, ms. */
const SKEW_MS = 60 * 60 * 1000;
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;
const CURVE = { name: "ECDSA", namedCurve: "P-256" } as const;
const SIGNATURE = { name: "ECDSA", hash: "SHA-256" } as const;

async function library() {
  await import("reflect-metadata");
  return await import("@peculiar/x509");
}

async function keysOf(pem: string): Promise<CryptoKeyPair> {
  const key = createPrivateKey(pem);
  const der = new Uint8Array(key.export({ type: "pkcs8", format: "der" }));
  const spki = new Uint8Array(createPublicKey(key).export({ type: "spki", format: "der" }));
  return {
    privateKey: await crypto.subtle.importKey("pkcs8", der, CURVE, false, ["sign"]),
    publicKey: await crypto.subtle.importKey("spki", spki, CURVE, true, ["verify"]),
  };
}

const nameOf = ({ commonName, organizations }: Pick<Template, "commonName" | "organizations">) => [
  ...organizations.map((name) => ({ O: [name] })),
  { CN: [commonName] },
];

const altNames = ({ dnsNames, ips }: Pick<Template, "dnsNames" | "ips">) => [
  ...dnsNames.map((value) => ({ type: "dns" as const, value })),
  ...ips.map((value) => ({ type: "ip" as const, value })),
];

/** A request, PEM. @param key of P-256, PEM */
export async function requestOf(template: Template, key: string): Promise<string> {
  const x509 = await library();
  const names = altNames(template);
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: nameOf(template),
    keys: await keysOf(key),
    signingAlgorithm: SIGNATURE,
    extensions: names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : [],
  });
  return `${request.toString("pem")}\n`;
}

/** Whether a request (PEM) is one for that subject, with that key (PEM). */
export async function isRequestOf(request: string, template: Template, key: string): Promise<boolean> {
  const x509 = await library();
  const own = createPublicKey(createPrivateKey(key)).export({ type: "spki", format: "der" });
  const found = new x509.Pkcs10CertificateRequest(request);
  const wanted = new x509.Name(nameOf(template)).toString();
  return found.subject === wanted && new Uint8Array(own).toHex() === new Uint8Array(found.publicKey.rawData).toHex();
}

/** Whether a certificate (PEM) says all that a template does. */
export async function satisfies(cert: string, template: Template): Promise<boolean> {
  const x509 = await library();
  const found = new x509.X509Certificate(cert);
  const items = found.getExtension(x509.SubjectAlternativeNameExtension)?.names.items ?? [];
  const has = new Set(items.map(({ type, value }) => `${type} ${type === "ip" ? canonicalIp(value) : value}`));
  const organizations = found.subjectName.getField("O");
  return found.subjectName.getField("CN").includes(template.commonName) &&
    template.organizations.every((name) => organizations.includes(name)) &&
    template.dnsNames.every((name) => has.has(`dns ${name}`)) &&
    template.ips.every((ip) => has.has(`ip ${canonicalIp(ip)}`));
}

function canonicalIp(text: string): string {
  const ip = tryParseIp(text);
  return ip ? formatIp(ip) : text;
}

/** A pair for a host that signs itself, good for a year. @param now ms */
export async function selfSigned(host: string, now: number): Promise<KeyPair> {
  const x509 = await library();
  const key = generateKey("pkcs8");
  const names = tryParseIp(host) ? { dnsNames: [], ips: [host] } : { dnsNames: [host], ips: [] };
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    name: nameOf({ commonName: `${host}@${Math.floor(now / 1000)}`, organizations: [] }),
    keys: await keysOf(key),
    signingAlgorithm: SIGNATURE,
    notBefore: new Date(now - SKEW_MS),
    notAfter: new Date(now - SKEW_MS + YEAR_MS),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyCertSign, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(altNames(names)),
    ],
  });
  return { cert: `${cert.toString("pem")}\n`, key };
}
