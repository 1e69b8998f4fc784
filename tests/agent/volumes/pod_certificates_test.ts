import "reflect-metadata";
import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey } from "node:crypto";
import * as x509 from "@peculiar/x509";
import type { PodCertificateRequest } from "../../../schema/api/certificates.k8s.io_v1.ts";
import { secondsToTime } from "../../../schema/values/time.ts";
import { PodCertificates } from "../../../agent/volumes/pod_certificates.ts";
import { keyAndRequest } from "../../../agent/volumes/stub_request.ts";
import { type TestServer, withServer } from "../../fixture/server.ts";
import { partsOf, podOf, StandingClock } from "./_fixture.ts";

const REQUESTS = "/apis/certificates.k8s.io/v1/namespaces/default/podcertificaterequests";
const UID = "8b1f0000-0000-0000-0000-000000000002";
const HOUR = 3600;
const P256 = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

const pending = async (t: TestServer) => {
  const items: PodCertificateRequest[] = (await t.fetch(REQUESTS)).body.items;
  return items.find((r) => !r.status?.conditions?.length)!;
};

/** Answers a request. @param now s */
async function answer(t: TestServer, request: PodCertificateRequest, type: string, now: number): Promise<string> {
  const stub = new x509.Pkcs10CertificateRequest(request.spec.stubPKCS10Request!);
  const keys = await crypto.subtle.generateKey(P256, false, ["sign", "verify"]);
  const certificate = await x509.X509CertificateGenerator.create({
    publicKey: stub.publicKey,
    signingKey: keys.privateKey,
    signingAlgorithm: P256,
    notBefore: new Date(now * 1000),
    notAfter: new Date((now + 2 * HOUR) * 1000),
  });
  const at = (seconds: number) => secondsToTime(now + seconds);
  const condition = { type, status: "True", reason: "R", message: "m", lastTransitionTime: at(0) };
  const times = { notBefore: at(0), notAfter: at(2 * HOUR), beginRefreshAt: at(HOUR) };
  const chain = `between\n${certificate.toString("pem")}\n`;
  const status = { conditions: [condition], ...(type === "Issued" ? { ...times, certificateChain: chain } : {}) };
  const path = `${REQUESTS}/${request.metadata!.name}/status`;
  const done = await t.fetch(path, { method: "PUT", body: { ...request, status } });
  assert.equal(done.status, 200, done.text);
  return certificate.toString("pem");
}

Deno.test("a certificate is asked for, given when it is issued, and renewed in time", () => {
  const now = Math.floor(Date.now() / 1000), clock = new StandingClock(now * 1000);
  return withServer([], async (t) => {
    await t.fetch("/api/v1/namespaces/default/serviceaccounts", { body: { metadata: { name: "sa" } } });
    const parts = partsOf(t, clock);
    const certificates = new PodCertificates(parts);
    const pod = podOf(UID, { serviceAccountName: "sa", nodeName: "n" });
    const ref = { namespace: "default", name: "p", uid: UID };
    const volume = { ref, pod, name: "v" };
    const of = () => certificates.of(volume, 0, { signerName: "x.io/s", keyType: "ECDSAP256" });
    const waiting = { message: "credential bundle is not issued yet" };
    await assert.rejects(of(), waiting);
    await assert.rejects(of(), waiting);
    const first = await pending(t);
    assert.equal((await t.fetch(REQUESTS)).body.items.length, 1);
    assert.deepEqual([first.spec.podUID, first.spec.nodeName, first.spec.nodeUID], [UID, "n", "node-uid"]);
    const pem = await answer(t, first, "Issued", now);
    const held = await of();
    assert.equal(held.chain.replace(/\s/g, ""), pem.replace(/\s/g, ""));
    const shown = createPublicKey(createPrivateKey(held.key)).export({ type: "spki", format: "der" });
    assert.deepEqual(new Uint8Array(shown), new Uint8Array(new x509.X509Certificate(pem).publicKey.rawData));

    clock.advance(HOUR * 1000 - 1);
    assert.equal(await of(), held);
    assert.equal(await pending(t), undefined);
    clock.advance(1);
    assert.equal(await of(), held, "the old one is good until there is a new one");
    const second = await pending(t);
    clock.advance(11 * 60_000);
    await of();
    assert.deepEqual(parts.events.said, ["Warning CertificateOverdueForRefresh: PodCertificate refresh overdue"]);
    await t.fetch(`${REQUESTS}/${second.metadata!.name}`, { method: "DELETE" });
    await of();
    await answer(t, await pending(t), "Denied", now);
    const denied = { message: 'PodCertificateRequest was permanently denied: reason="R" message="m"' };
    for (let i = 0; i < 2; i++) await assert.rejects(of(), denied);
    assert.match(
      parts.events.said[1]!,
      /^Warning Denied: PodCertificateRequest default\/req-\w+ was denied, reason="R"/,
    );
    assert.equal(parts.events.said.length, 2, "it is told once");
    certificates.release(UID);
    await assert.rejects(of(), waiting);
    parts.objects.close();
  });
});

Deno.test("each kind of key signs its request", async () => {
  for (const kind of ["RSA3072", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"]) {
    const { request } = await keyAndRequest(kind);
    const read = new x509.Pkcs10CertificateRequest(new Uint8Array(request));
    assert.equal(read.subject, "");
    // The library's own check knows no P-521.
    if (kind !== "ECDSAP521") assert.ok(await read.verify(), kind);
  }
  await assert.rejects(keyAndRequest("DSA"), /unknown key type "DSA"/);
});
