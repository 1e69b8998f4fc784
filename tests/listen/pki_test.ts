import "reflect-metadata";
import assert from "node:assert/strict";
import * as x509 from "@peculiar/x509";
import { constants, generateKeyPairSync, type KeyObject, sign, X509Certificate } from "node:crypto";
import {
  certificateFacts,
  fromPem,
  generateKey,
  isRequestSignedBy,
  isSignedBy,
  issue,
  issueAuthority,
  issueLeaf,
  nameDer,
  OID,
  parseBundle,
  publicKeyDer,
  toPem,
  verifyChain,
} from "../../pki/mod.ts";
import {
  bitString,
  children,
  explicit,
  integer,
  oid,
  oidText,
  read,
  sequence,
  text,
  time,
  utf8,
  value,
} from "../../pki/der.ts";
import { ipBytes, ipText } from "../../pki/ip.ts";
import { authority, ca, client, serving } from "./_fixture.ts";

const NOW = Date.now();
const YEAR = 365 * 24 * 3600 * 1000;
const der = (pem: string) => fromPem("CERTIFICATE", pem);
const hex = (bytes: Uint8Array) => bytes.toHex();

Deno.test("der: lengths, integers, identifiers and times are written as the rules say, and read back", () => {
  assert.equal(hex(integer(Uint8Array.of(0, 0, 0x7f))), "02017f");
  assert.equal(hex(integer(Uint8Array.of(0x80))), "02020080");
  assert.equal(hex(integer(Uint8Array.of(0))), "020100");
  for (const id of ["2.5.4.3", "1.2.840.10045.4.3.2", "1.3.6.1.5.5.7.3.2", "2.999.1", "0.9.2342"]) {
    assert.equal(oidText(read(oid(id))), id);
  }
  assert.equal(hex(oid("1.2.840.113549")), "06062a864886f70d");
  assert.equal(hex(time(new Date("2049-12-31T23:59:59.5Z"))), "170d3439313233313233353935395a");
  assert.equal(hex(time(new Date("2050-01-01T00:00:00Z"))).slice(0, 4), "180f");
  for (const length of [0, 1, 127, 128, 255, 256, 65535, 65536]) {
    assert.equal(read(value(4, new Uint8Array(length))).content.length, length);
  }
});

Deno.test("der: input that is cut off, overlong or deep is an error, never a wrong read", () => {
  const whole = der(ca.cert)[0]!;
  for (let n = 0; n < whole.length; n++) assert.throws(() => certificateFacts(whole.subarray(0, n)));
  assert.throws(() => read(Uint8Array.of(0x30, 0x80, 0, 0)), /length/);
  assert.throws(() => read(Uint8Array.of(4, 0x84, 0xff, 0xff, 0xff, 0xff)), /length/);
  assert.throws(() => read(Uint8Array.of(4, 1, 0, 0)), /length/);
  assert.throws(() => children(read(Uint8Array.of(0x30, 2, 4, 9))), /cut off/);
  // Flipped bits: an answer or an error, and no hang.
  for (let i = 0; i < whole.length * 8; i += 3) {
    const bent = whole.slice();
    bent[i >> 3]! ^= 1 << (i & 7);
    const { ok } = verifyChain([bent], parseBundle(ca.cert), NOW);
    assert.equal(ok, false);
  }
});

Deno.test("der: texts are as others read them", () => {
  const two = (text: string) => Uint8Array.from([...text].flatMap((c) => [0, c.charCodeAt(0)]));
  assert.equal(text(read(value(0x1e, two("system:masters")))), "system:masters");
  assert.equal(text(read(value(0x1e, two("a\0")))), "a");
  assert.equal(text(read(utf8("\ufeffsystem:masters"))), "\ufeffsystem:masters", "another name");
});

Deno.test("ip: text and bytes", () => {
  const cases: [string, string][] = [
    ["10.0.0.1", "0a000001"],
    ["::1", "00000000000000000000000000000001"],
    ["fe80::1:2", "fe800000000000000000000000010002"],
    ["::ffff:1.2.3.4", "00000000000000000000ffff01020304"],
    ["1:2:3:4:5:6:7:8", "00010002000300040005000600070008"],
  ];
  for (const [text, bytes] of cases) assert.equal(hex(ipBytes(text)!), bytes, text);
  for (const bad of ["", "1.2.3", "256.1.1.1", "1:2", ":::", "1::2::3", "g::1", "1:2:3:4:5:6:7:8:9", "host"]) {
    assert.equal(ipBytes(bad), undefined, bad);
  }
  assert.equal(ipText(ipBytes("10.0.0.1")!), "10.0.0.1");
  assert.equal(ipText(ipBytes("fe80::1")!), "fe80:0:0:0:0:0:0:1");
});

Deno.test("certificates: what was asked for is in them, for other readers too", () => {
  const key = generateKey();
  const pem = issueLeaf(ca, {
    subject: { commonName: "tätig, O=x", organizations: ["a", "b+c"] },
    key,
    usage: "server",
    dnsNames: ["a.example", "*.b.example"],
    ips: ["10.1.2.3", "fe80::1"],
  }, NOW);
  const x509 = new X509Certificate(pem);
  assert.equal(x509.checkHost("a.example"), "a.example");
  assert.equal(x509.checkHost("c.example"), undefined);
  assert.equal(x509.checkIP("10.1.2.3"), "10.1.2.3");
  assert.ok(x509.checkIssued(new X509Certificate(ca.cert)));
  assert.ok(x509.verify(new X509Certificate(ca.cert).publicKey));
  const facts = certificateFacts(der(pem)[0]!);
  assert.equal(facts.commonName, "tätig, O=x");
  assert.deepEqual(facts.organizations, ["a", "b+c"]);
  assert.deepEqual(facts.dnsNames, ["a.example", "*.b.example"]);
  assert.deepEqual(facts.ips, ["10.1.2.3", "fe80:0:0:0:0:0:0:1"]);
  assert.deepEqual(facts.extKeyUsages, [OID.serverAuth]);
  assert.equal(facts.isCa, false);
  assert.equal(facts.serial, x509.serialNumber);
  assert.equal(facts.notAfter.getTime(), new Date(x509.validTo).getTime());
  assert.ok(certificateFacts(der(ca.cert)[0]!).isCa);
  assert.throws(
    () => issueLeaf(ca, { subject: { commonName: "x" }, key, usage: "server", ips: ["nope"] }, NOW),
    /nope/,
  );
});

Deno.test("a certificate with a time that there is not cannot be read: it would never end", () => {
  const bytes = der(client.cert)[0]!.slice();
  const until = new TextEncoder().encode(
    certificateFacts(bytes).notAfter.toISOString().replace(/[-:T]|\.\d+/g, "").slice(2),
  );
  const at = bytes.findIndex((_, i) => until.every((digit, j) => bytes[i + j] === digit));
  bytes.set(new TextEncoder().encode("13"), at + 2);
  assert.throws(() => certificateFacts(bytes), /Cannot read the time/);
});

Deno.test("pem: blocks among other text, in order; no base64 is an error", () => {
  const two = `comment\n${serving.cert}\nbetween\r\n${client.cert.replaceAll("\n", "\r\n")}`;
  assert.deepEqual(der(two), [der(serving.cert)[0], der(client.cert)[0]]);
  assert.deepEqual(fromPem("PRIVATE KEY", two), []);
  assert.throws(() => der("-----BEGIN CERTIFICATE-----\n!!\n-----END CERTIFICATE-----"), /base64/);
  assert.throws(() => parseBundle("nothing"), /no certificate/);
  assert.equal(toPem("X", Uint8Array.of(1, 2, 3)), "-----BEGIN X-----\nAQID\n-----END X-----\n");
});

const roots = parseBundle(ca.cert);

/** A certificate of any shape, signed by an authority. */
function signed(by: { cert: string; key: string }, fields: Partial<Parameters<typeof issue>[0]>, key = generateKey()) {
  const issuer = certificateFacts(der(by.cert)[0]!);
  const cert = issue({
    subject: { commonName: "x" },
    publicKey: publicKeyDer(key),
    notBefore: new Date(NOW - 1000),
    notAfter: new Date(NOW + YEAR),
    serial: Uint8Array.of(7),
    usages: [OID.clientAuth],
    ...fields,
  }, { subject: issuer.subject, publicKey: publicKeyDer(by.key), key: by.key });
  return { cert, key };
}

function reasonOf(...pems: string[]): string {
  const result = verifyChain(pems.flatMap(der), roots, NOW);
  return result.ok ? "ok" : result.reason;
}

Deno.test("chains: a leaf of the authority, alone and with the root beside it", () => {
  const result = verifyChain(der(client.cert), roots, NOW);
  assert.ok(result.ok);
  assert.equal(result.leaf.commonName, "jane");
  assert.deepEqual(result.leaf.organizations, ["system:masters", "dev"]);
  assert.equal(reasonOf(client.cert, ca.cert), "ok");
});

Deno.test("chains: by intermediates in any order, if they are authorities", () => {
  const one = signed(ca, { subject: { commonName: "one" }, ca: true, usages: [] });
  const two = signed(one, { subject: { commonName: "two" }, ca: true, usages: [] });
  const leaf = signed(two, {});
  assert.equal(reasonOf(leaf.cert, two.cert, one.cert), "ok");
  assert.equal(reasonOf(leaf.cert, one.cert, two.cert), "ok");
  assert.match(reasonOf(leaf.cert, two.cert), /unknown authority/);
  const notCa = signed(ca, { subject: { commonName: "plain" }, usages: [] });
  assert.match(reasonOf(signed(notCa, {}).cert, notCa.cert), /"plain" is not an authority/);
});

Deno.test("chains: a certificate that is trusted as it is signs no others, unless it is an authority", () => {
  const pinned = signed(ca, { subject: { commonName: "pinned" } });
  const below = signed(pinned, { subject: { commonName: "admin", organizations: ["system:masters"] } });
  const trusted = parseBundle(pinned.cert);
  assert.ok(verifyChain(der(pinned.cert), trusted, NOW).ok);
  assert.deepEqual(verifyChain(der(below.cert), trusted, NOW), {
    ok: false,
    reason: 'certificate "pinned" is not an authority',
  });
});

Deno.test("chains: a root of the first version, which knows no authorities, signs; an intermediate of it does not", () => {
  const key = generateKey(), algorithm = sequence(oid(OID.ecdsaWithSha256));
  const old = (subject: Uint8Array, own: string, issuer: Uint8Array, by: string) => {
    const validity = sequence(time(new Date(NOW - 1000)), time(new Date(NOW + YEAR)));
    const body = sequence(integer(Uint8Array.of(1)), algorithm, issuer, validity, subject, publicKeyDer(own));
    const signature = new Uint8Array(sign("sha256", body, by));
    return { key: own, cert: toPem("CERTIFICATE", sequence(body, algorithm, bitString(signature))) };
  };
  const name = nameDer({ commonName: "old" }), root = old(name, key, name, key);
  const check = (...pems: string[]) => {
    const result = verifyChain(pems.flatMap(der), parseBundle(root.cert), NOW);
    return result.ok ? "ok" : result.reason;
  };
  assert.equal(check(signed(root, {}).cert), "ok");
  const below = old(nameDer({ commonName: "below" }), generateKey(), name, key);
  assert.equal(check(signed(below, {}).cert, below.cert), 'certificate "below" is not an authority');
});

Deno.test("chains: an authority bounds how many are below it", async () => {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]) as CryptoKeyPair;
  const common = { publicKey: keys.publicKey, signingKey: keys.privateKey, signingAlgorithm: algorithm };
  const made = async (subject: string, issuer: string, length?: number) => {
    const extensions = [new x509.BasicConstraintsExtension(true, length, true)];
    const certificate = await x509.X509CertificateGenerator.create({ ...common, subject, issuer, extensions });
    return new Uint8Array(certificate.rawData);
  };
  const check = async (length: number | undefined, ...names: string[]) => {
    const trusted = parseBundle(toPem("CERTIFICATE", await made("CN=root", "CN=root", length)));
    const chain = await Promise.all(names.map((name, i) => made(`CN=${name}`, `CN=${names[i + 1] ?? "root"}`)));
    const result = verifyChain(chain, trusted, Date.now());
    return result.ok ? "ok" : result.reason;
  };
  assert.equal(await check(0, "leaf"), "ok");
  assert.equal(await check(0, "leaf", "a"), 'certificate "root" allows 0 authorities below it, there are 1');
  assert.equal(await check(1, "leaf", "a"), "ok");
  assert.match(await check(1, "leaf", "a", "b"), /allows 1 authorities below it, there are 2/);
  assert.equal(await check(undefined, "leaf", "a", "b"), "ok");
  assert.equal(await check(undefined, "leaf", ..."abcdef"), "ok", "eight on a path");
  assert.match(await check(undefined, "leaf", ..."abcdefg"), /unknown authority/, "and no more");
});

Deno.test("chains: an answer holds until the first end on the path", () => {
  const notAfter = new Date(Math.floor(NOW / 1000) * 1000 + 60_000);
  const brief = signed(ca, { subject: { commonName: "brief" }, ca: true, usages: [], notAfter });
  const leaf = der(signed(brief, {}).cert), above = der(brief.cert);
  for (const [chain, trusted] of [[[...leaf, ...above], roots], [leaf, parseBundle(brief.cert)]] as const) {
    const result = verifyChain(chain, trusted, NOW);
    assert.equal(result.ok && result.until, notAfter.getTime());
  }
});

Deno.test("chains: a leaf for servers, out of its time, of another authority, of a stolen name", () => {
  assert.match(reasonOf(serving.cert), /not for this use/);
  assert.equal(reasonOf(signed(ca, { usages: [] }).cert), "ok");
  assert.equal(reasonOf(signed(ca, { usages: [OID.anyExtKeyUsage] }).cert), "ok");
  assert.match(reasonOf(signed(ca, { notAfter: new Date(NOW - 1) }).cert), /has expired/);
  assert.match(reasonOf(signed(ca, { notBefore: new Date(NOW + 60_000) }).cert), /not valid before/);
  const stranger = authority("stranger");
  assert.match(reasonOf(signed(stranger, {}).cert, stranger.cert), /unknown authority/);
  // The same name as ours, another key.
  assert.match(reasonOf(signed(authority("test-ca"), {}).cert), /unknown authority/);
  const limited = signed(ca, { subject: { commonName: "servers only" }, ca: true, usages: [OID.serverAuth] });
  assert.match(reasonOf(signed(limited, {}).cert, limited.cert), /"servers only" is not for this use/);
  const late = signed(ca, { subject: { commonName: "late" }, ca: true, usages: [], notAfter: new Date(NOW - 1) });
  assert.match(reasonOf(signed(late, {}).cert, late.cert), /"late" has expired/);
  assert.equal(reasonOf(), "no certificate");
});

Deno.test("chains: a crafted heap of intermediates costs bounded work", () => {
  const stranger = authority("loop");
  const heap = Array.from({ length: 60 }, (_, i) => issueAuthority("loop", i % 2 ? stranger.key : generateKey(), NOW));
  assert.match(reasonOf(signed(stranger, {}).cert, ...heap), /unknown authority/);
  // The one that leads to the root, behind so many that are called as it is and have signed nothing.
  const way = signed(ca, { subject: { commonName: "loop" }, ca: true, usages: [] }), leaf = signed(way, {}).cert;
  const others = heap.filter((_, i) => i % 2 === 0);
  assert.equal(reasonOf(leaf, ...others.slice(0, 29), way.cert), "ok");
  assert.match(reasonOf(leaf, ...others, ...others, way.cert), /unknown authority/);
});

Deno.test("chains: by whichever authority of a name has signed, though others of it have keys of another type", () => {
  const pemOf = (key: KeyObject) => key.export({ type: "pkcs8", format: "pem" }) as string;
  const keys = [
    generateKeyPairSync("rsa", { modulusLength: 2048 }),
    generateKeyPairSync("ed25519"),
    generateKeyPairSync("ec", { namedCurve: "P-256" }),
  ].map(({ privateKey }) => pemOf(privateKey));
  const own = keys.map((key) => ({ key, cert: issueAuthority("rotated", key, NOW) }));
  for (const trusted of [own, own.toReversed()]) {
    const bundle = parseBundle(trusted.map(({ cert }) => cert).join(""));
    for (const one of own) {
      const result = verifyChain(der(signed(one, {}).cert), bundle, NOW);
      assert.equal(result.ok || result.reason, true);
    }
  }
});

Deno.test("chains: an authority's limits of names say nothing of certificates without alternative names", async () => {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]) as CryptoKeyPair;
  const common = { publicKey: keys.publicKey, signingKey: keys.privateKey, signingAlgorithm: algorithm };
  const made = async (subject: string, issuer: string, ...extensions: x509.Extension[]) => {
    const certificate = await x509.X509CertificateGenerator.create({ ...common, subject, issuer, extensions });
    return new Uint8Array(certificate.rawData);
  };
  const limits = new x509.Extension(OID.nameConstraints, true, new Uint8Array(sequence()));
  const name = (type: x509.GeneralNameType, value: string) =>
    new x509.SubjectAlternativeNameExtension([{ type, value }]);
  const names = name("dns", "a.example.com");
  const others = [names, name("ip", "10.0.0.1"), name("email", "jane@example.com"), name("url", "spiffe://a/jane")];
  const authority = new x509.BasicConstraintsExtension(true, undefined, true);
  const trusted = parseBundle(toPem("CERTIFICATE", await made("CN=limited", "CN=limited", authority, limits)));
  const check = (...chain: Uint8Array[]) => {
    const result = verifyChain(chain, trusted, Date.now());
    return result.ok ? "ok" : result.reason;
  };
  assert.equal(check(await made("CN=jane", "CN=limited")), "ok");
  const said = /"limited" has critical extensions that are not understood: 2\.5\.29\.30/;
  for (const one of others) assert.match(check(await made("CN=jane", "CN=limited", one)), said);
  const below = await made("CN=below", "CN=limited", authority, names);
  assert.match(check(await made("CN=jane", "CN=below"), below), said);
});

Deno.test("signatures: RSA-PSS by one hash for message and mask and a salt of its length, no other", () => {
  const { publicKey, privateKey: key } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const spki = new Uint8Array(publicKey.export({ format: "der", type: "spki" })), signedBytes = Uint8Array.of(1, 2, 3);
  const hashId = {
    sha256: "2.16.840.1.101.3.4.2.1",
    sha384: "2.16.840.1.101.3.4.2.2",
    sha512: "2.16.840.1.101.3.4.2.3",
  };
  type Hash = keyof typeof hashId;
  const check = (hash: Hash, mask: Hash, saltLength: number, ...none: Uint8Array[]) => {
    const id = (h: Hash) => sequence(oid(hashId[h]), ...none);
    const salt = explicit(2, integer(Uint8Array.of(saltLength)));
    const how = sequence(explicit(0, id(hash)), explicit(1, sequence(oid("1.2.840.113549.1.1.8"), id(mask))), salt);
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    const signature = new Uint8Array(sign(hash, signedBytes, { key, padding, saltLength }));
    const algorithm = read(sequence(oid("1.2.840.113549.1.1.10"), how));
    return [
      isSignedBy({ signedBytes, algorithm, signature }, spki),
      isSignedBy({ signedBytes: spki, algorithm, signature }, spki),
    ];
  };
  for (const [hash, length] of [["sha256", 32], ["sha384", 48], ["sha512", 64]] as const) {
    assert.deepEqual(check(hash, hash, length), [true, false], hash);
    assert.deepEqual(check(hash, hash, length, value(5)), [true, false], hash);
  }
  assert.throws(() => check("sha256", "sha256", 20), /not with its parameters/);
  assert.throws(() => check("sha256", "sha512", 32), /not with its parameters/);
});

Deno.test("signatures: SHA-1 is good for requests, not for certificates; what is older is for neither", () => {
  const signedBytes = Uint8Array.of(1, 2, 3);
  const check = (type: "rsa" | "ec", hash: string, id: string) => {
    const { publicKey, privateKey } = type === "rsa"
      ? generateKeyPairSync("rsa", { modulusLength: 2048 })
      : generateKeyPairSync("ec", { namedCurve: "P-256" });
    const spki = new Uint8Array(publicKey.export({ format: "der", type: "spki" }));
    const signature = new Uint8Array(sign(hash, signedBytes, privateKey)), algorithm = read(sequence(oid(id)));
    const signed = { signedBytes, algorithm, signature };
    assert.throws(() => isSignedBy(signed, spki), /Signature algorithm [\d.]+ is not supported/);
    return [isRequestSignedBy(signed, spki), isRequestSignedBy({ ...signed, signedBytes: spki }, spki)];
  };
  assert.deepEqual(check("rsa", "sha1", "1.2.840.113549.1.1.5"), [true, false]);
  assert.deepEqual(check("ec", "sha1", "1.2.840.10045.4.1"), [true, false]);
  assert.throws(() => check("rsa", "md5", "1.2.840.113549.1.1.4"), /is not supported/);
});

Deno.test("names: organizations come before the common name", () => {
  const [o, cn] = children(read(nameDer({ commonName: "c", organizations: ["o"] })));
  assert.equal(oidText(children(children(o!)[0]!)[0]!), OID.organization);
  assert.equal(oidText(children(children(cn!)[0]!)[0]!), OID.commonName);
});
