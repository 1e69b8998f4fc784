/** The node agent: who may call it, and by which certificates it is known. */
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import type tls from "node:tls";
import { productOf } from "../../schema/product.ts";
import { Signer } from "../agent/certificates/_signer.ts";
import { clientOf } from "../agent/client/_client.ts";
import { ca, client, connectTls, servingPair, soon, until } from "../listen/_fixture.ts";
import {
  faultsOf,
  type Front,
  HeldClock,
  MovedClock,
  noAgent,
  optionsOf,
  type Whole,
  withAgent,
  withFront,
} from "./_orchlet.ts";
import { spec } from "./_spec.ts";
import { withDirectory } from "../fixture/directory.ts";

const TOKENS = `secret-of-admin,admin,1,"system:masters"\nsecret-of-operator,operator,2,"operators"\n`;
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const ADMIN = bearer("secret-of-admin"), OPERATOR = bearer("secret-of-operator");
const WEBHOOK = "--authorization-mode=Webhook", REVIEWS = "--authentication-token-webhook";
const SECOND = 1_000;

/** An agent and its API server, which knows tokens, and by whose roles operators and nobody may read pods. */
async function withUsers(
  flags: readonly string[] | ((dir: string) => readonly string[]),
  run: (whole: Whole, front: Front) => Promise<void>,
  clock = new MovedClock(),
): Promise<void> {
  await withFront([], async (front) => {
    const rbac = "/apis/rbac.authorization.k8s.io/v1", apiGroup = "rbac.authorization.k8s.io";
    const rules = [{ apiGroups: [""], resources: ["nodes/pods"], verbs: ["get"] }];
    const subjects = ["operators", "system:unauthenticated"].map((name) => ({ apiGroup, kind: "Group", name }));
    const roleRef = { apiGroup, kind: "ClusterRole", name: "reader" };
    const metadata = { name: "reader" };
    await front.t.fetch(`${rbac}/clusterroles`, { body: { metadata, rules }, ...ADMIN });
    await front.t.fetch(`${rbac}/clusterrolebindings`, { body: { metadata, roleRef, subjects }, ...ADMIN });
    await withAgent(flags, (whole) => run(whole, front), { front, clock, user: { token: "secret-of-admin" } });
  }, { files: { serviceAccountKeys: [], tokenFile: TOKENS } });
}

const reviews = ({ asked }: Front, kind: string) => asked.filter(({ path }) => path.endsWith(`/${kind}reviews`)).length;

/** Asks again and again; how many reviews the API server has been asked for after each time that has passed, ms. */
async function reviewsAfter(
  flags: readonly string[],
  kind: "token" | "subjectaccess",
  path: string,
  times: readonly number[],
): Promise<number[]> {
  const clock = new MovedClock(), counts: number[] = [];
  await withUsers([WEBHOOK, REVIEWS, ...flags], async (whole, front) => {
    for (const ms of [0, ...times]) {
      clock.pass(ms);
      const before = reviews(front, kind);
      await whole.get(path, OPERATOR);
      counts.push(reviews(front, kind) - before);
    }
  }, clock);
  return counts;
}

/** The certificate that an agent's server shows. */
async function shown({ agent }: Whole): Promise<X509Certificate> {
  const socket = await connectTls(agent.servers.port, { rejectUnauthorized: false });
  const { raw } = socket.getPeerCertificate() as tls.DetailedPeerCertificate;
  socket.destroy();
  return new X509Certificate(raw);
}

/** Runs with what signs requests for certificates. */
async function withSigner(front: Front, run: (signer: Signer) => Promise<void>): Promise<void> {
  await withDirectory(async (dir) => {
    await Deno.writeTextFile(`${dir}/ca.crt`, ca.cert);
    await Deno.writeTextFile(`${dir}/ca.key`, ca.key);
    const signer = await Signer.of(dir), life = new AbortController();
    const admin = clientOf({ server: front.url }, "kubernetes");
    const signs = signer.run(admin, productOf("kubernetes"), life.signal);
    try {
      await run(signer);
    } finally {
      life.abort();
      await signs;
      admin.renew();
    }
  });
}

/** Files of a pair, as flags. */
async function pairFlags(dir: string, { cert, key }: { cert: string; key: string }): Promise<string[]> {
  await Deno.writeTextFile(`${dir}/crt`, cert);
  await Deno.writeTextFile(`${dir}/key`, key);
  return [`--tls-cert-file=${dir}/crt`, `--tls-private-key-file=${dir}/key`];
}

const base64 = (text: string) => btoa(text);

spec("Authentication, Node agent", {
  "--anonymous-auth": async () => {
    await withUsers([WEBHOOK], async ({ get }) => {
      // The group system:unauthenticated may.
      assert.equal((await get("/pods")).status, 200);
      const { status, text } = await get("/configz");
      assert.equal(status, 403);
      assert.match(text, /user=system:anonymous/);
    });
    await withAgent(["--anonymous-auth=false"], async ({ get }) => assert.equal((await get("/pods")).status, 401));
  },
  "--authentication-token-webhook": async () => {
    await withUsers([WEBHOOK, REVIEWS], async ({ get }) => {
      assert.match((await get("/configz", OPERATOR)).text, /user=operator/);
      assert.equal((await get("/configz", ADMIN)).status, 200);
      assert.equal((await get("/pods", bearer("none"))).status, 401);
    });
    await withUsers([WEBHOOK], async ({ get }) => {
      assert.match((await get("/configz", ADMIN)).text, /user=system:anonymous/);
    });
    // However many tokens it is shown, the agent's own requests do not wait for those about them.
    const clientClock = new HeldClock(), flags = [WEBHOOK, REVIEWS, "--orch-api-qps=1", "--orch-api-burst=50"];
    await withFront([], (front) =>
      withAgent(flags, async ({ get, base }) => {
        let answered = 0;
        const crowd = Array.from({ length: 60 }, (_, n) => get("/pods", bearer(`none-${n}`)).then(() => answered++));
        await until("so many are asked about", () => reviews(front, "token") >= 40);
        await soon(base.client!.request("GET", "/version"), "its answer");
        assert.ok(answered < crowd.length);
        await until("all are answered", () => (clientClock.pass(SECOND), answered === crowd.length));
      }, { front, clientClock }));
  },
  "--authentication-token-webhook-cache-ttl": async () => {
    assert.deepEqual(await reviewsAfter([], "token", "/pods", [0, 100 * SECOND, 30 * SECOND]), [1, 0, 0, 1]);
    const longer = ["--authentication-token-webhook-cache-ttl=1h"];
    assert.deepEqual(await reviewsAfter(longer, "token", "/pods", [3_500 * SECOND, 110 * SECOND]), [1, 0, 1]);
  },
  "--authorization-mode": async () => {
    await withUsers([], async ({ get }) => assert.equal((await get("/configz")).status, 200));
    await withUsers([WEBHOOK], async ({ get }, front) => {
      assert.equal((await get("/configz")).status, 403);
      assert.equal((await get("/pods")).status, 200);
      assert.ok(reviews(front, "subjectaccess") > 0);
    });
    assert.notEqual(faultsOf("--authorization-mode=RBAC"), "");
  },
  "--authorization-webhook-cache-authorized-ttl": async () => {
    const allowed = (flags: string[], ...times: number[]) => reviewsAfter(flags, "subjectaccess", "/pods", times);
    assert.deepEqual(await allowed([], 280 * SECOND, 30 * SECOND), [1, 0, 1]);
    const shorter = ["--authorization-webhook-cache-authorized-ttl=1m"];
    assert.deepEqual(await allowed(shorter, 50 * SECOND, 20 * SECOND), [1, 0, 1]);
  },
  "--authorization-webhook-cache-unauthorized-ttl": async () => {
    // Of the page either of two rights would do: both are asked for.
    const denied = (flags: string[], ...times: number[]) => reviewsAfter(flags, "subjectaccess", "/configz", times);
    assert.deepEqual(await denied([], 25 * SECOND, 10 * SECOND), [2, 0, 2]);
    const longer = ["--authorization-webhook-cache-unauthorized-ttl=1m"];
    assert.deepEqual(await denied(longer, 50 * SECOND, 20 * SECOND), [2, 0, 2]);
  },
  "--client-ca-file": () =>
    withDirectory(async (dir) => {
      await Deno.writeTextFile(`${dir}/ca`, ca.cert);
      const reader = ca.leaf({ subject: { commonName: "ann" }, usage: "client" });
      await withUsers([WEBHOOK, `--client-ca-file=${dir}/ca`], async ({ get }) => {
        assert.match((await get("/configz", reader)).text, /user=ann,/);
        // Of system:masters.
        assert.equal((await get("/configz", client)).status, 200);
      });
      await withUsers([WEBHOOK], async ({ get }) => {
        assert.match((await get("/configz", reader)).text, /user=system:anonymous/);
      });
    }),
  "--tls-cert-file, --tls-private-key-file": () =>
    withDirectory(async (dir) => {
      const flags = await pairFlags(dir, servingPair("given"));
      await withAgent(flags, async (whole) => assert.match((await shown(whole)).subject, /CN=given/));
      await withAgent([], async (whole) => {
        const cert = await shown(whole);
        assert.match(cert.subjectAltName!, /localhost/);
        assert.doesNotMatch(cert.issuer, /test-ca/);
      });
      assert.notEqual(faultsOf(flags[0]!), "");
    }),
  "--tls-cipher-suites, --tls-min-version": () =>
    withDirectory(async (dir) => {
      const old = { maxVersion: "TLSv1.2" } as const;
      await withAgent([], async ({ get }) => assert.equal((await get("/pods", old)).status, 200));
      await withAgent(["--tls-min-version=VersionTLS13"], async ({ get }) => {
        await assert.rejects(get("/pods", old));
        assert.equal((await get("/pods")).status, 200);
      });
      const pair = await pairFlags(dir, servingPair("given"));
      const suite = (name: string) => [...pair, `--tls-cipher-suites=TLS_ECDHE_${name}`];
      await withAgent(suite("ECDSA_WITH_AES_256_GCM_SHA384"), async ({ get }) => {
        assert.equal((await get("/pods", old)).status, 200);
      });
      await withAgent(suite("RSA_WITH_AES_128_GCM_SHA256"), async ({ get }) => {
        await assert.rejects(get("/pods", old));
        assert.equal((await get("/pods")).status, 200);
      });
      for (const flag of ["--tls-min-version=VersionTLS14", "--tls-cipher-suites=NONE"]) {
        assert.notEqual(faultsOf(flag), "", flag);
      }
    }),
  "--rotate-certificates": () =>
    withFront([], (front) =>
      withSigner(front, async (signer) => {
        const user = { "client-certificate-data": base64(client.cert), "client-key-data": base64(client.key) };
        const known = (dir: string) => Deno.stat(`${dir}/pki/kubelet-client-current.pem`).then(() => true, () => false);
        await withAgent([], async ({ node, dir }) => {
          await node();
          assert.equal(await known(dir), false);
        }, { front, user });
        assert.deepEqual(signer.seen, []);
        await withAgent(["--rotate-certificates"], async ({ base, dir }) => {
          await until("there is a new certificate", () => known(dir));
          await until("it is in use", () => base.credentials!.connection().cert !== client.cert);
          const { subject, issuer } = new X509Certificate(base.credentials!.connection().cert!);
          assert.match(subject, /CN=system:node:localhost/);
          assert.match(issuer, /test-ca/);
        }, { front, user });
        assert.match(signer.seen.join(), /^kubernetes\.io\/kube-apiserver-client-kubelet /);
      })),
  "--rotate-server-certificates": () =>
    withFront([], (front) =>
      withSigner(front, async (signer) => {
        const gates = "--feature-gates=RotateKubeletServerCertificate=True,AllowDNSOnlyNodeCSR=True";
        await withAgent(["--rotate-server-certificates", gates], async (whole) => {
          await until("it is signed", () => signer.seen.length > 0);
          await until("it is shown", async () => {
            const { issuer, subject } = await shown(whole).catch(() => ({ issuer: "", subject: "" }));
            return /test-ca/.test(issuer) && /CN=system:node:localhost/.test(subject);
          });
        }, { front });
        assert.match(signer.seen.join(), /^kubernetes\.io\/kubelet-serving /);
        const closed = "--feature-gates=RotateKubeletServerCertificate=False";
        assert.match(faultsOf("--rotate-server-certificates", closed), /needs the feature gate/);
        assert.equal(optionsOf().rotateServerCertificates, false);
      })),
}, noAgent);
