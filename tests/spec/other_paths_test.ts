import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { parseOptions } from "../../server/options/mod.ts";
import { fixedKeys } from "../../server/authentication/key_source.ts";
import { openIdPaths } from "../../server/endpoints/openid.ts";
import type { RequestScope } from "../../server/request.ts";
import { sharedServer, spec, withServer } from "./_spec.ts";

const server = sharedServer();

spec("Other paths", {
  "/logs": async () => {
    const t = await server();
    assert.equal((await t.fetch("/logs/")).status, 404);
    const logs = () => Promise.resolve({ kind: "directory", names: ["a.log"] } as const);
    await withServer([], async (on) => assert.match((await on.fetch("/logs/")).text, /a\.log/), { logs });
    assert.equal(parseOptions(["--enable-logs-handler"]).kind, "run");
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
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const keys = fixedKeys([publicKey.export({ type: "spki", format: "pem" }) as string]);
    const issuer = "https://issuer.example";
    const paths = openIdPaths({ issuer, jwksUri: "https://elsewhere.example/keys", keys });
    const read = async (path: string) => {
      const request = new Request(`https://test${path}`);
      return await (await paths.get(path)!({ request } as RequestScope)).json();
    };
    const config = await read("/.well-known/openid-configuration");
    assert.equal(config.issuer, issuer);
    assert.equal(config.jwks_uri, "https://elsewhere.example/keys"); // --service-account-jwks-uri
    assert.equal((await read("/openid/v1/jwks")).keys[0].kty, "EC");
  },
});
