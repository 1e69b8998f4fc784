import "reflect-metadata";
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import * as x509 from "@peculiar/x509";
import {
  type ClientCertificateParts,
  clientCertificates,
  servingCertificates,
} from "../../../agent/certificates/mod.ts";
import { PairStore } from "../../../agent/certificates/store.ts";
import { templateOf } from "../../../agent/certificates/serving.ts";
import { isRequestOf, requestOf, satisfies, selfSigned } from "../../../agent/certificates/x509.ts";
import { renewalOf, rotate } from "../../../agent/certificates/rotation.ts";
import { askForCertificate } from "../../../agent/certificates/signing.ts";
import type { ApiClient } from "../../../agent/client/mod.ts";
import { type Api, ApiError, type Follower } from "../../../agent/types.ts";
import { generateKey } from "../../../pki/keys.ts";
import { fits } from "../../../pki/pair.ts";
import { type Dialect, productOf } from "../../../schema/product.ts";
import { ServerProcess, until } from "../../e2e/_server.ts";
import { clientOf, realClock, zeros } from "../client/_client.ts";
import { withNode } from "../node/_node.ts";
import type { Loose } from "../../fixture/loose.ts";
import { Signer } from "./_signer.ts";

const CURVE = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY_MS = 24 * 60 * 60 * 1000;
const TOKEN = "abcdef.0123456789abcdef";

/** Lets those with the token ask for certificates of nodes. */
async function allowBootstrap(server: ServerProcess, dialect: Dialect): Promise<void> {
  const { local, systemNamespace: namespace } = productOf(dialect);
  const [id, secret] = TOKEN.split(".");
  const group = local("rbac.authorization.k8s.io");
  const admin = clientOf(server.kubeconfig, dialect);
  await admin.request("POST", `/api/v1/namespaces/${namespace}/secrets`, {
    body: {
      apiVersion: "v1",
      kind: "Secret",
      type: local("bootstrap.kubernetes.io/token"),
      metadata: { name: `bootstrap-token-${id}`, namespace },
      data: Object.fromEntries(
        Object.entries({ "token-id": id!, "token-secret": secret!, "usage-bootstrap-authentication": "true" })
          .map(([k, v]) => [k, btoa(v)]),
      ),
    },
  });
  await admin.request("POST", `/apis/${group}/v1/clusterrolebindings`, {
    body: {
      apiVersion: `${group}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name: "bootstrap" },
      roleRef: { apiGroup: group, kind: "ClusterRole", name: "system:node-bootstrapper" },
      subjects: [{ apiGroup: group, kind: "Group", name: "system:bootstrappers" }],
    },
  });
  admin.renew();
}

for (const dialect of ["kubernetes", "orch"] as const) {
  Deno.test(`a node with a token comes to certificates and renews them, dialect ${dialect}`, async () => {
    const product = productOf(dialect), agent = dialect === "orch" ? "orchlet" : "kubelet";
    const server = await ServerProcess.start(dialect, [
      "--authorization-mode=Node",
      "--enable-bootstrap-token-auth",
      "--enable-admission-plugins=NodeRestriction",
    ]);
    const stop = new AbortController(), { signal } = stop;
    const ends: Promise<unknown>[] = [];
    const admin = clientOf(server.kubeconfig, dialect);
    try {
      await allowBootstrap(server, dialect);
      const signer = await Signer.of(`${server.dir}/data`);
      const dir = `${server.dir}/agent`;
      Deno.mkdirSync(dir);
      const users = [{ name: "u", user: { token: TOKEN } }];
      const file = JSON.parse(Deno.readTextFileSync(server.kubeconfig));
      const contexts = [{ name: "c", context: { cluster: file.clusters[0].name, user: "u" } }];
      const text = JSON.stringify({ ...file, users, contexts, "current-context": "c" });
      Deno.writeTextFileSync(`${dir}/bootstrap.conf`, text);
      let offset = 0;
      const clock = { ...realClock, now: () => Date.now() + offset };
      const parts: ClientCertificateParts = {
        nodeName: "node-a",
        product,
        clock,
        random: zeros,
        log: () => {},
        open: (connection) => clientOf(connection, dialect),
      };
      const options = {
        orchconfig: `${dir}/agent.conf`,
        bootstrapOrchconfig: `${dir}/bootstrap.conf`,
        certDir: `${dir}/pki`,
        rotateCertificates: true,
      };

      // The request of an attempt that was given up is found again by the next one.
      const giveUp = new AbortController();
      const first = clientCertificates(options, parts, giveUp.signal);
      first.catch(() => {});
      const requests = `/apis/${product.local("certificates.k8s.io")}/v1/certificatesigningrequests`;
      const count = async () => (await admin.request<{ items: unknown[] }>("GET", requests)).items.length;
      await until("a certificate is asked for", async () => await count() === 1);
      giveUp.abort(new Error("given up"));
      await assert.rejects(first, /given up/);
      ends.push(signer.run(admin, product, signal));
      const own = await clientCertificates(options, parts, signal);
      assert.equal(await count(), 1);
      const current = `${dir}/pki/${agent}-client-current.pem`;
      const dated = Deno.readLinkSync(current);
      assert.match(dated, new RegExp(`/pki/${agent}-client-\\d{4}(-\\d\\d){5}\\.pem$`));
      assert.equal(Deno.statSync(dated).mode! & 0o777, 0o600);
      assert.ok(!Array.from(Deno.readDirSync(`${dir}/pki`)).some(({ name }) => name.endsWith(".tmp")));

      const client = clientOf(own.connection, dialect);
      const before = own.connection().cert!;
      assert.match(new X509Certificate(before).subject, /CN=system:node:node-a/);
      const life = new AbortController();
      ends.push(own.run(client, life.signal));
      await withNode({ api: client, product }, {}, async (node) => {
        await until("the node is registered with them", () => node.own.uid() !== undefined);
        const leases = `/apis/${
          product.local("coordination.k8s.io")
        }/v1/namespaces/${product.nodeLeaseNamespace}/leases`;
        await until("it has a lease", async () => {
          return (await admin.request<{ items: unknown[] }>("GET", leases)).items.length === 1;
        });
        const gates = (name: string) => name === "RotateKubeletServerCertificate";
        const serving = await servingCertificates(
          { tlsCertFile: "", tlsPrivateKeyFile: "", certDir: `${dir}/pki`, rotateServerCertificates: true },
          { ...parts, gate: gates, addresses: () => node.own.node().status?.addresses ?? [] },
        );
        assert.throws(() => serving.pair(), /no serving certificate/);
        ends.push(serving.run(client, life.signal));
        await until("a serving certificate is issued", () => {
          try {
            return fits(serving.pair());
          } catch {
            return false;
          }
        });
        const cert = new X509Certificate(serving.pair().cert);
        assert.ok(cert.checkIP("192.0.2.7") && cert.checkHost("node-a"));
      });

      offset = 0.8 * DAY_MS;
      await until("the client certificate is renewed", () => own.connection().cert !== before);
      assert.ok(fits({ cert: own.connection().cert!, key: own.connection().key! }));
      assert.notEqual(Deno.readLinkSync(current), dated);
      await client.request("GET", "/api/v1/nodes/node-a");
      const subject = "O=system:nodes, CN=system:node:node-a";
      const signers = ["kube-apiserver-client-kubelet", "kubelet-serving"]
        .map((s) => product.local(`kubernetes.io/${s}`));
      assert.deepEqual(signer.seen.slice(0, 2), [
        `${signers[0]} ${subject} system:bootstrap:abcdef`,
        `${signers[1]} ${subject} system:node:node-a`,
      ]);
      assert.ok(signer.seen.includes(`${signers[0]} ${subject} system:node:node-a`));

      // A node that was away for long begins anew, at its start.
      life.abort();
      const renewed = own.connection().cert;
      offset = 3 * DAY_MS;
      const again = await clientCertificates({ ...options, rotateCertificates: false }, parts, signal);
      assert.notEqual(again.connection().cert, renewed);
      stop.abort();
      client.renew();
      await Promise.all(ends);
    } finally {
      stop.abort();
      admin.renew();
      await server.end();
    }
  });
}

Deno.test("the server shows the files that are named, and takes others when they fit", async () => {
  const dir = Deno.makeTempDirSync(), stop = new AbortController();
  const looks: (() => void)[] = [];
  let later = 0;
  const clock = {
    now: () => Date.now() + later,
    ticks: Date.now,
    wait: (_: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        looks.push(resolve);
        signal?.addEventListener("abort", () => resolve());
      }),
  };
  const parts = {
    nodeName: "node-a",
    addresses: () => [],
    gate: () => false,
    product: productOf("orch"),
    clock,
    random: zeros,
    log: () => {},
  };
  const options = { tlsCertFile: "", tlsPrivateKeyFile: "", certDir: `${dir}/pki`, rotateServerCertificates: true };
  try {
    const own = await servingCertificates(options, parts);
    const cert = new X509Certificate(own.pair().cert);
    assert.ok(cert.checkHost("node-a") && fits(own.pair()));
    assert.deepEqual([...Deno.readDirSync(`${dir}/pki`)].map((e) => e.name).sort(), ["orchlet.crt", "orchlet.key"]);
    assert.equal(Deno.statSync(`${dir}/pki/orchlet.key`).mode! & 0o777, 0o600);
    assert.deepEqual((await servingCertificates(options, parts)).pair(), own.pair());
    const look = async () => {
      await until("it waits", () => looks.length > 0);
      looks.shift()!();
      await until("it waits again", () => looks.length > 0);
    };
    const first = own.pair(), renewing = new AbortController(), running = own.run(undefined, renewing.signal);
    await look();
    assert.deepEqual(own.pair(), first);
    later = 364 * DAY_MS;
    await look();
    assert.notEqual(own.pair().cert, first.cert);
    assert.ok(
      fits(own.pair()) && new X509Certificate(own.pair().cert).validToDate.getTime() > Date.now() + 700 * DAY_MS,
    );
    later = 0;
    renewing.abort();
    await running;
    looks.length = 0;

    const files = { tlsCertFile: `${dir}/c`, tlsPrivateKeyFile: `${dir}/k` };
    const [a, b] = [await selfSigned("a", Date.now()), await selfSigned("b", Date.now())];
    const write = ({ cert, key }: { cert?: string; key?: string }) => {
      if (cert) Deno.writeTextFileSync(files.tlsCertFile, cert);
      if (key) Deno.writeTextFileSync(files.tlsPrivateKeyFile, key);
    };
    write(a);
    const named = await servingCertificates({ ...options, ...files }, parts);
    const end = named.run(undefined, stop.signal);
    write({ cert: b.cert });
    await look();
    assert.deepEqual(named.pair(), a);
    write({ key: b.key });
    await look();
    assert.deepEqual(named.pair(), b);
    stop.abort();
    await end;
    write({ key: a.key });
    await assert.rejects(servingCertificates({ ...options, ...files }, parts), /hold no certificate with its key/);
  } finally {
    stop.abort();
    Deno.removeSync(dir, { recursive: true });
  }
});

Deno.test("requests and certificates say what they are to", async () => {
  const addresses = [
    { type: "Hostname", address: "n" },
    { type: "InternalIP", address: "fd00::7" },
    { type: "InternalIP", address: "192.0.2.7" },
    { type: "ExternalDNS", address: "n.test" },
  ];
  const template = templateOf("n", addresses, false)!;
  assert.deepEqual([template.dnsNames, template.ips], [["n", "n.test"], ["192.0.2.7", "fd00::7"]]);
  assert.equal(templateOf("n", addresses.slice(0, 1), false), undefined);
  assert.deepEqual(templateOf("n", addresses.slice(0, 1), true)?.dnsNames, ["n"]);
  const key = generateKey("pkcs8"), request = await requestOf(template, key);
  assert.ok(await isRequestOf(request, template, key));
  assert.ok(!await isRequestOf(request, template, generateKey("pkcs8")));
  assert.ok(!await isRequestOf(request, { ...template, commonName: "other" }, key));
  const { cert } = await selfSigned("fd00::7", Date.UTC(2030, 0, 1));
  const said = {
    commonName: `fd00::7@${Date.UTC(2030, 0, 1) / 1000}`,
    organizations: [],
    dnsNames: [],
    ips: ["fd00::7"],
  };
  assert.ok(await satisfies(cert, said));
  assert.ok(!await satisfies(cert, { ...said, ips: ["fd00::8"] }));
  const from = Date.UTC(2029, 11, 31, 23), year = 365 * DAY_MS;
  assert.equal(renewalOf(cert, zeros), from + 0.7 * year);
  assert.ok(Math.abs(renewalOf(cert, (n) => new Uint8Array(n).fill(255)) - (from + 0.9 * year)) < 1000);
});

/** Rotation by a signer whose certificates tell of names, or not, and end at a time. */
async function pausesWith(named: boolean, ends: number): Promise<{ asked: number; pauses: number[] }> {
  const dir = Deno.makeTempDirSync(), stop = new AbortController(), pauses: number[] = [];
  const template = { commonName: "n", organizations: ["o"], dnsNames: ["n.test"], ips: [] };
  let asked = 0, cert = "";
  const api = {
    async request<T>(_verb: string, _path: string, { body }: { body?: unknown } = {}) {
      const request = new x509.Pkcs10CertificateRequest(atob((body as Loose).spec.request));
      const { privateKey: signingKey } = await crypto.subtle.generateKey(CURVE, false, ["sign", "verify"]);
      const { subjectName: subject, publicKey } = request, names = request.getExtension("2.5.29.17")!;
      const times = { notBefore: new Date(Date.now() - 5 * 60_000), notAfter: new Date(Date.now() + ends) };
      const extensions = named ? [names] : [];
      const made = { subject, publicKey, signingKey, signingAlgorithm: CURVE, extensions, ...times };
      cert = (await x509.X509CertificateGenerator.create(made)).toString("pem");
      if (++asked > 10) stop.abort();
      return { metadata: { name: "csr", uid: String(asked) } } as T;
    },
    follow<T>(_path: string, _query: object, to: Follower<T>): Promise<void> {
      const status = { conditions: [{ type: "Approved" }], certificate: btoa(cert) };
      to.replace([{ metadata: { uid: String(asked) }, status } as T]);
      return Promise.resolve();
    },
  };
  const clock = {
    now: () => Date.now(),
    ticks: () => Date.now(),
    wait: (ms: number, signal?: AbortSignal) => {
      if (signal === stop.signal && pauses.push(ms) === 3) stop.abort();
      return new Promise<void>((done) => setTimeout(done, 1));
    },
  };
  const parts = { store: new PairStore(dir, "x"), signer: "kubernetes.io/kubelet-serving", random: zeros } as const;
  const figures = { renewed: () => {}, failed: () => {} };
  const { signal } = stop,
    told = { template: () => template, api: () => api, changed: () => {}, log: () => {}, figures };
  await rotate({ ...parts, ...told, product: productOf("kubernetes"), clock }, false, signal);
  Deno.removeSync(dir, { recursive: true });
  return { asked, pauses };
}

Deno.test("a signer that leaves out what was asked for is asked again after pauses", async () => {
  assert.deepEqual(await pausesWith(false, DAY_MS), { asked: 3, pauses: [2_000, 4_000, 8_000] });
});

Deno.test("a certificate that is to be renewed as soon as it is there is asked for again after pauses", async () => {
  assert.deepEqual(await pausesWith(true, 60_000), { asked: 3, pauses: [2_000, 4_000, 8_000] }, "a short life");
  assert.deepEqual(
    await pausesWith(true, -60_000),
    { asked: 3, pauses: [2_000, 4_000, 8_000] },
    "a clock that is ahead",
  );
});

Deno.test("a server that has just begun is asked for a certificate once it is well, or has not been for a minute", async () => {
  const dir = Deno.makeTempDirSync(), cluster = { server: "https://127.0.0.1:1" };
  const file = { clusters: [{ name: "c", cluster }], users: [], contexts: [{ name: "c", context: { cluster: "c" } }] };
  Deno.writeTextFileSync(`${dir}/bootstrap.conf`, JSON.stringify({ ...file, "current-context": "c" }));
  const options = { orchconfig: `${dir}/agent.conf`, bootstrapOrchconfig: `${dir}/bootstrap.conf`, certDir: dir };
  const asked = async (...codes: number[]) => {
    const paths: string[] = [];
    let ticks = 0;
    const open = () =>
      ({
        request: (_verb: string, path: string) => {
          paths.push(path.split("/").at(-1)!);
          const code = path === "/healthz" ? codes.shift() ?? 500 : 403;
          return code === 200 ? Promise.resolve({}) : Promise.reject(new ApiError(code, "", `answered ${code}`));
        },
        renew: () => {},
      }) as ApiClient;
    const wait = (ms: number) => Promise.resolve(void (ticks += ms));
    const clock = { now: () => Date.now(), ticks: () => ticks, wait };
    const product = productOf("kubernetes"), parts = { nodeName: "n", product, clock, random: zeros, log: () => {} };
    const made = clientCertificates({ ...options, rotateCertificates: true }, { ...parts, open }, stop.signal);
    await assert.rejects(made, /answered 403/);
    return { paths: paths.join(" "), ticks };
  };
  const stop = new AbortController(), csr = "certificatesigningrequests";
  assert.equal((await asked(500, 429, 200)).paths, `healthz healthz healthz ${csr}`);
  assert.equal((await asked(403)).paths, `healthz ${csr}`, "who may not know");
  const never = await asked();
  assert.match(never.paths, new RegExp(`^(healthz )+${csr}$`));
  assert.ok(never.ticks >= 60_000);
  Deno.removeSync(dir, { recursive: true });
});

Deno.test("who ends while the answer to a request comes does not wait for its certificate", async () => {
  const stop = new AbortController();
  const api: Api = {
    async request<T>() {
      stop.abort(new Error("the agent ends"));
      return { metadata: { name: "csr", uid: "1" } } as T;
    },
    follow: (_path, _query, _to, signal) =>
      new Promise((done) => signal.aborted ? done() : signal.addEventListener("abort", () => done(), { once: true })),
  };
  const template = { commonName: "n", organizations: [], dnsNames: ["n"], ips: [] };
  const wanted = {
    template,
    key: generateKey("pkcs8"),
    signer: "kubernetes.io/kubelet-serving",
    waitMs: 60_000,
  } as const;
  const asked = askForCertificate(api, productOf("kubernetes"), realClock, wanted, stop.signal);
  await assert.rejects(asked, /the agent ends/);
});

Deno.test("a store takes only pairs, and a file is no link", async () => {
  const dir = Deno.makeTempDirSync();
  try {
    const pair = await selfSigned("a", Date.now()), other = await selfSigned("b", Date.now());
    const store = new PairStore(dir, "x");
    assert.equal(await store.load(), undefined);
    await assert.rejects(store.update({ ...pair, key: other.key }, 0), /not that of the key/);
    await store.update(pair, 0);
    assert.equal(Deno.readLinkSync(store.path), `${dir}/x-1970-01-01-00-00-00.pem`);
    const loaded = await new PairStore(dir, "x").load();
    assert.deepEqual([loaded?.cert.trim(), loaded?.key.trim()], [pair.cert.trim(), pair.key.trim()]);
    Deno.removeSync(store.path);
    Deno.writeTextFileSync(store.path, "x");
    assert.equal(await store.load(), undefined);
    await assert.rejects(store.update(other, 1000), /to be a symlink/);
  } finally {
    Deno.removeSync(dir, { recursive: true });
  }
});
