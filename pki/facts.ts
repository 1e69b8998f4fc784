/** What a certificate says, read from its DER; for what the runtime's own certificate type does not tell. */
import { sameBytes } from "../schema/values/bytes.ts";
import { children, type DerValue, oidText, read, TAG, text } from "./der.ts";
import { ipText } from "./ip.ts";
import { OID } from "./oids.ts";
import type { Signed } from "./signatures.ts";

/** Facts of one certificate. Byte arrays are views into it. */
export interface CertificateFacts extends Signed {
  /** SPKI, DER. */
  readonly publicKey: Uint8Array;
  /** The last common name of the subject, or empty. */
  readonly commonName: string;
  /** Every organization of the subject, in order. */
  readonly organizations: readonly string[];
  /** Subject and issuer as DER, for comparing. */
  readonly subject: Uint8Array;
  readonly issuer: Uint8Array;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Serial number in upper-case hexadecimal. */
  readonly serial: string;
  /** Dotted; undefined where the certificate has no such extension and so is good for all. */
  readonly extKeyUsages: readonly string[] | undefined;
  readonly dnsNames: readonly string[];
  readonly ips: readonly string[];
  readonly emails: readonly string[];
  readonly uris: readonly string[];
  readonly isCa: boolean;
  /** May sign others: is an authority, and its key is for that. Before version 3 none could say so: they all may. */
  readonly signs: boolean;
  /** Certificates of authorities that may follow below; undefined: no limit. */
  readonly pathLength: number | undefined;
  /** Critical extensions that this reader does not understand, dotted. */
  readonly unknownCritical: readonly string[];
}

type Extensions = Map<string, { critical: boolean; content: Uint8Array }>;

const KNOWN_EXTENSIONS: ReadonlySet<string> = new Set([
  OID.keyUsage,
  OID.extKeyUsage,
  OID.basicConstraints,
  OID.subjectAltName,
  OID.subjectKeyId,
  OID.authorityKeyId,
  OID.certificatePolicies,
]);

function attributes(name: DerValue, type: string): string[] {
  return children(name).flatMap((set) => children(set)).flatMap((pair) => {
    const [id, content] = children(pair);
    return id !== undefined && content !== undefined && oidText(id) === type ? [text(content)] : [];
  });
}

function date(node: DerValue): Date {
  const digits = text(node);
  const year = Number(digits.slice(0, 2));
  const full = node.tag === TAG.utcTime ? `${year < 50 ? 20 : 19}${digits}` : digits;
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(full) ?? [];
  const at = new Date(`${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}:${parts[5]}:${parts[6]}Z`);
  if (!Number.isNaN(at.getTime())) return at;
  throw new Error(`Cannot read the time "${digits}" of a certificate: it should be digits of a time and a Z`);
}

function readExtensions(node: DerValue | undefined): Extensions {
  const found: Extensions = new Map();
  const list = node === undefined ? undefined : children(node)[0];
  for (const item of list === undefined ? [] : children(list)) {
    const parts = children(item);
    const content = parts.at(-1);
    if (parts[0] === undefined || content === undefined) continue;
    found.set(oidText(parts[0]), {
      critical: parts.length === 3 && parts[1]!.content[0] !== 0,
      content: content.content,
    });
  }
  return found;
}

function altNames(extensions: Extensions): Pick<CertificateFacts, "dnsNames" | "ips" | "emails" | "uris"> {
  const content = extensions.get(OID.subjectAltName)?.content;
  const names = content === undefined ? [] : children(read(content));
  const of = (n: number) => names.filter((name) => name.tag === (0x80 | n));
  return {
    emails: of(1).map(text),
    dnsNames: of(2).map(text),
    uris: of(6).map(text),
    ips: of(7).map((name) => ipText(name.content)),
  };
}

function constraints(extensions: Extensions): Pick<CertificateFacts, "isCa" | "pathLength"> {
  const content = extensions.get(OID.basicConstraints)?.content;
  const parts = content === undefined ? [] : children(read(content));
  const flag = parts.find((p) => p.tag === TAG.boolean);
  const length = parts.find((p) => p.tag === TAG.integer);
  return {
    isCa: flag !== undefined && flag.content[0] !== 0,
    pathLength: length === undefined ? undefined : length.content.reduce((n, byte) => n * 256 + byte, 0),
  };
}

/** In the first byte of key usages, after the count of unused bits. */
const CERT_SIGN = 0x04;

function signs(version: number, extensions: Extensions): boolean {
  if (version < 3) return true;
  const usages = extensions.get(OID.keyUsage)?.content;
  return constraints(extensions).isCa && (usages === undefined || ((read(usages).content[1] ?? 0) & CERT_SIGN) !== 0);
}

/** The version, the fields of the signed part after it, and the signature. What is around them is not signed, so it must be just so. */
function signedFields(der: Uint8Array): { version: number; fields: DerValue[]; signed: Signed } {
  const whole = read(der);
  const [body, algorithm, signature, more] = whole.tag === TAG.sequence ? children(whole) : [];
  const fields = body?.tag === TAG.sequence ? children(body) : [];
  // Left out in version 1; counted from 0.
  const told = fields[0]?.tag === 0xa0 ? children(fields.shift()!)[0] : undefined;
  const version = 1 + (told?.content.at(-1) ?? 0);
  const sound = more === undefined && signature?.tag === TAG.bitString && signature.content[0] === 0 &&
    algorithm?.tag === TAG.sequence && fields[1] !== undefined && sameBytes(fields[1].whole, algorithm.whole);
  if (!sound) throw new Error("Cannot read a certificate: it is not a signed body, its algorithm and a signature");
  const signed = { signedBytes: body!.whole, algorithm, signature: signature.content.subarray(1) };
  return { version, fields, signed };
}

/** Reads a certificate. @throws Error when `der` is no certificate */
export function certificateFacts(der: Uint8Array): CertificateFacts {
  const { version, fields, signed } = signedFields(der);
  const [serial, , issuer, validity, subject, publicKey] = fields;
  const [notBefore, notAfter] = validity === undefined ? [] : children(validity);
  if (!serial || !issuer || !subject || !notBefore || !notAfter || !publicKey) {
    throw new Error("Cannot read a certificate: fields are missing");
  }
  const extensions = readExtensions(fields.find((f) => f.tag === 0xa3));
  const usages = extensions.get(OID.extKeyUsage)?.content;
  return {
    ...signed,
    publicKey: publicKey.whole,
    commonName: attributes(subject, OID.commonName).at(-1) ?? "",
    organizations: attributes(subject, OID.organization),
    subject: subject.whole,
    issuer: issuer.whole,
    notBefore: date(notBefore),
    notAfter: date(notAfter),
    serial: serial.content.toHex().toUpperCase(),
    extKeyUsages: usages === undefined ? undefined : children(read(usages)).map(oidText),
    ...altNames(extensions),
    ...constraints(extensions),
    signs: signs(version, extensions),
    unknownCritical: [...extensions].filter(([id, e]) => e.critical && !KNOWN_EXTENSIONS.has(id)).map(([id]) => id),
  };
}
