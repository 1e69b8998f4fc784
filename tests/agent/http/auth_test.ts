/** Who may ask an agent for what: by real certificates, and by reviews of the real API server. */
import "reflect-metadata";
import assert from "node:assert/strict";
import https from "node:https";
import type { TLSSocket } from "node:tls";
import * as x509 from "@peculiar/x509";
import { certificateReader } from "../../../agent/http/auth/certificates.ts";
import type { ClientCa } from "../../../agent/http/auth/client_ca.ts";
import { parseBundle } from "../../../pki/mod.ts";
import { productOf } from "../../../schema/product.ts";
import { startTestServer } from "../../fixture/server.ts";
import { signingKeyOf } from "../../fixture/signing_key.ts";
import { authority, ca, client, connectTls, readUntil, serving } from "../../listen/_fixture.ts";
import { apiOf, clock, get, parts, withServers } from "./_parts.ts";

const jane = { cert: client.cert, key: client.key };
const reader = ca.leaf({ subject: { commonName: "reader", organizations: ["monitors"] }, usage: "client" });
const TOKENS = `secret-of-admin,admin,1,"system:masters"\nsecret-of-operator,operator,2,"operators"\n`;
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const AS_ADMIN = bearer("secret-of-admin"), token = bearer("secret-of-operator");
const WEBHOOK = { authorizationMode: "Webhook", authenticationTokenWebhook: true } as const;

async function withCaFile(text: string, run: (path: string) => Promise<void>): Promise<void> {
  const path = await Deno.makeTempFile();
  await Deno.writeTextFile(path, text);
  await run(path).finally(() => Deno.remove(path));
}

Deno.test("agent servers: certificates and tokens are known, roles of the API server decide", async () => {
  const server = await startTestServer([], { files: { serviceAccountKeys: [], tokenFile: TOKENS } });
  const asked: string[] = [];
  const rbac = "/apis/rbac.authorization.k8s.io/v1";
  const role = (name: string, resources: string[], verbs = ["get"]) => ({
    metadata: { name },
    rules: [{ apiGroups: [""], resources, verbs }],
  });
  const bind = (name: string, subject: object) => ({
    metadata: { name },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", ...subject }],
  });
  const rows: [string, object][] = [
    [`${rbac}/clusterroles`, role("read", ["nodes/metrics", "nodes/pods"])],
    [`${rbac}/clusterrolebindings`, bind("read", { kind: "Group", name: "monitors" })],
    [`${rbac}/clusterroles`, role("all", ["nodes/proxy"])],
    [`${rbac}/clusterrolebindings`, bind("all", { kind: "User", name: "operator" })],
  ];
  for (const [path, body] of rows) {
    const { status, text } = await server.fetch(path, { body, ...AS_ADMIN });
    assert.equal(status, 201, text);
  }
  await withCaFile(ca.cert, async (clientCaFile) => {
    await withServers(
      { api: apiOf(server, AS_ADMIN.headers, asked), gate: () => true },
      { ...WEBHOOK, clientCaFile },
      async ({ port }) => {
        const status = async (path: string, o: https.RequestOptions = {}) => (await get(port, path, o)).status;
        // Masters may all.
        assert.equal(await status("/pods", jane), 200);
        assert.equal(await status("/configz", jane), 200);
        assert.equal(await status("/metrics", reader), 200);
        assert.equal(await status("/pods", reader), 200);
        assert.equal(await status("/allocatedPods/default/web", reader), 404);
        const refused = await get(port, "/configz", reader);
        assert.deepEqual([refused.status, refused.text], [
          403,
          "Forbidden (user=reader, verb=get, resource=nodes, subresource(s)=[configz proxy])\n",
        ]);
        assert.equal(await status("/metrics", { ...reader, method: "PUT" }), 403);
        assert.equal(await status("/configz", token), 200);
        assert.equal(await status("/metrics", token), 403);
        const nobody = await get(port, "/pods");
        assert.deepEqual([nobody.status, nobody.text.split(",")[0]], [403, "Forbidden (user=system:anonymous"]);
        const wrong = await get(port, "/pods", bearer("none"));
        assert.deepEqual([wrong.status, wrong.text], [401, "Unauthorized"]);
        const among = (protocols: string) => ({
          headers: { connection: "Upgrade", upgrade: "websocket", "sec-websocket-protocol": protocols },
        });
        const encoded = btoa("secret-of-operator").replaceAll("=", "");
        for (const domain of ["k8s.io", "orch.io"]) {
          const protocol = `base64url.bearer.authorization.${domain}.${encoded}`;
          assert.equal(await status("/configz", among(`${protocol}, v4`)), domain === "k8s.io" ? 200 : 403);
          assert.equal(await status("/configz", among(protocol)), domain === "k8s.io" ? 401 : 403, "it needs another");
        }
        const reviews = asked.length;
        assert.equal(await status("/configz", token), 200);
        assert.equal(await status("/configz", reader), 403);
        assert.equal(asked.length, reviews, "answers are kept");
      },
    );
  });
  await server.stop();
});

Deno.test("agent servers: certificates that do not hold, and authorities that change at work", async () => {
  const other = authority("test-ca");
  const stranger = other.leaf({ subject: { commonName: "jane" }, usage: "client" });
  const forServers = ca.leaf({ subject: { commonName: "jane" }, usage: "server", dnsNames: ["x"] });
  let now = clock.now();
  await withCaFile(ca.cert, async (clientCaFile) => {
    const own = { clock: { ...clock, now: () => now, ticks: () => now } };
    await withServers(own, { clientCaFile, anonymousAuth: false }, async ({ port }) => {
      const status = async (o: https.RequestOptions) => (await get(port, "/pods", o)).status;
      assert.deepEqual([await status(jane), await status(stranger), await status(forServers), await status({})], [
        200,
        401,
        401,
        401,
      ]);
      const kept = new https.Agent({ keepAlive: true, maxSockets: 1 });
      assert.equal(await status({ ...jane, agent: kept }), 200);
      const open = [forServers, stranger].map((pair) => ({
        ...pair,
        agent: new https.Agent({ keepAlive: true, maxSockets: 1 }),
      }));
      for (const o of open) assert.equal(await status(o), 401);
      await Deno.writeTextFile(clientCaFile, ca.cert + other.cert);
      now += 2_000;
      assert.equal(await status({ ...jane, agent: kept }), 200);
      assert.deepEqual([await status(open[0]!), await status(open[1]!)], [401, 200], "a server's is no client's");
      for (const { agent } of open) agent.destroy();
      // Its handshake is done, and it has asked for nothing yet.
      const early = await connectTls(port, { ...jane, ALPNProtocols: ["http/1.1"] });
      await Deno.writeTextFile(clientCaFile, other.cert);
      now += 2_000;
      assert.equal(await status({ ...jane, agent: kept }), 401);
      early.write("GET /pods HTTP/1.1\r\nHost: x\r\n\r\n");
      assert.match(await readUntil(early, (text) => text.includes("\r\n\r\n")), /^HTTP\/1\.1 401 /);
      early.destroy();
      assert.deepEqual([await status(jane), await status(stranger)], [401, 200]);
      await Deno.writeTextFile(clientCaFile, "none");
      now += 2_000;
      assert.equal(await status(stranger), 200);
      kept.destroy();
    });
  });
});

/** Asks twice by `openssl`, the second time by the session of the first; the codes, and whether the session was gone on with. */
async function askedTwice(port: number, pair: { cert: string; key: string }, version: "-tls1_2" | "-tls1_3") {
  const dir = await Deno.makeTempDir(), session = `${dir}/session`;
  await Deno.writeTextFile(`${dir}/cert`, pair.cert);
  await Deno.writeTextFile(`${dir}/key`, pair.key);
  const ask = async (...more: string[]) => {
    const args = ["s_client", "-connect", `127.0.0.1:${port}`, "-cert", `${dir}/cert`, "-key", `${dir}/key`, version];
    const piped = { stdin: "piped", stdout: "piped", stderr: "null" } as const;
    const child = new Deno.Command("openssl", { args: [...args, "-ign_eof", ...more], ...piped }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode("GET /pods HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
    const text = new TextDecoder().decode((await child.output()).stdout);
    await writer.close().catch(() => {});
    return [Number(/HTTP\/1\.1 (\d+)/.exec(text)?.[1]), /^Reused, /m.test(text)] as const;
  };
  try {
    const [first] = await ask("-sess_out", session), [second, reused] = await ask("-sess_in", session);
    return { first, second, reused };
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

Deno.test("agent servers: a session that is gone on with makes no certificate good", async () => {
  const strange = authority("strange");
  const made = strange.leaf({ subject: { commonName: "jane", organizations: ["system:masters"] }, usage: "client" });
  const forServers = ca.leaf({ subject: { commonName: "jane" }, usage: "server", dnsNames: ["x"] });
  await withCaFile(ca.cert, async (clientCaFile) => {
    await withServers({}, { clientCaFile, anonymousAuth: false }, async ({ port }) => {
      for (const version of ["-tls1_2", "-tls1_3"] as const) {
        assert.deepEqual(await askedTwice(port, jane, version), { first: 200, second: 200, reused: true });
        for (const pair of [made, forServers]) {
          assert.deepEqual(await askedTwice(port, pair, version), { first: 401, second: 401, reused: true });
        }
      }
    });
  });
});

Deno.test("agent servers: of several common names the last is the user, as for the API server", async () => {
  const curve = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await crypto.subtle.generateKey(curve, false, ["sign", "verify"]);
  const made = await x509.X509CertificateGenerator.create({
    subject: "CN=admin, CN=jane, O=dev",
    issuer: new x509.X509Certificate(ca.cert).subjectName,
    publicKey: keys.publicKey,
    signingKey: await signingKeyOf(ca.key),
    signingAlgorithm: curve,
    extensions: [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth])],
  });
  const socket = { getPeerCertificate: () => ({ raw: new Uint8Array(made.rawData) }) } as TLSSocket;
  const roots = parseBundle(ca.cert), authorities = { roots: () => roots } as unknown as ClientCa;
  const user = certificateReader(authorities, productOf("kubernetes"), () => clock.now())(socket);
  assert.deepEqual([user?.name, user?.groups], ["jane", ["dev"]]);
});

Deno.test("agent servers: the serving pair is the one of the moment; versions and suites keep to the options", async () => {
  let pair = serving;
  await withServers({ pair: () => pair }, {}, async ({ port }) => {
    const name = () =>
      new Promise<string>((done, failed) => {
        const asked = https.get({ host: "127.0.0.1", port, path: "/healthz", ca: ca.cert, agent: false }, (r) => {
          const socket = r.socket as unknown as { getPeerCertificate(): { subject: { CN: string } } };
          done(socket.getPeerCertificate().subject.CN);
          r.resume();
        });
        asked.on("error", failed);
      });
    assert.equal(await name(), "server");
    pair = ca.leaf({ subject: { commonName: "renewed" }, usage: "server", ips: ["127.0.0.1"] });
    assert.equal(await name(), "renewed");
  });
  const suite = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256";
  await withServers({}, { tlsCipherSuites: [suite] }, async ({ port }) => {
    await assert.rejects(get(port, "/healthz", { maxVersion: "TLSv1.2" }));
    assert.equal((await get(port, "/healthz")).status, 200);
  });
  await withServers({}, { tlsMinVersion: "VersionTLS13" }, async ({ port }) => {
    await assert.rejects(get(port, "/healthz", { maxVersion: "TLSv1.2" }));
    assert.equal((await get(port, "/healthz")).status, 200);
  });
});

Deno.test("agent servers: without anybody to ask there are no reviews", async () => {
  await assert.rejects(
    withServers({}, WEBHOOK, async () => {}),
    /no client provided, cannot use webhook authentication/,
  );
  const deaf = { request: () => Promise.reject(new Error("deaf")), follow: () => Promise.resolve() };
  const own = parts({ api: deaf, clock: { ...clock, wait: () => Promise.resolve() } });
  await withServers(own, { authorizationMode: "Webhook" }, async ({ port }) => {
    const { status, text } = await get(port, "/stats/summary");
    assert.equal(status, 500);
    assert.equal(
      text,
      "Authorization error (user=system:anonymous, verb=get, resource=nodes, subresource=stats)",
    );
  });
});
