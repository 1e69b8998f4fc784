/** What is told of issuers of tokens and of their keys. */
import assert from "node:assert/strict";
import { hashed } from "../../server/metrics/reloads.ts";
import type { TestServer } from "../fixture/server.ts";
import { identified, Issuer } from "../spec/_identified.ts";
import { ca } from "../listen/_fixture.ts";

const NAME = "apiserver_authentication_jwt_authenticator";
const GATE = "--feature-gates=StructuredAuthenticationConfigurationJWKSMetrics=false";

/** Values by the labels that differ. */
async function told(t: TestServer, metric: string): Promise<Record<string, string>> {
  const { text } = await t.fetch("/metrics"), out: Record<string, string> = {};
  for (const [, labels, value] of text.matchAll(new RegExp(`^${NAME}_${metric}\\{([^}]*)\\} (\\S+)$`, "gm"))) {
    out[/(?:result|,hash)="([^"]*)"/.exec(labels!)![1]!] = value!;
  }
  return out;
}

Deno.test("tokens of issuers are timed, and it is told when their keys came, and which", async () => {
  const issuer = new Issuer(), texts = { "oidc-ca-file": ca.cert };
  const flags = [`--oidc-issuer-url=${issuer.url}`, "--oidc-client-id=me"];
  const start = Math.floor(Date.now() / 1000);
  let now = start * 1000;
  await identified(flags, async ({ t, who }) => {
    assert.deepEqual(await told(t, "latency_seconds_count"), {});
    assert.equal((await who(await issuer.token())).code, 201);
    assert.equal((await who(await issuer.token({ aud: "you" }))).code, 401);
    assert.deepEqual(await told(t, "latency_seconds_count"), { success: "1", failure: "1" });
    const { success, failure } = await told(t, "jwks_fetch_last_timestamp_seconds");
    assert.deepEqual([Number(success), failure], [start, undefined]);
    const { text } = await t.fetch("/metrics");
    assert.ok(text.includes(`jwt_issuer_hash="${hashed(issuer.url)}",apiserver_id_hash="${hashed("test")}"`));
    const [keys] = Object.entries(await told(t, "jwks_fetch_last_key_set_info"));
    assert.match(keys![0], /^sha256:[0-9a-f]{64}$/);
    assert.equal(keys![1], "1");
    await issuer.stop();
    now += 60_000;
    const other = new Issuer();
    // None of the keys verifies it: they are asked for again.
    assert.equal((await who(await other.token({ iss: issuer.url }))).code, 401);
    await other.stop();
    const then = await told(t, "jwks_fetch_last_timestamp_seconds");
    assert.deepEqual([then["success"], Number(then["failure"])], [success, start + 60]);
    assert.deepEqual(Object.entries(await told(t, "jwks_fetch_last_key_set_info")), [keys]);
  }, { texts, now: () => now });
});

Deno.test("without its gate nothing is told of keys", async () => {
  const issuer = new Issuer();
  const flags = [`--oidc-issuer-url=${issuer.url}`, "--oidc-client-id=me", GATE];
  await identified(flags, async ({ t, who }) => {
    assert.equal((await who(await issuer.token())).code, 201);
    assert.deepEqual(await told(t, "latency_seconds_count"), { success: "1" });
    assert.doesNotMatch((await t.fetch("/metrics")).text, /_jwks_fetch_/);
  }, { texts: { "oidc-ca-file": ca.cert } });
  await issuer.stop();
});
