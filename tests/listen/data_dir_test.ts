import assert from "node:assert/strict";
import { generateKeyPairSync, sign, verify, X509Certificate } from "node:crypto";
import {
  connectionFile,
  type DataDir,
  ensureDataDir,
  ensureServingPair,
  followDataDir,
  listen,
  makeDataDir,
} from "../../server/listen/mod.ts";
import { certificateFacts, fromPem, generateKey, issueAuthority, parseBundle, verifyChain } from "../../pki/mod.ts";

const DAY = 24 * 3600 * 1000;
const NAMES = { hostnames: ["orch.default.svc"], ips: ["10.0.0.1"], port: 6443 };

async function withDir(body: (dir: string) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  try {
    await body(`${dir}/data`);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

const facts = (pem: string) => certificateFacts(fromPem("CERTIFICATE", pem)[0]!);
const certs = ({ ca, serving, admin }: DataDir) => [ca.cert, serving.cert, admin.cert];
const keys = ({ ca, serving, admin, serviceAccount }: DataDir) =>
  [ca, serving, admin, serviceAccount].map((p) => p.key);

Deno.test("data directory: made once, read back the same, for the owner only", async () => {
  await withDir(async (dir) => {
    const first = await ensureDataDir(dir, NAMES);
    const second = await ensureDataDir(dir, NAMES);
    assert.deepEqual(second, first);
    assert.equal((await Deno.stat(dir)).mode! & 0o777, 0o700);
    const names: string[] = [];
    for await (const { name } of Deno.readDir(dir)) {
      names.push(name);
      assert.equal((await Deno.stat(`${dir}/${name}`)).mode! & 0o777, 0o600, name);
    }
    assert.deepEqual(names.sort(), [
      "admin.conf",
      "admin.crt",
      "admin.key",
      "ca.crt",
      "ca.key",
      "sa.key",
      "sa.pub",
      "server.crt",
      "server.key",
    ]);
  });
});

Deno.test("data directory: the certificates are what they are for", async () => {
  await withDir(async (dir) => {
    const data = await ensureDataDir(dir, NAMES);
    assert.deepEqual(facts(data.serving.cert).dnsNames, ["localhost", "orch.default.svc"]);
    assert.deepEqual(facts(data.serving.cert).ips, ["127.0.0.1", "0:0:0:0:0:0:0:1", "10.0.0.1"]);
    const admin = verifyChain(fromPem("CERTIFICATE", data.admin.cert), parseBundle(data.ca.cert), Date.now());
    assert.ok(admin.ok);
    assert.equal(admin.leaf.commonName, "admin");
    assert.deepEqual(admin.leaf.organizations, ["system:masters"]);
    const text = new TextEncoder().encode("token");
    const { key, publicKey } = data.serviceAccount;
    assert.ok(verify("sha256", text, publicKey, sign("sha256", text, key)));
  });
});

Deno.test("data directory: the serving pair in a directory of its own, a foreign one is kept", async () => {
  await withDir(async (dir) => {
    const certDir = `${dir}/certs`, options = { ...NAMES, certDir };
    const own = await ensureDataDir(dir, options);
    assert.equal(own.serving.certFile, `${certDir}/apiserver.crt`);
    assert.deepEqual((await ensureDataDir(dir, options)).serving, own.serving);
    assert.equal(facts(own.serving.cert).commonName, "orch");
    const other = await ensureDataDir(`${dir}/other`, options);
    assert.deepEqual(other.serving, own.serving, "issued by another authority: kept");
  });
});

Deno.test("data directory: the connection file works as it is", async () => {
  await withDir(async (dir) => {
    const data = await ensureDataDir(dir, { ...NAMES, port: 0 });
    await assert.rejects(Deno.stat(data.adminConf));
    const names: string[] = [];
    const listener = await listen((_request, { peerCertificates }) => {
      names.push(...peerCertificates.map((der) => certificateFacts(der).commonName));
      return new Response("ok");
    }, { hostname: "127.0.0.1", port: 0, tls: data.serving });
    try {
      const { adminConf } = await ensureDataDir(dir, { ...NAMES, port: listener.port });
      const config = JSON.parse(await Deno.readTextFile(adminConf));
      assert.equal(config["current-context"], "orch");
      const text = (value: string) => new TextDecoder().decode(Uint8Array.fromBase64(value));
      const client = Deno.createHttpClient({
        caCerts: [text(config.clusters[0].cluster["certificate-authority-data"])],
        cert: text(config.users[0].user["client-certificate-data"]),
        key: text(config.users[0].user["client-key-data"]),
      });
      // The fabric8 client tells the kind of key by its label alone, and takes another one for RSA.
      assert.match(text(config.users[0].user["client-key-data"]), /^-----BEGIN EC PRIVATE KEY-----\n/);
      assert.equal(await (await fetch(config.clusters[0].cluster.server, { client })).text(), "ok");
      assert.deepEqual(names, ["admin"]);
      client.close();
    } finally {
      await listener.close(0);
    }
  });
});

Deno.test("data directory: the connection file stays with a server that answers, and goes to the next when it is gone", async () => {
  await withDir(async (dir) => {
    const named = async () => {
      const config = JSON.parse(await Deno.readTextFile(`${dir}/admin.conf`));
      return Number(new URL(config.clusters[0].cluster.server).port);
    };
    const own = await ensureDataDir(dir, { ...NAMES, port: 0 });
    const stranger = await ensureDataDir(`${dir}/other`, { ...NAMES, port: 0 });
    const options = { hostname: "127.0.0.1", port: 0 };
    const first = await listen(() => new Response("ok"), { ...options, tls: own.serving });
    const foreign = await listen(() => new Response("ok"), { ...options, tls: stranger.serving });
    assert.equal((await ensureDataDir(dir, { ...NAMES, port: first.port })).adminConfOf, undefined);
    assert.equal((await ensureDataDir(dir, { ...NAMES, port: 6443 })).adminConfOf, first.url);
    assert.equal(await named(), first.port);
    await first.close(0);
    assert.equal((await ensureDataDir(dir, { ...NAMES, port: foreign.port })).adminConfOf, undefined);
    assert.equal((await ensureDataDir(dir, NAMES)).adminConfOf, undefined, "who answers there is another's");
    assert.equal(await named(), 6443);
    await foreign.close(0);
  });
});

Deno.test("data directory: certificates are renewed while a server runs, and nothing else is written", async () => {
  await withDir(async (dir) => {
    let now = Date.now(), looks = 0;
    const first = await ensureDataDir(dir, { ...NAMES, now });
    const stop = new AbortController(), told: DataDir[] = [], failed: unknown[] = [];
    await Deno.writeTextFile(first.adminConf, "what somebody made of it");
    await followDataDir(first, { ...NAMES, hostnames: ["another.server"] }, {
      now: () => now,
      told: (data) => told.push(data),
      failed: (e) => failed.push(e),
      wait: async () => {
        if (looks === 1) {
          assert.deepEqual(certs(told[0]!), certs(first));
          assert.equal(await Deno.readTextFile(first.adminConf), "what somebody made of it");
          now += 340 * DAY;
          await Deno.writeTextFile(`${dir}/admin.key`, "damaged");
        }
        if (looks === 2) {
          assert.match(String(failed), /admin\.key/);
          await Deno.writeTextFile(`${dir}/admin.key`, first.admin.key);
        }
        if (looks === 3) stop.abort();
        looks++;
      },
    }, stop.signal);
    assert.equal(failed.length, 1);
    const renewed = told.at(-1)!;
    for (const { cert } of [renewed.serving, renewed.admin]) {
      assert.ok(facts(cert).notAfter.getTime() > now + 300 * DAY);
    }
    assert.deepEqual(keys(renewed), keys(first));
    const conf = await Deno.readTextFile(first.adminConf);
    assert.ok(conf.includes(new TextEncoder().encode(renewed.admin.cert).toBase64()));
  });
});

Deno.test("data directory: other names and near ends renew certificates, never keys", async () => {
  await withDir(async (dir) => {
    const first = await ensureDataDir(dir, NAMES);
    const renamed = await ensureDataDir(dir, { ...NAMES, hostnames: ["other.example"] });
    assert.deepEqual(facts(renamed.serving.cert).dnsNames, ["localhost", "other.example"]);
    assert.deepEqual([renamed.ca.cert, renamed.admin.cert], [first.ca.cert, first.admin.cert]);
    const now = Date.now() + 340 * DAY;
    const renewed = await ensureDataDir(dir, { ...NAMES, now });
    assert.equal(renewed.ca.cert, first.ca.cert);
    assert.ok(facts(renewed.admin.cert).notAfter.getTime() > now + 300 * DAY);
    assert.ok(facts(renewed.serving.cert).notAfter.getTime() > now + 300 * DAY);
    assert.deepEqual(keys(renewed), keys(first));
    const decade = await ensureDataDir(dir, { ...NAMES, now: Date.now() + 3640 * DAY });
    assert.notEqual(decade.ca.cert, first.ca.cert);
    assert.deepEqual(keys(decade), keys(first));
    const config = JSON.parse(await Deno.readTextFile(decade.adminConf));
    const data = config.clusters[0].cluster["certificate-authority-data"];
    assert.equal(new TextDecoder().decode(Uint8Array.fromBase64(data)), decade.ca.cert);
  });
});

Deno.test("data directory: a lost or damaged certificate is made anew; a damaged key is told", async () => {
  await withDir(async (dir) => {
    const first = await ensureDataDir(dir, NAMES);
    await Deno.remove(first.serving.certFile);
    await Deno.writeTextFile(first.admin.certFile, "half a cert");
    const mended = await ensureDataDir(dir, NAMES);
    assert.deepEqual(keys(mended), keys(first));
    for (const pem of certs(mended)) assert.ok(pem.startsWith("-----BEGIN CERTIFICATE-----"));
    // A new authority: what the old one signed is of no use.
    await Deno.remove(first.ca.keyFile);
    const replaced = await ensureDataDir(dir, NAMES);
    certs(replaced).forEach((pem, i) => assert.notEqual(pem, certs(mended)[i]));
    assert.ok(verifyChain(fromPem("CERTIFICATE", replaced.admin.cert), parseBundle(replaced.ca.cert), Date.now()).ok);
    await Deno.writeTextFile(first.serviceAccount.keyFile, "half a key");
    await assert.rejects(ensureDataDir(dir, NAMES), /sa\.key.*does not parse/);
  });
});

/** An authority as others make them. */
async function anotherAuthority(
  dir: string,
  type: "rsa" | "ec" | "ed25519",
  days: number,
  name = "Another's",
): Promise<void> {
  const { privateKey } = type === "rsa"
    ? generateKeyPairSync("rsa", { modulusLength: 2048 })
    : type === "ec"
    ? generateKeyPairSync("ec", { namedCurve: "P-384" })
    : generateKeyPairSync("ed25519");
  const key = privateKey.export({ type: "pkcs8", format: "pem" }) as string;
  const cert = issueAuthority(name, key, Date.now() - (3650 - days) * DAY);
  await Deno.writeTextFile(`${dir}/ca.key`, key);
  await Deno.writeTextFile(`${dir}/ca.crt`, cert);
}

const AUTHORITIES = ["rsa", "ec", "ed25519"] as const;

Deno.test("data directory: an authority that somebody puts there issues anew, whatever its key is", async () => {
  await withDir(async (dir) => {
    const own = await ensureDataDir(dir, NAMES);
    for (const type of AUTHORITIES) {
      await anotherAuthority(dir, type, 3000);
      const data = await ensureDataDir(dir, NAMES), ca = new X509Certificate(data.ca.cert);
      for (const pem of [data.serving.cert, data.admin.cert]) {
        assert.ok(new X509Certificate(pem).checkIssued(ca), type);
      }
      const chain = fromPem("CERTIFICATE", data.admin.cert);
      assert.ok(verifyChain(chain, parseBundle(data.ca.cert), Date.now()).ok, type);
      assert.deepEqual(keys(data).slice(1), keys(own).slice(1));
      assert.deepEqual(await ensureDataDir(dir, NAMES), data);
    }
  });
});

Deno.test("data directory: by an authority of any key clients make connections", async () => {
  await withDir(async (dir) => {
    for (const type of AUTHORITIES) {
      await makeDataDir(dir);
      await anotherAuthority(dir, type, 3000);
      const data = await ensureDataDir(dir, NAMES);
      const listener = await listen(() => new Response("ok"), { hostname: "127.0.0.1", port: 0, tls: data.serving });
      const client = Deno.createHttpClient({ caCerts: [data.ca.cert], cert: data.admin.cert, key: data.admin.key });
      try {
        assert.equal(await (await fetch(listener.url, { client })).text(), "ok", type);
      } finally {
        client.close();
        await listener.close(0);
      }
    }
  });
});

Deno.test("data directory: another's authority is its maker's to renew, and goes with what it issued", async () => {
  await withDir(async (dir) => {
    await ensureDataDir(dir, NAMES);
    await anotherAuthority(dir, "ec", 20);
    const pem = await Deno.readTextFile(`${dir}/ca.crt`);
    const near = await ensureDataDir(dir, NAMES);
    assert.equal(near.ca.cert, pem, "near its end");
    // The same key in another name: who looks for the issuer of what was issued before does not find it.
    await Deno.writeTextFile(near.ca.certFile, issueAuthority("Renamed", near.ca.key, Date.now()));
    const renamed = await ensureDataDir(dir, NAMES);
    assert.ok(verifyChain(fromPem("CERTIFICATE", renamed.admin.cert), parseBundle(renamed.ca.cert), Date.now()).ok);
    await Deno.writeTextFile(near.ca.certFile, pem);
    await assert.rejects(ensureDataDir(dir, { ...NAMES, now: Date.now() + 21 * DAY }), /ca\.crt": it ended at \d{4}-/);
    assert.equal(await Deno.readTextFile(near.ca.certFile), pem);
  });
});

Deno.test("data directory: an authority beside the key of another is told, and left", async () => {
  await withDir(async (dir) => {
    const data = await ensureDataDir(dir, NAMES);
    const stranger = issueAuthority("Stranger", generateKey(), Date.now());
    await Deno.writeTextFile(data.ca.certFile, stranger);
    await assert.rejects(ensureDataDir(dir, NAMES), /ca\.crt": its first certificate is not of the key in ".*ca\.key"/);
    assert.equal(await Deno.readTextFile(data.ca.certFile), stranger);
    await Deno.remove(data.ca.certFile);
    const mended = await ensureDataDir(dir, NAMES);
    assert.deepEqual(keys(mended), keys(data));
  });
});

Deno.test("data directory: several starts at once agree", async () => {
  await withDir(async (dir) => {
    const all = await Promise.all(Array.from({ length: 8 }, () => ensureDataDir(dir, NAMES)));
    for (const data of all) {
      assert.deepEqual(keys(data), keys(all[0]!));
      assert.ok(verifyChain(fromPem("CERTIFICATE", data.admin.cert), parseBundle(all[0]!.ca.cert), Date.now()).ok);
    }
    for await (const { name } of Deno.readDir(dir)) assert.ok(!name.endsWith(".tmp"), name);
  });
});

Deno.test("serving pair of a directory of its own", async () => {
  await withDir(async (dir) => {
    const pair = await ensureServingPair(dir, "apiserver", { hostnames: ["a.example"], ips: [] });
    assert.equal(pair.certFile, `${dir}/apiserver.crt`);
    assert.deepEqual(facts(pair.cert).dnsNames, ["localhost", "a.example"]);
    assert.deepEqual(await ensureServingPair(dir, "apiserver", { hostnames: ["a.example"], ips: [] }), pair);
  });
});

Deno.test("connection file: is JSON that YAML readers take", () => {
  const file = connectionFile({ server: "https://h:1", ca: "A", cert: "B", key: "C", context: "x", user: "u" });
  assert.deepEqual(JSON.parse(file).contexts, [{ name: "x", context: { cluster: "x", user: "u" } }]);
});
