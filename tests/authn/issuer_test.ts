import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { decodeJwt } from "jose";
import type { Obj } from "../../schema/model/types.ts";
import { productOf } from "../../schema/product.ts";
import { StatusError } from "../../schema/status.ts";
import { verifyKeys } from "../../server/authentication/keys.ts";
import { serviceAccountTokens } from "../../server/authentication/service_account.ts";
import {
  issueToken,
  jsonWebKeys,
  openIdConfiguration,
  type TokenIssuerOptions,
  tokenSigner,
} from "../../server/authentication/token_issuer.ts";
import { generateKey } from "../../server/pki/mod.ts";
import { NOW } from "./fixture.ts";

const product = productOf("orch");
const key = generateKey();
const ISSUER = "https://orch.default.svc";
const object = (name: string, uid: string, spec: Record<string, unknown> = {}): Obj => ({
  apiVersion: "v1",
  kind: "",
  metadata: { name, uid },
  spec,
});
const world = new Map<string, Obj>([
  ["serviceaccounts/ns/bot", object("bot", "u1")],
  ["pods/ns/p", object("p", "u2", { serviceAccountName: "bot", nodeName: "n" })],
  ["pods/ns/q", object("q", "u5", { serviceAccountName: "other" })],
  ["secrets/ns/s", object("s", "u3")],
  ["nodes//n", object("n", "u4")],
]);
const options = (more: Partial<TokenIssuerOptions> = {}): TokenIssuerOptions => ({
  product,
  issuer: ISSUER,
  signer: tokenSigner(key),
  apiAudiences: [ISSUER],
  objects: { get: (r, ns, n) => world.get(`${r}/${ns}/${n}`) },
  extendExpiration: true,
  maxExpiration: 0,
  now: () => NOW,
  uuid: () => "j",
  ...more,
});
const request = (spec: Record<string, unknown> = {}, metadata = {}): Obj => ({
  apiVersion: "",
  kind: "TokenRequest",
  metadata,
  spec,
});
const issue = (spec?: Record<string, unknown>, more?: Partial<TokenIssuerOptions>) =>
  issueToken(request(spec), "ns", "bot", options(more));

Deno.test("a token that is issued is known", async () => {
  const { object: answer, credentialId } = await issue({
    boundObjectRef: { apiVersion: "v1", kind: "Pod", name: "p", uid: "u2" },
  });
  assert.equal(credentialId, "JTI=j");
  assert.equal(answer.metadata.name, "bot");
  assert.equal(answer.metadata.namespace, "ns");
  assert.equal(answer.spec.expirationSeconds, 3600);
  assert.deepEqual(answer.spec.audiences, [ISSUER]);
  assert.equal(answer.status.expirationTimestamp, "2026-11-21T11:00:00Z");
  const publicPem = verifyKeys([key]);
  const known = serviceAccountTokens({
    product,
    issuers: [ISSUER],
    keys: () => publicPem,
    apiAudiences: [ISSUER],
    lookup: true,
    objects: options().objects,
    now: () => NOW,
  });
  const who = await known.authenticateToken(answer.status.token, [ISSUER]);
  assert.equal(who?.user.name, "system:serviceaccount:ns:bot");
  assert.deepEqual(who?.user.extra?.["authentication.orch.io/node-uid"], ["u4"]);
  assert.equal((await issue()).object.spec.boundObjectRef, null);
});

Deno.test("how long tokens last", async () => {
  const claims = async (...args: Parameters<typeof issue>) => decodeJwt((await issue(...args)).object.status.token);
  const pod = { boundObjectRef: { kind: "Pod", name: "p" }, expirationSeconds: 3607 };
  const long = await claims(pod);
  assert.equal(long.exp! - long.iat!, 365 * 24 * 3600);
  assert.equal((long["orch.io"] as { warnafter: number }).warnafter - long.iat!, 3607);
  const plain = await claims(pod, { extendExpiration: false });
  assert.equal(plain.exp! - plain.iat!, 3607);
  const others = await claims({ ...pod, audiences: ["vault"] });
  assert.equal(others.exp! - others.iat!, 3607);
  const capped = await issue({ expirationSeconds: 100_000 }, { maxExpiration: 7_200_000 });
  assert.equal(capped.object.spec.expirationSeconds, 7200);
  assert.equal(capped.warnings.length, 1);
});

Deno.test("requests for tokens that are refused", async () => {
  const bound = (ref: Record<string, string>) => request({ boundObjectRef: ref });
  const rows: [Obj, number, string?][] = [
    [request({ expirationSeconds: 599 }), 422, "spec.expirationSeconds"],
    [request({ expirationSeconds: 2 ** 32 + 1 }), 422, "spec.expirationSeconds"],
    [request({}, { name: "zz" }), 422, "metadata.name"],
    [request({}, { namespace: "zz" }), 400],
    [bound({ kind: "ConfigMap", name: "x" }), 400],
    [bound({ apiVersion: "apps/v1", kind: "Pod", name: "p" }), 400],
    [bound({ kind: "Pod", name: "q" }), 400],
    [bound({ kind: "Pod", name: "none" }), 404],
    [bound({ kind: "Secret", name: "s", uid: "nope" }), 409],
  ];
  for (const [asked, code, field] of rows) {
    try {
      await issueToken(asked, "ns", "bot", options());
      assert.fail(JSON.stringify(asked));
    } catch (e) {
      assert.ok(e instanceof StatusError, String(e));
      assert.equal(e.code, code, JSON.stringify(asked));
      assert.equal(e.details?.causes?.[0]?.field, field);
    }
  }
  await assert.rejects(issueToken(request(), "ns", "none", options()), { code: 404 });
});

Deno.test("keys and discovery for those who verify", () => {
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({
    type: "spki",
    format: "pem",
  }) as string;
  const keys = verifyKeys([rsa, key]);
  const set = jsonWebKeys(keys);
  assert.deepEqual(Object.keys(set.keys[0]!).sort(), ["alg", "e", "kid", "kty", "n", "use"]);
  assert.deepEqual(set.keys.map((k) => k.alg), ["RS256", "ES256"]);
  assert.equal(set.keys[1]!.kid, tokenSigner(key).kid);
  assert.ok(!("d" in set.keys[1]!), "no private part");
  assert.deepEqual(openIdConfiguration(ISSUER, `${ISSUER}/openid/v1/jwks`, keys), {
    issuer: ISSUER,
    jwks_uri: `${ISSUER}/openid/v1/jwks`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["ES256", "RS256"],
  });
});
