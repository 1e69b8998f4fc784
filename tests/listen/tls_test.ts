import assert from "node:assert/strict";
import { ca, connectTls, exchange, readUntil, serving, servingPair, session, withListener } from "./_fixture.ts";

const ok = () => new Response("ok");

async function nameServed(port: number, servername?: string): Promise<string> {
  const socket = await connectTls(port, { rejectUnauthorized: false, ...(servername ? { servername } : {}) });
  const { CN } = socket.getPeerCertificate().subject;
  socket.destroy();
  return String(CN);
}

Deno.test("listener: the certificate is chosen by the name asked for", async () => {
  const sni = [
    servingPair("api", "api.example"),
    servingPair("wild", "*.apps.example"),
    { ...servingPair("exact", "ignored.example"), names: ["One.apps.example"] },
    servingPair("second", "api.example"),
  ];
  await withListener(ok, { tls: { ...serving, sni } }, async ({ port }) => {
    const cases: [string | undefined, string][] = [
      [undefined, "server"],
      ["unknown.example", "server"],
      ["api.example", "api"],
      ["API.Example", "api"],
      ["two.apps.example", "wild"],
      ["one.apps.example", "exact"],
      ["a.b.apps.example", "server"],
      ["ignored.example", "exact"],
      ["IGNORED.example", "exact"],
    ];
    for (const [name, expected] of cases) assert.equal(await nameServed(port, name), expected, name ?? "no name");
  });
});

Deno.test("listener: names that are told win over those of certificates, whose common name is one of theirs", async () => {
  const sni = [
    servingPair("own", "both.example"),
    { ...servingPair("told", "ignored.example"), names: ["both.example"] },
    servingPair("common.example", "alternative.example"),
    servingPair("192.0.2.1", "address.example"),
  ];
  await withListener(ok, { tls: { ...serving, sni } }, async ({ port }) => {
    const cases = { "both.example": "told", "common.example": "common.example", "address.example": "192.0.2.1" };
    for (const [name, expected] of Object.entries(cases)) assert.equal(await nameServed(port, name), expected, name);
  });
});

Deno.test("listener: who asks for no name gets the pair of the address it came to", async () => {
  const sni = [
    { ...servingPair("address", "address.example"), names: ["127.0.0.1"] },
    { ...servingPair("other"), names: ["127.0.0.2", "other.example"] },
  ];
  await withListener(ok, { tls: { ...serving, sni } }, async (listener) => {
    assert.equal(await nameServed(listener.port), "address");
    assert.equal(await nameServed(listener.port, "localhost"), "server");
    assert.equal(await nameServed(listener.port, "other.example"), "other");
    listener.reloadTls({ ...serving, sni: [{ ...servingPair("renewed"), names: ["127.0.0.1"] }] });
    assert.equal(await nameServed(listener.port), "renewed");
    listener.reloadTls(serving);
    assert.equal(await nameServed(listener.port), "server");
  });
});

Deno.test("listener: a reload is for new connections; one that does not load changes nothing", async () => {
  await withListener(ok, {}, async (listener) => {
    const old = await connectTls(listener.port);
    assert.throws(() => listener.reloadTls({ cert: "nonsense", key: "nonsense" }), /no PEM/);
    assert.throws(() => listener.reloadTls({ cert: serving.cert, key: ca.key }), /not that of the certificate/);
    assert.throws(() => listener.reloadTls({ ...serving, sni: [{ cert: ca.cert, key: serving.key }] }), /TLS pair/);
    assert.equal(await nameServed(listener.port), "server");
    listener.reloadTls(servingPair("renewed", "localhost"));
    assert.equal(await nameServed(listener.port), "renewed");
    assert.equal(await nameServed(listener.port, "localhost"), "renewed");
    old.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await readUntil(old, (text) => text.endsWith("ok"));
    old.destroy();
  });
});

Deno.test("listener: the least TLS version is kept", async () => {
  await withListener(ok, { tls: { ...serving, minVersion: "VersionTLS13" } }, async ({ port }) => {
    await assert.rejects(connectTls(port, { maxVersion: "TLSv1.2" }));
    const socket = await connectTls(port);
    assert.equal(socket.getProtocol(), "TLSv1.3");
    socket.destroy();
  });
  await withListener(ok, {}, async ({ port }) => {
    const socket = await connectTls(port, { maxVersion: "TLSv1.2" });
    assert.equal(socket.getProtocol(), "TLSv1.2");
    socket.destroy();
  });
  await assert.rejects(withListener(ok, { tls: { ...serving, minVersion: "SSLv3" } }, async () => {}), /SSLv3/);
});

Deno.test("listener: a connection of TLS 1.2 by a suite that is not allowed gets no byte of an answer", async () => {
  const run = async (suites: string[], maxVersion: "TLSv1.2" | "TLSv1.3"): Promise<string> => {
    let text = "";
    await withListener(ok, { tls: { ...serving, cipherSuites: suites } }, async ({ port }) => {
      // The refusal may come before the client has seen the handshake end.
      const socket = await connectTls(port, { maxVersion }).catch(() => undefined);
      if (socket === undefined) return;
      socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      text = (await readUntil(socket, () => false)).slice(0, 12);
    });
    return text;
  };
  // What the runtime settles on with itself.
  const served = "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384";
  const other = "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256";
  const answered = "HTTP/1.1 200";
  assert.equal(await run([], "TLSv1.2"), answered);
  assert.equal(await run([served], "TLSv1.2"), answered);
  assert.equal(await run([other, served], "TLSv1.2"), answered);
  for (const suites of [[other], ["TLS_AES_128_GCM_SHA256"], ["TLS_RSA_WITH_AES_128_CBC_SHA"]]) {
    assert.equal(await run(suites, "TLSv1.2"), "", suites.join());
    assert.equal(await run(suites, "TLSv1.3"), answered, suites.join());
  }
  await assert.rejects(run(["TLS_NULL"], "TLSv1.3"), /TLS_NULL/);
});

Deno.test("listener: HTTP/2 can be left out of the offer", async () => {
  await withListener(ok, { tls: { ...serving, disableHttp2: true } }, async ({ port }) => {
    const socket = await connectTls(port, { ALPNProtocols: ["h2", "http/1.1"] });
    assert.equal(socket.alpnProtocol, "http/1.1");
    socket.destroy();
  });
  await withListener(ok, {}, async ({ port }) => {
    const client = session(port);
    assert.equal((await exchange(client, { ":path": "/" })).body, "ok");
    client.close();
    const socket = await connectTls(port, { ALPNProtocols: [] });
    socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assert.match(await readUntil(socket, () => false), /ok$/);
  });
});

Deno.test("listener: no certificate is asked for when none is wanted", async () => {
  const count = (_: Request, { peerCertificates }: { peerCertificates: readonly Uint8Array[] }) =>
    new Response(String(peerCertificates.length));
  const pair = ca.leaf({ subject: { commonName: "x" }, usage: "client" });
  for (const [requestCert, expected] of [[true, "1"], [false, "0"]] as const) {
    await withListener(count, { tls: { ...serving, requestCert } }, async ({ url }) => {
      const http = Deno.createHttpClient({ caCerts: [ca.cert], ...pair });
      assert.equal(await (await fetch(url, { client: http })).text(), expected);
      http.close();
    });
  }
});
