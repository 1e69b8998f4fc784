/** Writes and signs certificates (RFC 5280). Pure: time and randomness come in. */
import { createHash, createPrivateKey, sign } from "node:crypto";
import {
  bitString,
  children,
  explicit,
  implicit,
  integer,
  octetString,
  oid,
  read,
  sequence,
  set,
  TAG,
  time,
  TRUE,
  utf8,
  value,
} from "./der.ts";
import { ipBytes } from "./ip.ts";
import { OID } from "./oids.ts";
import { toPem } from "./pem.ts";

/** Who a certificate is about. */
export interface Subject {
  readonly commonName: string;
  readonly organizations?: readonly string[];
}

/** What goes into a certificate. */
export interface CertificateRequest {
  readonly subject: Subject;
  /** SPKI, DER. */
  readonly publicKey: Uint8Array;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Positive, at most 20 bytes, never used before by the issuer. */
  readonly serial: Uint8Array;
  /** An authority: may sign others. */
  readonly ca?: boolean;
  /** Extended key usages, dotted. */
  readonly usages?: readonly string[];
  readonly dnsNames?: readonly string[];
  /** Text form. */
  readonly ips?: readonly string[];
}

/** Who signs. For a self-signed certificate, the subject itself. */
export interface Signer {
  readonly subject: Uint8Array;
  /** SPKI, DER. */
  readonly publicKey: Uint8Array;
  /** PEM; of one of {@linkcode SIGNING}. */
  readonly key: string;
}

/** How keys sign, by their type: the algorithm, and the hash that it is given; null: it has its own. */
const SIGNING: ReadonlyMap<string, { readonly algorithm: Uint8Array; readonly hash: string | null }> = new Map([
  ["ec", { algorithm: sequence(oid(OID.ecdsaWithSha256)), hash: "sha256" }],
  ["rsa", { algorithm: sequence(oid(OID.rsaWithSha256), value(TAG.null)), hash: "sha256" }],
  ["ed25519", { algorithm: sequence(oid(OID.ed25519)), hash: null }],
]);

/** A name as DER: organizations, then the common name, as the public tools write it. */
export function nameDer({ commonName, organizations = [] }: Subject): Uint8Array {
  const part = (type: string, text: string) => set(sequence(oid(type), utf8(text)));
  return sequence(...organizations.map((o) => part(OID.organization, o)), part(OID.commonName, commonName));
}

/** Key identifier: SHA-1 of the public key's bits (RFC 5280, 4.2.1.2, method 1). */
function keyId(spki: Uint8Array): Uint8Array {
  const bits = children(read(spki))[1]!.content.subarray(1);
  return new Uint8Array(createHash("sha1").update(bits).digest());
}

function extension(id: string, content: Uint8Array, critical = false): Uint8Array {
  return sequence(oid(id), ...(critical ? [TRUE] : []), octetString(content));
}

function altNames(dnsNames: readonly string[], ips: readonly string[]): Uint8Array {
  const encoder = new TextEncoder();
  return sequence(
    ...dnsNames.map((name) => implicit(2, encoder.encode(name))),
    ...ips.map((ip) => {
      const bytes = ipBytes(ip);
      if (bytes === undefined) throw new Error(`Cannot put "${ip}" in a certificate: it is not an IP address`);
      return implicit(7, bytes);
    }),
  );
}

function extensions(request: CertificateRequest, signer: Signer): Uint8Array {
  const { ca = false, usages = [], dnsNames = [], ips = [], publicKey } = request;
  // Bits from the left: digitalSignature 0, keyCertSign 5, cRLSign 6.
  const keyUsage = ca ? bitString(Uint8Array.of(0x86), 1) : bitString(Uint8Array.of(0x80), 7);
  return sequence(
    extension(OID.keyUsage, keyUsage, true),
    extension(OID.basicConstraints, sequence(...(ca ? [TRUE] : [])), true),
    extension(OID.subjectKeyId, octetString(keyId(publicKey))),
    extension(OID.authorityKeyId, sequence(implicit(0, keyId(signer.publicKey)))),
    ...(usages.length > 0 ? [extension(OID.extKeyUsage, sequence(...usages.map(oid)))] : []),
    ...(dnsNames.length + ips.length > 0 ? [extension(OID.subjectAltName, altNames(dnsNames, ips))] : []),
  );
}

/** Signs. The certificate as PEM. @throws Error on an address that is none, or a key that does not load or sign */
export function issue(request: CertificateRequest, signer: Signer): string {
  const key = createPrivateKey(signer.key), type = key.asymmetricKeyType ?? "";
  const signing = SIGNING.get(type);
  if (signing === undefined) {
    throw new Error(
      `Cannot sign certificates by a key of type "${type}": it should be ${[...SIGNING.keys()].join(", ")}`,
    );
  }
  const { algorithm, hash } = signing;
  const body = sequence(
    explicit(0, integer(Uint8Array.of(2))),
    integer(request.serial),
    algorithm,
    signer.subject,
    sequence(time(request.notBefore), time(request.notAfter)),
    nameDer(request.subject),
    request.publicKey,
    explicit(3, extensions(request, signer)),
  );
  const signature = new Uint8Array(sign(hash, body, key));
  return toPem("CERTIFICATE", sequence(body, algorithm, bitString(signature)));
}
