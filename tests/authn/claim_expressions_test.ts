/** Expressions of an `AuthenticationConfiguration`. */
import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { productOf } from "../../schema/product.ts";
import { parseAuthenticationConfig } from "../../server/authentication/authentication_config.ts";
import { jwtTokens } from "../../server/authentication/jwt.ts";
import { keyPair, NOW, sign } from "./fixture.ts";

const GROUP = "apiserver.config.k8s.io";
const text = (parts: Record<string, unknown>) =>
  JSON.stringify({
    apiVersion: `${GROUP}/v1`,
    kind: "AuthenticationConfiguration",
    jwt: [{ issuer: { url: "https://id.example", audiences: ["me"] }, ...parts }],
  });
const keys = keyPair();
const CLAIMS = {
  sub: "ann",
  email: "ann@example.org",
  email_verified: true,
  hd: "example",
  roles: ["dev", "", "ops"],
  one: "x",
  n: 5,
  org: { id: "u-1", teams: ["t"] },
};

/** Who a token with the claims is, by the rest of an issuer. */
async function who(parts: Record<string, unknown>, claims: Record<string, unknown> = CLAIMS) {
  const [issuer] = parseAuthenticationConfig(text(parts), GROUP).issuers;
  const key = createPublicKey(keys.publicPem).export({ format: "jwk" });
  const fetchText = (url: string) =>
    Promise.resolve(JSON.stringify(
      url.endsWith("/keys") ? { keys: [key] } : { issuer: issuer!.url, jwks_uri: "https://id.example/keys" },
    ));
  const product = productOf("kubernetes");
  const tokens = jwtTokens({ product, issuer: issuer!, apiAudiences: ["api"], now: () => NOW, fetchText });
  const token = await sign({ iss: issuer!.url, aud: "me", exp: NOW / 1000 + 60, ...claims }, keys.privateKey);
  return (await tokens.authenticateToken(token, ["api"]))?.user;
}
const SUB = { username: { expression: "claims.sub" } };
const TRUE = { expression: "true" };

Deno.test("who somebody is is said by expressions", async () => {
  const claimMappings = {
    username: { expression: "'x:' + claims.sub" },
    groups: { expression: "claims.roles" },
    uid: { expression: "claims.org.id" },
    extra: [
      { key: "example.org/one", valueExpression: "claims.one" },
      { key: "example.org/teams", valueExpression: "claims.org.teams" },
      { key: "example.org/none", valueExpression: "has(claims.nope) ? claims.nope : null" },
      { key: "example.org/empty", valueExpression: "''" },
    ],
  };
  assert.deepEqual(await who({ claimMappings }), {
    name: "x:ann",
    uid: "u-1",
    groups: ["dev", "ops"],
    extra: { "example.org/one": ["x"], "example.org/teams": ["t"] },
  });
  const mixed = { username: { claim: "sub", prefix: "p:" }, groups: { expression: "'g-' + claims.hd" } };
  assert.deepEqual(await who({ claimMappings: mixed }), { name: "p:ann", groups: ["g-example"] });
});

Deno.test("which token it was stands beside what an issuer says, also for its rules", async () => {
  const id = { "authentication.kubernetes.io/credential-id": ["JTI=j-1"] };
  const byClaims = { claimMappings: { username: { claim: "sub", prefix: "" } } };
  const extra = [{ key: "example.org/one", valueExpression: "claims.one" }];
  const rule = "user.extra['authentication.kubernetes.io/credential-id'] == ['JTI=j-1']";
  const byExpressions = { claimMappings: { ...SUB, extra }, userValidationRules: [{ expression: rule }] };
  assert.deepEqual((await who(byClaims, { ...CLAIMS, jti: "j-1" }))?.extra, id);
  assert.deepEqual((await who(byExpressions, { ...CLAIMS, jti: "j-1" }))?.extra, { ...id, "example.org/one": ["x"] });
  for (const jti of [undefined, "", 1]) assert.equal((await who(byClaims, { ...CLAIMS, jti }))?.extra, undefined);
});

Deno.test("rules about claims and users", async () => {
  const rules = (claims: string[], user: string[]) => ({
    claimMappings: SUB,
    claimValidationRules: claims.map((expression) => ({ expression, message: "M1" })),
    userValidationRules: user.map((expression) => ({ expression, message: "M2" })),
  });
  const good = ["claims.hd == 'example'", "claims.exp - claims.n > 0", "claims.n / 2.0 == 2.5", "claims.n == 5"];
  const kept = ["!user.username.startsWith('system:')", "user.groups.all(g, g != 'x')", "user.uid == ''"];
  assert.equal((await who(rules(good, kept)))?.name, "ann");
  await assert.rejects(who(rules(["claims.hd == 'other'"], [])), /does not hold: M1/);
  await assert.rejects(who(rules(["claims.nope == 'other'"], [])), /has no value/);
  await assert.rejects(who(rules([], kept), { ...CLAIMS, sub: "system:admin" }), /does not hold: M2/);
  const full = { ...SUB, uid: { expression: "claims.org.id" }, groups: { expression: "claims.roles" } };
  const told = (rule: string) => who({ claimMappings: full, userValidationRules: [{ expression: rule }] });
  assert.equal((await told("user.groups == ['dev', 'ops'] && user.uid == 'u-1'"))?.name, "ann");
  await assert.rejects(told("user.groups.all(g, g != 'ops')"), /does not hold/);
  const both = { claimMappings: SUB, claimValidationRules: [{ claim: "hd", requiredValue: "other" }] };
  await assert.rejects(who({ ...both, userValidationRules: [{ expression: "true" }] }), /not what it must be/);
  const inherited = { claimMappings: SUB, claimValidationRules: [{ claim: "constructor", requiredValue: "x" }] };
  assert.equal((await who(inherited, { ...CLAIMS, constructor: "x" }))?.name, "ann", "a claim like others");
});

Deno.test("one expression beside claims counts, of whichever kind it is", async () => {
  const username = { claim: "sub", prefix: "" }, extra = [{ key: "example.org/one", valueExpression: "claims.one" }];
  assert.deepEqual((await who({ claimMappings: { username, groups: { expression: "claims.one" } } }))?.groups, ["x"]);
  assert.equal((await who({ claimMappings: { username, uid: { expression: "claims.org.id" } } }))?.uid, "u-1");
  assert.deepEqual((await who({ claimMappings: { username, extra } }))?.extra, { "example.org/one": ["x"] });
  const uid = { claim: "hd" }, groups = { expression: "claims.one" };
  assert.deepEqual(await who({ claimMappings: { username, uid, groups } }), {
    name: "ann",
    uid: "example",
    groups: ["x"],
  });
  const byClaim = { username, uid: { expression: "claims.one" }, groups: { claim: "one", prefix: "p:" } };
  assert.deepEqual(await who({ claimMappings: byClaim }), { name: "ann", uid: "x", groups: ["p:x"] });
  const claimMappings = { username }, never = [{ expression: "false" }];
  await assert.rejects(who({ claimMappings, claimValidationRules: never }), /does not hold/);
  await assert.rejects(who({ claimMappings, userValidationRules: never }), /does not hold/);
});

Deno.test("an address that is said not to be its owner's is nobody's name; of others nothing is asked", async () => {
  const byClaim = (claim: string) => ({ claimMappings: { username: { claim, prefix: "" } } });
  for (const email_verified of [undefined, true]) {
    assert.equal((await who(byClaim("email"), { ...CLAIMS, email_verified }))?.name, "ann@example.org");
  }
  for (const email_verified of [false, null, "true", 1]) {
    await assert.rejects(who(byClaim("email"), { ...CLAIMS, email_verified }), /not verified/, String(email_verified));
    assert.equal((await who(byClaim("sub"), { ...CLAIMS, email_verified }))?.name, "ann");
  }
});

Deno.test("what an expression gives must be what is mapped", async () => {
  for (
    const claimMappings of [
      { username: { expression: "claims.n" } },
      { username: { expression: "''" } },
      { username: { expression: "claims.nope" } },
      { ...SUB, groups: { expression: "claims.n" } },
      { ...SUB, groups: { expression: "[claims.n]" } },
      { ...SUB, groups: { expression: "[claims.one, claims.n]" } },
      { ...SUB, uid: { expression: "claims.roles" } },
      { ...SUB, extra: [{ key: "example.org/a", valueExpression: "claims.org" }] },
    ]
  ) await assert.rejects(who({ claimMappings }), /expression of/, JSON.stringify(claimMappings));
});

Deno.test("keys of the project's own are no issuer's, in the dialect's name too", () => {
  const read = (key: string, group: string) => () => {
    const claimMappings = { ...SUB, extra: [{ key, valueExpression: "claims.sub" }] };
    return parseAuthenticationConfig(text({ claimMappings }), group);
  };
  const own = ["authentication.kubernetes.io/node-name", "k8s.io/a"];
  for (const key of [...own, "authentication.orch.io/node-name", "orch.io/a"]) {
    assert.throws(read(key, "apiserver.config.orch.io"), /is reserved/, key);
  }
  for (const key of own) assert.throws(read(key, GROUP), /is reserved/, key);
  for (const key of ["authentication.orch.io/a", "notk8s.io/a"]) assert.ok(read(key, GROUP)(), key);
});

Deno.test("faults of expressions are told at start", () => {
  const rows: [parts: Record<string, unknown>, told: RegExp][] = [
    [{ claimMappings: { username: { expression: "claims." } } }, /username\.expression: "claims\."/],
    [{ claimMappings: { username: { expression: "user.name" } } }, /username\.expression/],
    [{ claimMappings: { username: { expression: "claims.a", claim: "b" } } }, /username\.claim: not together/],
    [{ claimMappings: { username: { expression: "claims.a", prefix: "b" } } }, /username\.prefix: not together/],
    [{ claimMappings: { username: {} } }, /username\.claim: is required/],
    [{ claimMappings: { username: { expression: "claims.email" } } }, /needs claims\.email_verified/],
    [{ claimMappings: { username: { expression: "claims['email']" } } }, /needs claims\.email_verified/],
    ...["groups", "uid"].map((other): typeof rows[number] => [
      { claimMappings: { username: { expression: "claims.email" }, [other]: { expression: "claims.email_verified" } } },
      /needs claims\.email_verified/,
    ]),
    [{ claimMappings: { ...SUB, uid: { claim: "a", expression: "claims.a" } } }, /uid\.claim: not together/],
    [{ claimMappings: { ...SUB, extra: [{ key: "a", valueExpression: "'x'" }] } }, /extra\[0\]\.key/],
    [{ claimMappings: { ...SUB, extra: [{ key: "example.org/A", valueExpression: "'x'" }] } }, /extra\[0\]\.key/],
    ...["a.io/", "a.io/b c", "a.io/b\n", "a.io/ä"].map((key): typeof rows[number] => [
      { claimMappings: { ...SUB, extra: [{ key, valueExpression: "'x'" }] } },
      /extra\[0\]\.key/,
    ]),
    [{ claimMappings: { ...SUB, extra: [{ key: "a.k8s.io/a", valueExpression: "'x'" }] } }, /is reserved/],
    [{ claimMappings: { ...SUB, extra: [{ key: "example.org/a" }] } }, /valueExpression: is required/],
    [{ claimMappings: SUB, claimValidationRules: [{ expression: "1" }] }, /claimValidationRules\[0\]\.expression/],
    [{ claimMappings: SUB, claimValidationRules: [{ expression: "true", claim: "a" }] }, /claim: not together/],
    [{ claimMappings: SUB, claimValidationRules: [{ claim: "a", message: "m" }] }, /message: only together/],
    [{ claimMappings: SUB, userValidationRules: [{ expression: "user.nope == ''" }] }, /userValidationRules\[0\]/],
    [{ claimMappings: SUB, userValidationRules: [{}] }, /userValidationRules\[0\]\.expression: is required/],
    [
      { claimMappings: SUB, claimValidationRules: [TRUE, TRUE] },
      /claimValidationRules\[1\]\.expression: "true" is there/,
    ],
    [
      { claimMappings: SUB, userValidationRules: [TRUE, TRUE] },
      /userValidationRules\[1\]\.expression: "true" is there/,
    ],
  ];
  for (const [parts, told] of rows) {
    assert.throws(() => parseAuthenticationConfig(text(parts), GROUP), told, JSON.stringify(parts));
  }
  const verified = { claimMappings: { username: { expression: "claims.email" } } };
  const rule = { claimValidationRules: [{ expression: "claims.?email_verified.orValue(true) == true" }] };
  assert.ok(parseAuthenticationConfig(text({ ...verified, ...rule }), GROUP).issuers[0]!.expressions?.username);
});
