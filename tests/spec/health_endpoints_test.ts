import assert from "node:assert/strict";
import { ok, sharedServer, spec, withServer } from "./_spec.ts";

const server = sharedServer(["--disable-admission-plugins=ServiceAccount"]);

spec("Health endpoints", {
  "GET /livez": async () => {
    const t = await server();
    assert.deepEqual([(await ok(t, "/livez")).status, (await ok(t, "/livez")).text], [200, "ok"]);
  },
  "GET /readyz": () =>
    withServer([], async (t) => {
      assert.equal((await t.fetch("/readyz")).status, 200);
      t.server.drain();
      assert.equal((await t.fetch("/readyz")).status, 500);
    }),
  "GET /healthz": async () => {
    const t = await server();
    assert.equal((await ok(t, "/healthz")).text, "ok");
  },
  "GET /livez/<healthcheck-name>, /readyz/<healthcheck-name>": async () => {
    const t = await server();
    for (const path of ["/livez", "/readyz"]) {
      const verbose = (await ok(t, `${path}?verbose`)).text;
      const names = [...verbose.matchAll(/^\[\+\](\S+) ok$/gm)].map(([, name]) => name!);
      assert.ok(names.includes("etcd") && names.includes("ping"), verbose);
      for (const name of names) {
        assert.equal((await ok(t, `${path}/${name}`)).text, "ok");
      }
      assert.equal((await t.fetch(`${path}/nothing`)).status, 404);
    }
  },
  "rule 1": () =>
    withServer([], async (t) => {
      for (const path of ["/livez", "/readyz", "/healthz"]) assert.equal((await t.fetch(path)).status, 200);
      t.server.drain();
      assert.equal((await t.fetch("/readyz")).status, 500);
      const shutdown = await t.fetch("/readyz/shutdown");
      assert.deepEqual([shutdown.status, shutdown.text], [500, "internal server error: shutting down\n"]);
    }),
  "rule 2": async () => {
    const t = await server();
    for (const path of ["/livez", "/readyz", "/healthz"]) {
      const { text } = await ok(t, `${path}?verbose`);
      const lines = text.trimEnd().split("\n");
      assert.equal(lines.pop(), "healthz check passed");
      assert.ok(lines.length > 0);
      for (const line of lines) assert.match(line, /^\[\+\]\S+ ok$/);
    }
  },
  "rule 3": async () => {
    const t = await server();
    const { text } = await ok(t, "/readyz?verbose&exclude=ping&exclude=etcd");
    assert.ok(text.includes("[+]ping excluded: ok\n"));
    assert.ok(text.includes("[+]etcd excluded: ok\n"));
    assert.ok(text.includes("[+]log ok\n"));
    const none = (await ok(t, "/readyz?verbose&exclude=b&exclude=a")).text;
    assert.ok(none.includes('warn: some health checks cannot be excluded: no matches for "a","b"\n'), none);
  },
  "rule 4": () =>
    withServer([], async (t) => {
      t.server.drain();
      const codes = await Promise.all(["/healthz", "/livez", "/readyz"].map(async (p) => (await t.fetch(p)).status));
      assert.deepEqual(codes, [200, 200, 500]);
      await ok(t, "/api/v1/namespaces/default"); // other requests are served
    }),
});
