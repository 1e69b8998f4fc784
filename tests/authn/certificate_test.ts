import assert from "node:assert/strict";
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { productOf } from "../../schema/product.ts";
import { clientCertificates } from "../../server/authentication/client_cert.ts";
import { requestHeaders } from "../../server/authentication/request_header.ts";
import { fromPem, generateKey, issueAuthority, issueLeaf, parseBundle } from "../../pki/mod.ts";
import { headersOf } from "../../server/filters/headers.ts";
import type { Connection, User } from "../../server/request.ts";
import { connection, NOW, request } from "./fixture.ts";

const authority = (name: string) => {
  const key = generateKey();
  return { cert: issueAuthority(name, key, NOW), key };
};
const OURS = authority("ours"), PROXIES = authority("proxies");

function by(
  from: typeof OURS,
  commonName: string,
  organizations: string[] = [],
  usage: "client" | "server" = "client",
): Connection {
  const pem = issueLeaf(from, { subject: { commonName, organizations }, key: generateKey(), usage, days: 1 }, NOW);
  return connection(fromPem("CERTIFICATE", pem)[0]!);
}

Deno.test("a certificate's common name and organizations, by the client authorities alone", () => {
  let roots = parseBundle(OURS.cert), now = NOW;
  const method = clientCertificates({ product: productOf("orch"), roots: () => roots, now: () => now, parseUid: true });
  const ann = by(OURS, "ann", ["dev", "ops"]);
  const first = method.authenticate(request(), ann) as { user: { name: string; groups: string[]; extra: object } };
  assert.equal(first.user.name, "ann");
  assert.deepEqual(first.user.groups, ["dev", "ops"]);
  assert.match(
    JSON.stringify(first.user.extra),
    /authentication\.orch\.io\/credential-id":\["X509SHA256=[0-9a-f]{64}"/,
  );
  assert.equal(method.authenticate(request(), ann), first, "verified once a connection");
  assert.equal(method.authenticate(request(), connection()), undefined);
  assert.throws(() => method.authenticate(request(), by(PROXIES, "ann")), /unknown authority/);
  assert.throws(() => method.authenticate(request(), by(OURS, "ann", [], "server")), /not for this use/);
  assert.equal(method.authenticate(request(), by(OURS, "")), undefined, "without a common name it is nobody's");
  assert.throws(() => method.authenticate(request(), connection(new Uint8Array([1, 2]))), /does not parse/);
  now = NOW + 2 * 86_400_000;
  assert.throws(
    () => method.authenticate(request(), ann),
    /expired/,
    "an open connection does not outlive its certificate",
  );
  now = NOW;
  roots = parseBundle(PROXIES.cert);
  assert.throws(() => method.authenticate(request(), ann), /unknown authority/, "authorities were reloaded");
});

Deno.test("a certificate's subject names a uid, by its gate: one, and not an empty one", async () => {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const common = { notBefore: new Date(NOW), notAfter: new Date(NOW + 86_400_000), signingAlgorithm: algorithm };
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    ...common,
    name: "CN=ca",
    keys,
    extensions: [new x509.BasicConstraintsExtension(true)],
  });
  const ask = async (uids: string[], parseUid = true) => {
    const cert = await x509.X509CertificateGenerator.create({
      ...common,
      subject: new x509.Name([
        { CN: ["ann"] },
        ...uids.map((uid) => ({ "1.3.6.1.4.1.57683.2": [{ utf8String: uid }] })),
      ]),
      issuer: authority.subject,
      publicKey: keys.publicKey,
      signingKey: keys.privateKey,
      extensions: [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth])],
    });
    const roots = parseBundle(authority.toString("pem"));
    const method = clientCertificates({ product: productOf("orch"), roots: () => roots, now: () => NOW, parseUid });
    const { user } = await method.authenticate(request(), connection(new Uint8Array(cert.rawData))) as { user: User };
    return [user.name, user.uid];
  };
  assert.deepEqual(await ask(["u1"]), ["ann", "u1"]);
  assert.deepEqual(await ask([]), ["ann", undefined]);
  assert.deepEqual(await ask(["u1"], false), ["ann", undefined]);
  await assert.rejects(ask(["u1", "u2"]), /several uids/);
  await assert.rejects(ask([""]), /an empty uid/);
});

Deno.test("how long a certificate is good for yet is told with each request, of those that have ended too", () => {
  const told: number[] = [];
  let now = NOW;
  const roots = parseBundle(OURS.cert), ann = by(OURS, "ann");
  const remaining = (ms: number) => void told.push(ms / 86_400_000);
  const method = clientCertificates({
    product: productOf("orch"),
    roots: () => roots,
    now: () => now,
    parseUid: false,
    remaining,
  });
  method.authenticate(request(), ann);
  now += 43_200_000;
  method.authenticate(request(), ann);
  now += 86_400_000;
  assert.throws(() => method.authenticate(request(), ann), /expired/);
  assert.throws(() => method.authenticate(request(), connection(new Uint8Array([1, 2]))), /does not parse/);
  assert.deepEqual(told, [1, 0.5, -0.5]);
});

Deno.test("a front proxy's headers", () => {
  const method = requestHeaders({
    roots: () => PROXY_ROOTS,
    now: () => NOW,
    allowedNames: ["front"],
    usernameHeaders: ["X-Remote-User", "X-Other-User"],
    uidHeaders: ["X-Remote-Uid"],
    groupHeaders: ["X-Remote-Group"],
    extraHeaderPrefixes: ["X-Remote-Extra-", "X-More-"],
  });
  const headers = new Headers({
    "x-other-user": "ann",
    "x-remote-uid": "7",
    "x-remote-extra-example.com%2fscope": "a",
  });
  headers.append("x-remote-group", "g,1");
  headers.append("x-remote-group", "g2");
  headers.append("x-remote-extra-b", "x");
  headers.append("x-remote-extra-b", "y");
  headers.append("x-more-b", "z");
  headers.append("x-more-%zz", "");
  const asked = new Request("https://x/", { headers });
  assert.deepEqual(method.authenticate(asked, by(PROXIES, "front")), {
    user: {
      name: "ann",
      uid: "7",
      groups: ["g,1", "g2"],
      extra: { "example.com/scope": ["a"], b: ["x", "y", "z"], "%zz": [""] },
    },
  });
  const bytes = (text: string) => String.fromCharCode(...new TextEncoder().encode(text));
  const strange = ["\ufeffsystem:masters", "\u00a0system:masters", "system:masters\u2003"];
  const names = new Headers({ "x-remote-user": bytes("\ufeffadmin") });
  for (const group of strange) names.append("x-remote-group", bytes(group));
  const known = method.authenticate(new Request("https://x/", { headers: names }), by(PROXIES, "front"));
  assert.deepEqual(known, { user: { name: "\ufeffadmin", groups: strange, extra: {} } }, "others than those without");
  const scoped = { request: asked, headers: headersOf(asked) };
  assert.deepEqual(method.authenticate(scoped, by(PROXIES, "front")), method.authenticate(asked, by(PROXIES, "front")));
  assert.equal(method.authenticate(request(), by(PROXIES, "front")), undefined, "no header");
  const second = request({ "x-remote-user": "", "x-other-user": "ann" });
  const found = method.authenticate(second, by(PROXIES, "front")) as { user: User };
  assert.equal(found.user.name, "ann", "of several headers the first that says something");
  assert.equal(method.authenticate(asked, connection()), undefined, "no certificate");
  for (const name of ["other", "fronts", "Front", ""]) {
    assert.throws(() => method.authenticate(asked, by(PROXIES, name)), /is not allowed/, name);
  }
  assert.throws(() => method.authenticate(asked, by(PROXIES, "front", [], "server")), /not for this use/);
  assert.throws(() => method.authenticate(asked, by(OURS, "front")), /unknown authority/);
});

Deno.test("a front proxy's certificate is looked at again when it ends and when the authorities change", () => {
  let roots = PROXY_ROOTS, now = NOW;
  const method = requestHeaders({
    roots: () => roots,
    now: () => now,
    allowedNames: [],
    usernameHeaders: ["X-Remote-User"],
    uidHeaders: [],
    groupHeaders: ["X-Remote-Group"],
    extraHeaderPrefixes: [],
  });
  const proxy = by(PROXIES, "any name"), asked = request({ "x-remote-user": "ann", "x-remote-group": "" });
  assert.deepEqual(method.authenticate(asked, proxy), { user: { name: "ann", groups: [], extra: {} } });
  now += 2 * 86_400_000;
  assert.throws(() => method.authenticate(asked, proxy), /expired/);
  now = NOW;
  assert.ok(method.authenticate(asked, by(PROXIES, "any name")));
  roots = parseBundle(OURS.cert);
  assert.throws(() => method.authenticate(asked, proxy), /unknown authority/);
});

const PROXY_ROOTS = parseBundle(PROXIES.cert);
