import assert from "node:assert/strict";
import {
  edgeExport,
  ensureServingPair,
  followTlsFiles,
  listen,
  readTlsFiles,
  servingFrom,
} from "../../server/listen/mod.ts";
import { readOrMake, replaceFile } from "../../server/listen/files.ts";
import { stepsOnDisk } from "../fixture/disk_steps.ts";
import { ca, connectTls, serving, servingPair, soon, until } from "./_fixture.ts";

Deno.test("TLS files: are read, followed, and a state in between changes nothing", async () => {
  const dir = await Deno.makeTempDir();
  const write = async (name: string, pair: { cert: string; key: string }) => {
    await Deno.writeTextFile(`${dir}/${name}.crt`, pair.cert);
    await Deno.writeTextFile(`${dir}/${name}.key`, pair.key);
  };
  await write("main", serving);
  await write("sni", servingPair("sni", "other.example"));
  await Deno.writeTextFile(`${dir}/ca.crt`, ca.cert);
  const files = {
    certFile: `${dir}/main.crt`,
    keyFile: `${dir}/main.key`,
    sni: [{ cert: `${dir}/sni.crt`, key: `${dir}/sni.key`, domains: ["third.example"] }],
    clientCaFile: `${dir}/ca.crt`,
    disableHttp2: true,
  };
  const read = readTlsFiles(files), stop = new AbortController();
  const told: unknown[] = [];
  const listener = await listen(() => new Response("ok"), {
    hostname: "127.0.0.1",
    port: 0,
    tls: read,
  });
  const served = async (servername = "localhost") => {
    const socket = await connectTls(listener.port, { servername, rejectUnauthorized: false });
    const { CN } = socket.getPeerCertificate().subject;
    socket.destroy();
    return String(CN);
  };
  try {
    assert.equal(await served("third.example"), "sni");
    // Changed after it was read, and before anybody follows it.
    await write("sni", servingPair("newer", "other.example"));
    const following = followTlsFiles(files, read, listener, stop.signal, (error) => told.push(error));
    await until("the newer pair is served", async () => await served("third.example") === "newer");
    const renewed = servingPair("renewed", "localhost");
    await Deno.writeTextFile(files.certFile, renewed.cert);
    await until("the half change is told", () => told.length > 0);
    assert.equal(await served(), "server");
    await Deno.writeTextFile(`${dir}/new`, renewed.key);
    await Deno.rename(`${dir}/new`, files.keyFile);
    await until("the new pair is served", async () => await served() === "renewed");
    // A pair that is broken keeps no other one from being renewed.
    await Deno.writeTextFile(`${dir}/sni.crt`, "nonsense");
    await until("the broken pair is told", () => told.some((e) => /--tls-sni-cert-key/.test(String(e))));
    await write("main", servingPair("latest", "localhost"));
    await until("the latest pair is served", async () => await served() === "latest");
    assert.equal(await served("third.example"), "newer");
    stop.abort();
    await soon(following, "the end of following");
  } finally {
    await listener.close(0);
    await Deno.remove(dir, { recursive: true });
  }
  assert.throws(() => readTlsFiles(files), /--tls-cert-file: cannot read/);
});

Deno.test("edge: a host that listens itself calls the same handler", async () => {
  const { fetch } = edgeExport((_request, { remoteAddress, tls, peerCertificates }) =>
    Response.json({ remoteAddress, tls, certificates: peerCertificates.length })
  );
  const ask = async (...args: Parameters<typeof fetch>) => await (await fetch(...args)).json();
  const info = { remoteAddr: { hostname: "10.0.0.9" } };
  assert.deepEqual(await ask(new Request("https://x/"), info), {
    remoteAddress: "10.0.0.9",
    tls: true,
    certificates: 0,
  });
  assert.deepEqual(await ask(new Request("http://x/")), { remoteAddress: "", tls: false, certificates: 0 });
});

Deno.test("serving options: named files, else the data directory's pair, else one made in the certificate directory", async () => {
  const dir = await Deno.makeTempDir();
  const options = {
    certDir: `${dir}/certs`,
    tlsCertFile: "",
    tlsPrivateKeyFile: "",
    tlsSniCertKey: [],
    tlsMinVersion: "",
    tlsCipherSuites: [],
    tlsCurvePreferences: [],
    disableHttp2Serving: true,
    http2MaxStreamsPerConnection: 5,
    goawayChance: 0.01,
    shutdownSendRetryAfter: true,
    permitPortSharing: true,
  };
  const names = { hostnames: ["made.example"], ips: [] };
  try {
    const made = await servingFrom(options, { names });
    const pair = await ensureServingPair(options.certDir, "apiserver", names);
    assert.equal(made.listen.tls?.cert, pair.cert);
    assert.equal(made.listen.tls?.disableHttp2, true);
    assert.deepEqual(made.listen.http2, { maxStreams: 5, goawayChance: 0.01, sendsAway: true });
    assert.equal(made.listen.reusePort, true);
    await Deno.writeTextFile(`${dir}/a.crt`, serving.cert);
    await Deno.writeTextFile(`${dir}/a.key`, serving.key);
    const data = await servingFrom(options, { names, pair: { certFile: `${dir}/a.crt`, keyFile: `${dir}/a.key` } });
    assert.equal(data.listen.tls?.cert, serving.cert);
    const named = { ...options, tlsCertFile: `${dir}/a.crt`, tlsPrivateKeyFile: `${dir}/a.key` };
    const now = Date.now(), sni = [{ cert: `${dir}/a.crt`, key: `${dir}/a.key`, domains: ["b.example"] }];
    const good = await servingFrom(named, { names, pair }, now);
    assert.deepEqual([good.listen.tls?.cert, good.warnings], [serving.cert, []]);
    const { warnings } = await servingFrom(
      { ...named, tlsSniCertKey: sni },
      { names, pair },
      now + 20 * 365 * 86_400_000,
    );
    assert.equal(warnings.length, 2);
    assert.match(warnings[0]!, /^clients will refuse the certificate in ".*a\.crt": it is good from 2.*Z to 2.*Z$/);
    await assert.rejects(
      servingFrom({ ...named, tlsCertFile: `${dir}/none` }, { names }),
      /--tls-cert-file: cannot read/,
    );
    await Deno.writeTextFile(`${dir}/other.key`, servingPair("other", "other.example").key);
    const wrong = { cert: `${dir}/a.crt`, key: `${dir}/other.key`, domains: [] };
    const fault = new RegExp(`${dir}/a.crt" and .*${dir}/other.key": the key is not that of the certificate`);
    for (const mixed of [{ ...named, tlsPrivateKeyFile: wrong.key }, { ...named, tlsSniCertKey: [wrong] }]) {
      await assert.rejects(servingFrom(mixed, { names }), fault);
    }
    await Deno.writeTextFile(wrong.key, "nonsense");
    await assert.rejects(servingFrom({ ...named, tlsPrivateKeyFile: wrong.key }, { names }), /other.key": .* no PEM/);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("serving options: two listeners share a port", async () => {
  const options = { hostname: "127.0.0.1", reusePort: true };
  const first = await listen(() => new Response("ok"), { ...options, port: 0 });
  try {
    const second = await listen(() => new Response("ok"), { ...options, port: first.port });
    assert.equal(second.port, first.port);
    await second.close(0);
    assert.equal(await (await fetch(first.url)).text(), "ok");
  } finally {
    await first.close(0);
  }
});

Deno.test("files of the data directory: names are on disk, as what they name is, before they are relied on", async () => {
  const dir = await Deno.makeTempDir(), key = `${dir}/key`;
  const steps = (work: () => Promise<unknown>) => stepsOnDisk(dir, work);
  assert.deepEqual(await steps(() => readOrMake(key, () => "a")), ["sync dir/key.tmp", "link to dir/key", "sync dir"]);
  assert.deepEqual(await steps(() => replaceFile(key, "b")), ["sync dir/key.tmp", "rename to dir/key", "sync dir"]);
  assert.deepEqual(await steps(() => readOrMake(key, () => "c")), []);
  assert.deepEqual([...Deno.readDirSync(dir)].map(({ name }) => name), ["key"]);
  await Deno.remove(dir, { recursive: true });
});
