/** An authority of our own, and what it signs. Pure: time and randomness come in. */
import { randomBytes } from "node:crypto";
import { certificateFacts } from "./facts.ts";
import { issue, nameDer, type Subject } from "./issue.ts";
import { publicKeyDer } from "./keys.ts";
import { OID } from "./oids.ts";
import { fromPem } from "./pem.ts";

/** An authority's certificate and key, PEM. */
export interface Authority {
  readonly cert: string;
  readonly key: string;
}

/** What a leaf is for, and its names. */
export interface LeafOptions {
  readonly subject: Subject;
  /** The leaf's private key, PEM. */
  readonly key: string;
  readonly usage: "server" | "client";
  readonly dnsNames?: readonly string[];
  readonly ips?: readonly string[];
  readonly days?: number;
}

const AUTHORITY_DAYS = 3650;
const DAY_MS = 24 * 60 * 60 * 1000;
/** For clients whose clock is behind. */
const SKEW_MS = 5 * 60 * 1000;

/** 16 random bytes, positive and not zero. */
function randomSerial(): Uint8Array {
  const serial = new Uint8Array(randomBytes(16));
  serial[0] = (serial[0]! & 0x7f) | 0x40;
  return serial;
}

/** Whole seconds, as certificates hold them. */
function validity(now: number, days: number): { notBefore: Date; notAfter: Date } {
  const second = Math.floor(now / 1000) * 1000;
  return { notBefore: new Date(second - SKEW_MS), notAfter: new Date(second + days * DAY_MS) };
}

/** A self-signed authority certificate for a key (PEM). @param now ms since the epoch */
export function issueAuthority(commonName: string, key: string, now: number): string {
  const publicKey = publicKeyDer(key);
  const subject = { commonName };
  return issue(
    { subject, publicKey, ca: true, serial: randomSerial(), ...validity(now, AUTHORITY_DAYS) },
    { subject: nameDer(subject), publicKey, key },
  );
}

/** A leaf signed by the authority, PEM. @param now ms since the epoch. @throws Error on an address that is none */
export function issueLeaf(authority: Authority, options: LeafOptions, now: number): string {
  const { subject, key, usage, dnsNames = [], ips = [], days = 365 } = options;
  return issue({
    subject,
    publicKey: publicKeyDer(key),
    serial: randomSerial(),
    usages: [usage === "server" ? OID.serverAuth : OID.clientAuth],
    dnsNames,
    ips,
    ...validity(now, days),
  }, signerOf(authority));
}

function signerOf({ cert, key }: Authority) {
  const der = fromPem("CERTIFICATE", cert)[0];
  if (der === undefined) throw new Error("Cannot sign: the authority's certificate is no PEM certificate");
  return { subject: certificateFacts(der).subject, publicKey: publicKeyDer(key), key };
}
