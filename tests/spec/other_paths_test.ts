import assert from "node:assert/strict";
import { identified, pemPair } from "./_identified.ts";
import { withProcess } from "./_process.ts";
import { sharedServer, spec, withServer } from "./_spec.ts";

const server = sharedServer();

spec("Other paths", {
  "/logs": async () => {
    const t = await server();
    assert.equal((await t.fetch("/logs/")).status, 404);
    const logs = () => Promise.resolve({ kind: "directory", names: ["a.log"] } as const);
    await withServer([], async (on) => assert.match((await on.fetch("/logs/")).text, /a\.log/), { logs });
    for (const [flags, code] of [[["--enable-logs-handler"], 200], [[], 404]] as const) {
      await withProcess(() => [...flags], async (_, ask) => {
        const answer = await ask("/logs/");
        await answer.body?.cancel();
        assert.equal(answer.status, code);
      });
    }
  },
  "/debug/pprof/": async () => {
    const t = await server();
    assert.equal((await t.fetch("/debug/pprof/")).status, 200);
    assert.equal((await t.fetch("/debug/pprof/nothing")).status, 404);
    await withServer(["--profiling=false"], async (off) => {
      assert.equal((await off.fetch("/debug/pprof/")).status, 404);
    });
  },
  "{service-account-issuer}/.well-known/openid-configuration": async () => {
    const issuer = "https://issuer.example", signing = pemPair().key;
    const jwks = "https://elsewhere.example/keys";
    const rows = [
      [`--service-account-jwks-uri=${jwks}`, jwks],
      ["--external-hostname=", "https://192.0.2.10:6443/openid/v1/jwks"],
      ["--external-hostname=a.example", "https://a.example:6443/openid/v1/jwks"],
      ["--external-hostname=a.example:443", "https://a.example:443/openid/v1/jwks"],
    ] as const;
    for (const [flag, uri] of rows) {
      await identified([`--service-account-issuer=${issuer}`, flag], async ({ ask }) => {
        const { body } = await ask("/.well-known/openid-configuration");
        assert.deepEqual([body.issuer, body.jwks_uri], [issuer, uri]);
        assert.equal((await ask("/openid/v1/jwks")).body.keys[0].kty, "EC");
      }, { texts: { "service-account-signing-key-file": signing } });
    }
    // What is no https URL cannot be discovered: the tokens are good, the documents are not there.
    for (const other of ["myissuer", "http://issuer.example", `${issuer}?a=b`, `${issuer}#a`]) {
      await identified([`--service-account-issuer=${other}`], async ({ ask }) => {
        for (const path of ["/.well-known/openid-configuration", "/openid/v1/jwks"]) {
          assert.equal((await ask(path)).code, 404, `${path} of ${other}`);
        }
      }, { texts: { "service-account-signing-key-file": signing } });
    }
  },
});
