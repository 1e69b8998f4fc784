/** The proxy that the environment names. */
import assert from "node:assert/strict";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { environmentDial } from "../../server/options/environment_proxy.ts";
import { outsideBy } from "../../server/options/outside.ts";
import { HOOK_CA, HookServer } from "../fixture/hooks.ts";
import { startTestServer } from "../fixture/server.ts";
import { ca, servingPair } from "../listen/_fixture.ts";
import { ConnectProxy } from "./_proxies.ts";

const dialBy = (variables: Record<string, string>) => environmentDial((name) => variables[name]);
const signal = () => AbortSignal.timeout(60_000);

Deno.test("hosts that NO_PROXY lists, and this machine, are reached directly", () => {
  const spared = (list: string, host: string, port = 443) => {
    const dialled = dialBy({ HTTPS_PROXY: "http://127.0.0.1:1", NO_PROXY: list })!(host, port);
    dialled?.catch(() => {});
    return dialled === undefined;
  };
  for (const host of ["localhost", "127.0.0.1", "127.9.9.9", "::1"]) assert.ok(spared("", host), host);
  const rows: [string, string, boolean, number?][] = [
    ["", "issuer.test", false],
    ["*", "issuer.test", true],
    ["a.test, Issuer.Test", "issuer.test", true],
    ["issuer.test", "ISSUER.test", true],
    ["issuer.test", "a.issuer.test", true],
    ["issuer.test", "myissuer.test", false],
    [".issuer.test", "a.issuer.test", true],
    [".issuer.test", "issuer.test", false],
    ["*.issuer.test", "a.issuer.test", true],
    ["*.issuer.test", "issuer.test", false],
    ["issuer.test:8443", "issuer.test", false],
    ["issuer.test:8443", "issuer.test", true, 8443],
    ["10.0.0.0/8", "10.1.2.3", true],
    ["10.0.0.0/8", "11.1.2.3", false],
    ["10.0.0.0/8", "a.10.0.0.0", false],
    ["10.1.2.3", "10.1.2.3", true],
    ["10.1.2.3:443", "10.1.2.3", true],
    ["10.1.2.3:80", "10.1.2.3", false],
    ["2001:db8::/32", "2001:db8::7", true],
    ["2001:db8::7", "2001:db8:0::7", true],
    ["[2001:db8::7]:443", "2001:db8::7", true],
    ["[2001:db8::7]:80", "2001:db8::7", false],
  ];
  for (const [list, host, expected, port] of rows) assert.equal(spared(list, host, port), expected, `${list} ${host}`);
});

Deno.test("without a proxy nothing is dialled, and one that is none is told at the start", () => {
  assert.equal(dialBy({ NO_PROXY: "*" }), undefined);
  assert.ok(dialBy({ https_proxy: "proxy.test:3128" }));
  assert.ok(dialBy({ HTTPS_PROXY: "http://me:100%@proxy.test" }), "a password that is no percent encoding");
  for (const bad of ["socks5://proxy.test", "http://", "::"]) {
    assert.throws(() => dialBy({ HTTPS_PROXY: bad }), /HTTPS_PROXY: should be the URL of a proxy/, bad);
  }
});

Deno.test("issuers and webhooks of URLs go by the environment's proxy, with its credentials", async () => {
  const proxy = await new ConnectProxy().start(), hooks = await new HookServer().start();
  const issuer = https.createServer(servingPair("issuer", "issuer.test"), (_, response) => response.end("{}"));
  await new Promise<void>((done) => issuer.listen(0, "127.0.0.1", done));
  proxy.hosts.set("issuer.test:443", `127.0.0.1:${(issuer.address() as AddressInfo).port}`);
  proxy.hosts.set("hooks.test:8443", `127.0.0.1:${hooks.port}`);
  const outside = outsideBy(undefined, dialBy({ HTTPS_PROXY: `http://me:p%40ss@127.0.0.1:${proxy.port}` }));
  const t = await startTestServer([], { outside });
  const fetchText = outside.fetchText(ca.cert) as ReturnType<typeof outside.fetchText> & { close(): void };
  try {
    assert.equal(await fetchText("https://issuer.test/keys", signal()), "{}");
    assert.deepEqual(proxy.asked, ["issuer.test:443"]);
    assert.match(proxy.heads[0]!, /\r\nProxy-Authorization: Basic bWU6cEBzcw==\r\n/);
    const url = hooks.on("/checked", () => ({})).replace(/\/\/[^/]+/, "//hooks.test:8443");
    await t.fetch("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
      body: {
        metadata: { name: "of-url" },
        webhooks: [{
          name: "of-url.test.io",
          clientConfig: { url, caBundle: btoa(HOOK_CA) },
          rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE"] }],
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
        }],
      },
    });
    const made = await t.fetch("/api/v1/namespaces/default/configmaps", { body: { metadata: { name: "a" } } });
    // The proxy led there; the webhook's certificate is for another name.
    assert.equal(made.status, 500);
    assert.match(made.body.message, /hooks\.test/);
    assert.deepEqual(proxy.asked.slice(1), ["hooks.test:8443"]);
  } finally {
    fetchText.close();
    await t.stop();
    issuer.closeAllConnections();
    await new Promise<void>((done) => issuer.close(() => done()));
    await hooks.stop();
    await proxy.stop();
  }
});
