import assert from "node:assert/strict";
import type { Obj } from "../../schema/model/types.ts";
import { productOf } from "../../schema/product.ts";
import { authenticationChain } from "../../server/authentication/chain.ts";
import { bootstrapTokens } from "../../server/authentication/bootstrap_token.ts";
import { type JwtIssuer, jwtTokens } from "../../server/authentication/jwt.ts";
import { keyId, verifyKeys } from "../../server/authentication/keys.ts";
import { fixedKeys } from "../../server/authentication/key_source.ts";
import { oidcIssuer } from "../../server/authentication/oidc.ts";
import {
  type ServiceAccountOptions,
  serviceAccountTokens,
  splitAccount,
} from "../../server/authentication/service_account.ts";
import { type TokenAuthenticator, TokenError, tokenMethod } from "../../server/authentication/token.ts";
import { webhookTokens } from "../../server/authentication/webhook.ts";
import { callWebhook } from "../../server/authentication/webhook_client.ts";
import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { generateKey, issueAuthority } from "../../pki/mod.ts";
import { keyPair, NOW, sign } from "./fixture.ts";

const product = productOf("orch");
const ours = keyPair(), other = keyPair();
const seconds = NOW / 1000;
const base64 = (s: string) => new TextEncoder().encode(s).toBase64();
const object = (name: string, uid: string, more: Record<string, unknown> = {}): Obj => ({
  apiVersion: "v1",
  kind: "",
  metadata: { name, uid },
  ...more,
});

class World {
  readonly objects = new Map<string, Obj>([
    ["serviceaccounts/ns/bot", object("bot", "u1")],
    ["pods/ns/p", object("p", "u2")],
    ["secrets/ns/s", object("s", "u3")],
    ["nodes//n", object("n", "u4")],
  ]);
  now = NOW;
  tokens(more: Partial<ServiceAccountOptions> = {}): TokenAuthenticator {
    return serviceAccountTokens({
      product,
      issuers: ["https://orch.default.svc", "https://old"],
      keys: () => verifyKeys([other.publicPem, ours.publicPem]),
      apiAudiences: ["https://orch.default.svc"],
      lookup: true,
      objects: { get: (r, ns, n) => this.objects.get(`${r}/${ns}/${n}`) },
      now: () => this.now,
      ...more,
    });
  }
}

const claims = (own: Record<string, unknown> = {}, more: Record<string, unknown> = {}) => ({
  iss: "https://orch.default.svc",
  sub: "system:serviceaccount:ns:bot",
  aud: ["https://orch.default.svc", "vault"],
  exp: seconds + 3600,
  nbf: seconds,
  jti: "j1",
  "orch.io": { namespace: "ns", serviceaccount: { name: "bot", uid: "u1" }, ...own },
  ...more,
});
const NOBODY = { remoteAddress: "127.0.0.1", peerCertificates: [], tls: true };
const AUDIENCE = ["https://orch.default.svc"];

Deno.test("a service account's token", async () => {
  const w = new World();
  const token = await sign(claims({ pod: { name: "p", uid: "u2" }, node: { name: "n", uid: "u4" } }), ours.privateKey);
  assert.deepEqual(await w.tokens().authenticateToken(token, AUDIENCE), {
    user: {
      name: "system:serviceaccount:ns:bot",
      uid: "u1",
      groups: ["system:serviceaccounts", "system:serviceaccounts:ns"],
      extra: {
        "authentication.orch.io/credential-id": ["JTI=j1"],
        "authentication.orch.io/pod-name": ["p"],
        "authentication.orch.io/pod-uid": ["u2"],
        "authentication.orch.io/node-name": ["n"],
        "authentication.orch.io/node-uid": ["u4"],
      },
    },
    audiences: AUDIENCE,
  });
  const review = await w.tokens().authenticateToken(token, ["vault", "x"]);
  assert.deepEqual(review?.audiences, ["vault"]);
  const toNobody = await sign(claims({}, { aud: undefined }), ours.privateKey);
  assert.deepEqual((await w.tokens().authenticateToken(toNobody, AUDIENCE))?.audiences, AUDIENCE);
  await assert.rejects(async () => await w.tokens().authenticateToken(toNobody, ["vault"]), /audiences/);
});

Deno.test("service account tokens that are no good", async () => {
  const rows: [string, () => Promise<string>, (w: World) => void, RegExp][] = [
    ["other key", () => sign(claims(), keyPair().privateKey), () => {}, /no key verifies/],
    ["expired", () => sign(claims({}, { exp: seconds - 120 }), ours.privateKey), () => {}, /expired/],
    ["not yet", () => sign(claims({}, { nbf: seconds + 120 }), ours.privateKey), () => {}, /not valid yet/],
    [
      "issued in the future",
      () => sign(claims({}, { iat: seconds + 120 }), ours.privateKey),
      () => {},
      /in the future/,
    ],
    ["audience", () => sign(claims({}, { aud: ["x"] }), ours.privateKey), () => {}, /audiences/],
    ["subject", () => sign(claims({}, { sub: "system:serviceaccount:ns:root" }), ours.privateKey), () => {}, /subject/],
    [
      "account gone",
      () => sign(claims(), ours.privateKey),
      (w) => w.objects.clear(),
      /serviceaccounts "bot" not found/,
    ],
    [
      "account made anew",
      () => sign(claims(), ours.privateKey),
      (w) => w.objects.set("serviceaccounts/ns/bot", object("bot", "u9")),
      /service account UID \(u9\) does not match claim \(u1\)/,
    ],
    ["pod gone", () => sign(claims({ pod: { name: "q", uid: "u2" } }), ours.privateKey), () => {}, /been invalidated/],
    [
      "secret gone",
      () => sign(claims({ secret: { name: "s", uid: "u9" } }), ours.privateKey),
      () => {},
      /secret UID \(u\d\) does not match service account secret ref claim \(u9\)/,
    ],
    [
      "node gone",
      () => sign(claims({ node: { name: "m", uid: "u4" } }), ours.privateKey),
      () => {},
      /been invalidated/,
    ],
    [
      "account long deleted",
      () => sign(claims(), ours.privateKey),
      (w) => w.objects.get("serviceaccounts/ns/bot")!.metadata.deletionTimestamp = "2026-11-21T09:58:00Z",
      /service account ns\/bot has been deleted/,
    ],
    ...["", "bot"].map((name) =>
      [
        `no ${name ? "uid" : "name"} of the account`,
        () => sign(claims({ serviceaccount: { name, ...(name ? {} : { uid: "u1" }) } }), ours.privateKey),
        () => {},
        /names no service account/,
      ] as [string, () => Promise<string>, (w: World) => void, RegExp]
    ),
  ];
  for (const [name, token, prepare, why] of rows) {
    const w = new World();
    prepare(w);
    await assert.rejects(async () => await w.tokens().authenticateToken(await token(), AUDIENCE), why, name);
  }
});

Deno.test("a token outlives the deletion of its account by the leeway of clocks, and a pod's that of its node", async () => {
  const w = new World(),
    known = async (own: Record<string, unknown>) =>
      (await w.tokens().authenticateToken(await sign(claims(own), ours.privateKey), AUDIENCE))?.user.extra;
  w.objects.get("serviceaccounts/ns/bot")!.metadata.deletionTimestamp = "2026-11-21T09:59:50Z";
  assert.ok(await known({}));
  w.objects.delete("nodes//n");
  assert.deepEqual(await known({ pod: { name: "p", uid: "u2" }, node: { name: "n" } }), {
    "authentication.orch.io/credential-id": ["JTI=j1"],
    "authentication.orch.io/pod-name": ["p"],
    "authentication.orch.io/pod-uid": ["u2"],
    "authentication.orch.io/node-name": ["n"],
  });
});

Deno.test("a token that names a key is verified by that key alone", async () => {
  const { keys } = fixedKeys([other.publicPem, ours.publicPem]);
  const tokens = new World().tokens({ keys }), id = keyId(createPublicKey(ours.publicPem));
  const ask = async (kid?: string) =>
    await tokens.authenticateToken(await sign(claims(), ours.privateKey, kid), AUDIENCE);
  assert.ok(await ask());
  assert.ok(await ask(id));
  for (const kid of [keyId(createPublicKey(other.publicPem)), "unknown"]) {
    await assert.rejects(ask(kid), /no key verifies/, kid);
  }
});

Deno.test("keys that verify tokens: public ones, those of certificates, the public halves of private ones", () => {
  const ec = (namedCurve: string) => generateKeyPairSync("ec", { namedCurve });
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const spki = ({ publicKey }: { publicKey: KeyObject }) => publicKey.export({ type: "spki", format: "pem" }) as string;
  const rows: [text: string, algorithms: string[]][] = [
    [spki(rsa), ["RS256", "RS384", "RS512"]],
    [rsa.publicKey.export({ type: "pkcs1", format: "pem" }) as string, ["RS256", "RS384", "RS512"]],
    [rsa.privateKey.export({ type: "pkcs8", format: "pem" }) as string, ["RS256", "RS384", "RS512"]],
    [spki(ec("P-256")), ["ES256"]],
    [spki(ec("P-384")), ["ES384"]],
    [spki(ec("P-521")), ["ES512"]],
    [issueAuthority("ca", generateKey(), NOW), ["ES256"]],
  ];
  for (const [text, algorithms] of rows) {
    const [key, ...more] = verifyKeys([text]);
    assert.deepEqual([key!.algorithms, key!.key.type, more], [algorithms, "public", []]);
  }
  const [, , fromPrivate] = verifyKeys(rows.slice(0, 3).map(([text]) => text));
  assert.equal(fromPrivate!.kid, keyId(rsa.publicKey));
  assert.equal(verifyKeys([rows[3]![0] + rows[4]![0]]).length, 2, "several of one text");
  assert.throws(() => verifyKeys(["nothing"]), /holds no key/);
  assert.throws(() => verifyKeys([spki(generateKeyPairSync("ed25519"))]), /type ed25519 cannot verify tokens/);
});

Deno.test("tokens of others are none of ours, and unsigned ones are nothing", async () => {
  const w = new World();
  assert.equal(
    await w.tokens().authenticateToken(await sign(claims({}, { iss: "https://else" }), ours.privateKey), AUDIENCE),
    undefined,
  );
  assert.equal(await w.tokens().authenticateToken("opaque", AUDIENCE), undefined);
  const [, body] = (await sign(claims(), ours.privateKey)).split(".");
  const head = new TextEncoder().encode('{"alg":"none"}').toBase64({ alphabet: "base64url", omitPadding: true });
  await assert.rejects(async () => await w.tokens().authenticateToken(`${head}.${body}.`, AUDIENCE), /no key verifies/);
  const forged = await sign(claims(), keyPair().privateKey, keyId(createPublicKey(ours.publicPem)));
  await assert.rejects(async () => await w.tokens().authenticateToken(forged, AUDIENCE), /no key verifies/);
});

Deno.test("a token is written in one way: padding and blanks behind its signature are of no token", async () => {
  const token = await sign(claims(), ours.privateKey), w = new World();
  assert.ok(await w.tokens().authenticateToken(token, AUDIENCE));
  const [head, body, signature] = token.split(".");
  const signed = Uint8Array.fromBase64(signature!, { alphabet: "base64url" }).toBase64();
  const others = [`${token}=`, `${token}==`, `${token}\n`, `${token} `, ` ${token}`, `${head}.${body}.${signed}`];
  for (const other of [...others, `${token}.`, `${token}.x`, `${head}=.${body}.${signature}`]) {
    assert.equal(await w.tokens().authenticateToken(other, AUDIENCE), undefined, other);
  }
});

Deno.test("tokens that secrets keep", async () => {
  const w = new World();
  const told = {
    iss: "orch/serviceaccount",
    sub: "system:serviceaccount:ns:bot",
    ...Object.fromEntries(
      [["namespace", "ns"], ["secret.name", "s"], ["service-account.name", "bot"], ["service-account.uid", "u1"]].map(
        ([name, value]) => [`orch.io/serviceaccount/${name}`, value],
      ),
    ),
  };
  const legacy = await sign(told, ours.privateKey);
  for (const name of Object.keys(told).filter((name) => name.includes("/"))) {
    const token = await sign({ ...told, [name]: undefined }, ours.privateKey);
    await assert.rejects(w.tokens().authenticateToken(token, AUDIENCE) as Promise<unknown>, /are missing/, name);
  }
  const other = await sign({ ...told, sub: "system:serviceaccount:ns:other" }, ours.privateKey);
  await assert.rejects(w.tokens().authenticateToken(other, AUDIENCE) as Promise<unknown>, /subject is not its/);
  const labelled: string[] = [];
  const label = (secret: Obj, key: string, value: string) => {
    labelled.push(`${key}=${value}`);
    secret.metadata.labels = { ...secret.metadata.labels, [key]: value };
    return Promise.resolve();
  };
  const ask = async () => await w.tokens({ label }).authenticateToken(legacy, AUDIENCE);
  await assert.rejects(ask, /does not hold it/);
  w.objects.set("secrets/ns/s", object("s", "u3", { data: { token: base64(legacy) } }));
  assert.deepEqual(labelled, []);
  assert.equal((await ask())?.user.name, "system:serviceaccount:ns:bot");
  await ask();
  const day = "orch.io/legacy-token-last-used=2026-11-21";
  assert.deepEqual(labelled, [day], "once a day");
  const data = { token: base64(legacy) }, labels = { "orch.io/legacy-token-invalid-since": "2026-11-01" };
  w.objects.set("secrets/ns/s", { ...object("s", "u3", { data }), metadata: { name: "s", uid: "u3", labels } });
  await assert.rejects(ask, /marked as invalid/);
  assert.deepEqual(labelled, [day, day], "of a token that is refused for that, too");
  w.objects.set("secrets/ns/s", object("s", "u3", { data: { token: base64(legacy + "x") } }));
  await assert.rejects(ask, /does not hold it/);
  const deletionTimestamp = "2026-11-21T10:00:00Z";
  w.objects.set("secrets/ns/s", {
    ...object("s", "u3", { data }),
    metadata: { name: "s", uid: "u3", deletionTimestamp },
  });
  await assert.rejects(ask, /does not hold it/, "not for the time of its deletion either");
});

Deno.test("tokens that secrets keep end in their time, if they have one, and clocks may differ by some seconds", async () => {
  const w = new World(), within = seconds - 50, beyond = seconds - 120;
  const claim = "orch.io/serviceaccount";
  const known = async (more: Record<string, unknown>) => {
    const token = await sign({
      iss: "orch/serviceaccount",
      sub: "system:serviceaccount:ns:bot",
      [`${claim}/namespace`]: "ns",
      [`${claim}/secret.name`]: "s",
      [`${claim}/service-account.name`]: "bot",
      [`${claim}/service-account.uid`]: "u1",
      ...more,
    }, ours.privateKey);
    w.objects.set("secrets/ns/s", object("s", "u3", { data: { token: base64(token) } }));
    return await w.tokens().authenticateToken(token, AUDIENCE);
  };
  assert.ok(await known({ exp: within }));
  await assert.rejects(known({ exp: beyond }), /expired/);
  await assert.rejects(known({ nbf: seconds + 120 }), /not valid yet/);
  const bound = async (more: Record<string, unknown>) =>
    await w.tokens().authenticateToken(await sign(claims({}, more), ours.privateKey), AUDIENCE);
  for (const near of [{ exp: within }, { nbf: seconds + 50 }, { iat: seconds + 50 }]) assert.ok(await bound(near));
});

Deno.test("what is said of old and stale tokens", async () => {
  const w = new World();
  const prefix = "orch.io/serviceaccount", note = (name: string) => `authentication.orch.io/${name}`;
  const sub = "system:serviceaccount:ns:bot";
  const kept = await sign({
    iss: "orch/serviceaccount",
    sub,
    [`${prefix}/namespace`]: "ns",
    [`${prefix}/secret.name`]: "s",
    [`${prefix}/service-account.name`]: "bot",
    [`${prefix}/service-account.uid`]: "u1",
  }, ours.privateKey);
  const uses: string[] = [];
  const method = tokenMethod(w.tokens({ used: (use) => void uses.push(use) }), AUDIENCE, product);
  const authenticate = authenticationChain({ methods: [method], anonymous: { enabled: true } });
  const saidOf = async (token: string) => {
    const auditAnnotations = new Map<string, string>(), warnings = new Set<string>();
    const headers = new Headers({ authorization: `Bearer ${token}` });
    const asked = Promise.try(() => authenticate({ headers, auditAnnotations, warnings }, NOBODY, "/api"));
    const known = await asked.then(() => true, () => false);
    return { known, notes: Object.fromEntries(auditAnnotations), warnings: warnings.size };
  };
  const secret = (labels = {}) => ({
    ...object("s", "u3", { data: { token: base64(kept) } }),
    metadata: { name: "s", namespace: "ns", uid: "u3", labels },
  });
  w.objects.set("secrets/ns/s", secret());
  const old = { [note("legacy-token")]: sub };
  const byHand = { known: true, notes: { ...old, [note("legacy-token-manual-secret")]: "s" }, warnings: 0 };
  assert.deepEqual(await saidOf(kept), byHand);
  w.objects.set("serviceaccounts/ns/bot", object("bot", "u1", { secrets: [{ name: "other" }, { name: "s" }] }));
  const made = { known: true, notes: { ...old, [note("legacy-token-autogenerated-secret")]: "s" }, warnings: 1 };
  assert.deepEqual(await saidOf(kept), made);
  w.objects.set("secrets/ns/s", secret({ "orch.io/legacy-token-invalid-since": "2026-11-01" }));
  const invalid = { known: false, notes: { ...old, [note("legacy-token-invalidated")]: "s/ns" }, warnings: 0 };
  assert.deepEqual(await saidOf(kept), invalid);
  const text = `subject: ${sub}, seconds after warning threshold: 7`;
  const stale = { known: true, notes: { [note("stale-token")]: text }, warnings: 0 };
  assert.deepEqual(await saidOf(await sign(claims({ warnafter: seconds - 7 }), ours.privateKey)), stale);
  const fresh = { known: true, notes: {}, warnings: 0 };
  assert.deepEqual(await saidOf(await sign(claims({ warnafter: seconds + 7 }), ours.privateKey)), fresh);
  assert.deepEqual(uses, [
    "legacy_tokens",
    "legacy_manual_token_uses",
    "legacy_tokens",
    "legacy_auto_token_uses",
    "legacy_tokens",
    "invalid_legacy_auto_token_uses",
    "stale_tokens",
    "valid_tokens",
  ]);
});

Deno.test("names of service accounts", () => {
  assert.deepEqual(splitAccount("system:serviceaccount:a:b.c"), { namespace: "a", name: "b.c" });
  for (const no of ["system:serviceaccount:a", "system:serviceaccount::b", "system:serviceaccount:A:b", "x"]) {
    assert.equal(splitAccount(no), undefined, no);
  }
});

Deno.test("bootstrap tokens", async () => {
  const data = (more: Record<string, string> = {}) =>
    Object.fromEntries(
      Object.entries({
        "token-id": "abcdef",
        "token-secret": "0123456789abcdef",
        "usage-bootstrap-authentication": "true",
        "auth-extra-groups": "system:bootstrappers:x",
        ...more,
      }).map(([k, v]) => [k, base64(v)]),
    );
  const ask = async (secret: Obj | undefined, token = "abcdef.0123456789abcdef", wanted: string[] = []) =>
    await bootstrapTokens({ product, apiAudiences: ["api"], now: () => NOW, secret: () => secret }).authenticateToken(
      token,
      wanted,
    );
  const secret = (more: Record<string, string> = {}, type = "bootstrap.orch.io/token") =>
    object("s", "u", { type, data: data(more) });
  assert.deepEqual((await ask(secret()))?.user, {
    name: "system:bootstrap:abcdef",
    groups: ["system:bootstrappers", "system:bootstrappers:x"],
  });
  assert.ok(await ask(secret({ expiration: "2026-11-21T10:00:01Z" })));
  for (
    const refused of [
      undefined,
      secret({}, "Opaque"),
      secret({ expiration: "2026-11-21T10:00:00Z" }),
      secret({ expiration: "soon" }),
      secret({ expiration: "2030" }),
      secret({ expiration: "Fri, 01 Jan 2100" }),
      secret({ "usage-bootstrap-authentication": "false" }),
      secret({ "token-secret": "0123456789abcdee" }),
      secret({ "token-id": "abcdeg" }),
      { ...secret(), metadata: { name: "s", deletionTimestamp: "2026-11-21T10:00:00Z" } },
    ]
  ) assert.equal(await ask(refused), undefined);
  assert.equal(await ask(secret(), undefined, ["else"]), undefined, "for another audience");
  assert.deepEqual((await ask(secret(), undefined, ["else", "api"]))?.audiences, ["api"]);
  assert.equal(await ask(secret(), "ABCDEF.0123456789abcdef"), undefined);
  for (
    const groups of ["system:masters", "system:bootstrappers:a, system:bootstrappers:b", "system:bootstrappers:a,"]
  ) {
    await assert.rejects(ask(secret({ "auth-extra-groups": groups })), /not allowed/, groups);
  }
  assert.deepEqual((await ask(secret({ "auth-extra-groups": "" })))?.user.groups, ["system:bootstrappers"]);
});

Deno.test("ID tokens: discovery, keys that change, claims, prefixes", async () => {
  const first = keyPair(), second = keyPair();
  let served = [first], fetched = 0, now = NOW;
  const jwk = (p: typeof first, kid: string) => ({
    ...createPublicKey(p.publicPem).export({ format: "jwk" }),
    kid,
    alg: "ES256",
  });
  const issuer = oidcIssuer({
    oidcIssuerUrl: "https://id.example",
    oidcClientId: "me",
    oidcUsernameClaim: "sub",
    oidcUsernamePrefix: "",
    oidcGroupsClaim: "roles",
    oidcGroupsPrefix: "o:",
    oidcRequiredClaim: { hd: "example" },
    oidcSigningAlgs: ["ES256"],
  })!;
  const tokens = jwtTokens({
    product,
    issuer,
    apiAudiences: ["api"],
    now: () => now,
    fetchText: async (url) => {
      fetched++;
      await Promise.resolve();
      if (url.endsWith("/.well-known/openid-configuration")) {
        return JSON.stringify({ issuer: "https://id.example", jwks_uri: "https://id.example/keys" });
      }
      return JSON.stringify({ keys: served.map((p) => jwk(p, p === first ? "1" : "2")) });
    },
  });
  const id = (more: Record<string, unknown> = {}) => ({
    iss: "https://id.example",
    aud: "me",
    sub: "ann",
    exp: seconds + 60,
    hd: "example",
    roles: ["a", "b"],
    ...more,
  });
  const ask = async (token: string) => (await tokens.authenticateToken(token, ["api"]))?.user;
  assert.deepEqual(await ask(await sign(id(), first.privateKey, "1")), {
    name: "https://id.example#ann",
    groups: ["o:a", "o:b"],
  });
  assert.equal(fetched, 2);
  served = [second];
  await assert.rejects(
    async () => await ask(await sign(id(), second.privateKey, "2")),
    "keys are not asked for at once",
  );
  now += 11_000;
  assert.ok(await ask(await sign(id({ roles: "a" }), second.privateKey, "2")));
  const ahead = (nbf: number) => sign(id({ nbf: seconds + 11 + nbf, exp: seconds + 600 }), second.privateKey, "2");
  assert.ok(await ask(await ahead(60)), "the issuer's clock is a minute ahead");
  for (
    const wrong of [
      { nbf: seconds + 11 + 61 },
      { exp: seconds + 11 },
      { aud: "you" },
      { exp: seconds - 1 },
      { exp: undefined },
      { hd: "else" },
      { hd: undefined },
      { sub: "" },
      { sub: 5 },
      { roles: [5] },
      { roles: ["a", 5] },
    ]
  ) await assert.rejects(async () => await ask(await sign(id(wrong), second.privateKey, "2")), JSON.stringify(wrong));
  assert.equal(await ask(await sign(id({ iss: "https://x" }), second.privateKey)), undefined);
  const good = await sign(id(), second.privateKey, "2");
  assert.deepEqual((await tokens.authenticateToken(good, ["else", "api"]))?.audiences, ["api"]);
  assert.equal(
    await tokens.authenticateToken(good, ["else"]),
    undefined,
    "who asks for another audience is told of nobody",
  );
});

Deno.test("an issuer's keys are of its own document, and come by https", async () => {
  const url = "https://id.example", { publicPem, privateKey } = keyPair();
  const token = await sign({ iss: url, aud: "me", sub: "ann", exp: seconds + 600 }, privateKey);
  const keys = [createPublicKey(publicPem).export({ format: "jwk" })];
  const asked: string[] = [];
  const ask = (document: Record<string, string>, set: unknown = { keys }, more: Partial<JwtIssuer> = {}) => {
    const fetchText = (from: string) => {
      asked.push(from);
      return Promise.resolve(JSON.stringify(from.endsWith("/keys") ? set : { issuer: url, ...document }));
    };
    const issuer = { url, audiences: ["me"], algorithms: ["ES256"], username: { claim: "sub", prefix: "" } };
    return jwtTokens({
      product,
      issuer: { ...issuer, requiredClaims: {}, ...more },
      apiAudiences: [],
      now: () => NOW,
      fetchText,
    })
      .authenticateToken(token, []) as Promise<unknown>;
  };
  assert.ok(await ask({ jwks_uri: `${url}/keys` }));
  assert.ok(await ask({ jwks_uri: `${url}/keys` }, undefined, { discoveryUrl: "https://found.example/here" }));
  const places = [`${url}/.well-known/openid-configuration`, "https://found.example/here"];
  assert.deepEqual(asked, places.flatMap((place) => [place, `${url}/keys`]));
  const others = { algorithms: ["RS256", "ES384"] };
  await assert.rejects(ask({ jwks_uri: `${url}/keys` }, undefined, others), /no good/, "by another algorithm");
  await assert.rejects(ask({ jwks_uri: `${url}/keys`, issuer: "https://else.example" }), /is of issuer/);
  await assert.rejects(ask({ jwks_uri: "http://id.example/keys" }), /no https jwks_uri/);
  await assert.rejects(ask({}), /no https jwks_uri/);
  for (const set of [null, {}, { keys: {} }, { keys: [null] }]) {
    await assert.rejects(ask({ jwks_uri: `${url}/keys` }, set), /no set of keys/, JSON.stringify(set));
  }
});

Deno.test("a uid that is null is none, audiences that are no strings are no good", async () => {
  const url = "https://id.example", { publicPem, privateKey } = keyPair();
  const keys = [createPublicKey(publicPem).export({ format: "jwk" })];
  const fetchText = (from: string) =>
    Promise.resolve(JSON.stringify(from.endsWith("/keys") ? { keys } : { issuer: url, jwks_uri: `${url}/keys` }));
  const issuer: JwtIssuer = {
    url,
    audiences: ["me"],
    algorithms: ["ES256"],
    username: { claim: "sub", prefix: "" },
    uidClaim: "id",
    requiredClaims: {},
  };
  const tokens = jwtTokens({ product, issuer, apiAudiences: [], now: () => NOW, fetchText });
  const ask = async (more: Record<string, unknown>) => {
    const claims = { iss: url, aud: ["you", "me"], sub: "ann", id: "7", exp: seconds + 600, ...more };
    return (await tokens.authenticateToken(await sign(claims, privateKey), []))?.user.uid;
  };
  assert.deepEqual([await ask({}), await ask({ id: null })], ["7", undefined]);
  for (const odd of [{ id: undefined }, { id: 7 }, { aud: ["me", 5] }, { aud: ["me", null] }]) {
    await assert.rejects(ask(odd), TokenError);
  }
});

Deno.test("keys are not asked for again for a token that names one of them, or is no good for another reason", async () => {
  const url = "https://id.example", { publicPem, privateKey } = keyPair();
  let fetched = 0, now = NOW;
  const keys = [{ ...createPublicKey(publicPem).export({ format: "jwk" }), kid: "1" }];
  const tokens = jwtTokens({
    product,
    issuer: {
      url,
      audiences: ["me"],
      algorithms: ["ES256"],
      username: { claim: "sub", prefix: "" },
      requiredClaims: {},
    },
    apiAudiences: [],
    now: () => now,
    fetchText: (from) => {
      fetched++;
      return Promise.resolve(
        JSON.stringify(from.endsWith("/keys") ? { keys } : { issuer: url, jwks_uri: `${url}/keys` }),
      );
    },
  });
  const ask = async (more: Record<string, unknown>, kid?: string) => {
    now += 11_000;
    const token = await sign({ iss: url, aud: "me", sub: "ann", exp: seconds + 600, ...more }, privateKey, kid);
    return (await tokens.authenticateToken(token, []))?.user.name;
  };
  for (const kid of ["1", undefined, "1"]) assert.equal(await ask({}, kid), "ann");
  await assert.rejects(ask({ aud: "you" }, "1"), /no good/);
  await assert.rejects(ask({ exp: seconds - 60 }, "1"), /expired|no good/);
  assert.equal(fetched, 2);
  await assert.rejects(ask({}, "2"), /no good/);
  assert.equal(fetched, 4, "but for one that names another");
});

Deno.test("an issuer that was slow to fail makes nobody wait again at once", async () => {
  const url = "https://id.example", { privateKey } = keyPair();
  let fetched = 0, now = NOW;
  const issuer = { url, audiences: ["me"], algorithms: ["ES256"], username: { claim: "sub", prefix: "" } };
  const fetchText = () => {
    fetched++;
    now += 10_000;
    return Promise.reject(new Error("no answer"));
  };
  const tokens = jwtTokens({
    product,
    issuer: { ...issuer, requiredClaims: {} },
    apiAudiences: [],
    now: () => now,
    fetchText,
  });
  const token = await sign({ iss: url, aud: "me", sub: "ann", exp: seconds + 600 }, privateKey);
  const ask = async () => await tokens.authenticateToken(token, []);
  await assert.rejects(ask, /no answer/);
  await assert.rejects(ask, /not known yet/);
  assert.equal(fetched, 1);
  now += 10_000;
  await assert.rejects(ask, /no answer/);
});

Deno.test("an issuer that names itself without a scheme is known by both names, and no other is", async () => {
  const { publicPem, privateKey } = keyPair();
  const ask = async (url: string, iss: string) => {
    const keys = [createPublicKey(publicPem).export({ format: "jwk" })];
    const issuer = { url, audiences: ["me"], algorithms: ["ES256"], username: { claim: "sub", prefix: "" } };
    const fetchText = (from: string) =>
      Promise.resolve(JSON.stringify(from.endsWith("/keys") ? { keys } : { issuer: url, jwks_uri: `${url}/keys` }));
    const tokens = jwtTokens({
      product,
      issuer: { ...issuer, requiredClaims: {} },
      apiAudiences: [],
      now: () => NOW,
      fetchText,
    });
    const token = await sign({ iss, aud: "me", sub: "ann", exp: seconds + 600 }, privateKey);
    return (await tokens.authenticateToken(token, []))?.user.name;
  };
  const google = "https://accounts.google.com";
  assert.equal(await ask(google, google), "ann");
  assert.equal(await ask(google, "accounts.google.com"), "ann");
  assert.equal(await ask("https://id.example", "id.example"), undefined);
  assert.equal(await ask("https://id.example", "accounts.google.com"), undefined);
});

Deno.test("keys that an issuer changes without naming them are asked for again", async () => {
  const first = keyPair(), second = keyPair(), third = keyPair();
  let served = [first], now = NOW, down = false;
  const issuer: JwtIssuer = {
    url: "https://id.example",
    audiences: ["me"],
    algorithms: ["ES256"],
    username: { claim: "sub", prefix: "" },
    requiredClaims: {},
  };
  const fetchText = (url: string) => {
    if (down) return Promise.reject(new Error("down"));
    const keys = served.map((p) => createPublicKey(p.publicPem).export({ format: "jwk" }));
    const document = { issuer: issuer.url, jwks_uri: "https://id.example/keys" };
    return Promise.resolve(JSON.stringify(url.endsWith("/keys") ? { keys } : document));
  };
  const tokens = jwtTokens({ product, issuer, apiAudiences: ["api"], now: () => now, fetchText });
  const ask = async (by: typeof first, exp = seconds + 600) => {
    const token = await sign({ iss: issuer.url, aud: "me", sub: "ann", exp }, by.privateKey);
    return (await tokens.authenticateToken(token, ["api"]))?.user.name;
  };
  assert.equal(await ask(first), "ann");
  served = [second];
  await assert.rejects(ask(second), /no good/, "not at once");
  now += 11_000;
  down = true;
  await assert.rejects(ask(second));
  assert.equal(await ask(first), "ann", "keys stay while there are no newer ones");
  down = false;
  now += 11_000;
  assert.equal(await ask(second), "ann");
  served = [first, second];
  now += 11_000;
  assert.equal(await ask(first), "ann", "of several without a name each is tried");
  assert.equal(await ask(second), "ann");
  await assert.rejects(ask(first, now / 1000 - 1), /no good|expired/, "but none that has expired");
  served = [second, third];
  now += 11_000;
  assert.equal(await ask(third), "ann", "also when there were several");
});

Deno.test("a token webhook's answer is of the types that a review has, or none", async () => {
  const odd = [
    "yes",
    { authenticated: "false", user: { username: "ann" } },
    { authenticated: 1, user: { username: "ann" } },
    { authenticated: true, user: { username: 7 } },
    { authenticated: true, user: { username: "ann", groups: "system:masters" } },
    { authenticated: true, user: { username: "ann", extra: { a: "b" } } },
    { authenticated: true, user: { username: "ann" }, audiences: "api" },
  ];
  for (const answer of [null, [], "yes", 1, ...odd.map((status) => ({ status }))]) {
    const tokens = webhookTokens({
      product,
      version: "v1",
      cacheTtl: 100,
      apiAudiences: ["api"],
      now: () => 0,
      post: () => Promise.resolve({ status: 200, body: JSON.stringify(answer) }),
    });
    await assert.rejects(async () => await tokens.authenticateToken("t", ["api"]), /the webhook's answer/);
  }
});

Deno.test("a token webhook speaks for the audiences that it names, or for the server's own", async () => {
  const ask = async (status: Record<string, unknown>, wanted: string[]) => {
    const sent: { spec: object }[] = [];
    const tokens = webhookTokens({
      product,
      version: "v1",
      cacheTtl: 0,
      apiAudiences: ["api"],
      now: () => 0,
      post: (body) => {
        sent.push(JSON.parse(body));
        return Promise.resolve({ status: 200, body: JSON.stringify({ status }) });
      },
    });
    const answer = await tokens.authenticateToken("t", wanted);
    return [answer && [answer.user.name, answer.audiences], sent[0]!.spec];
  };
  const yes = { authenticated: true, user: { username: "ann" } };
  const rows: [audiences: string[] | undefined, wanted: string[], answer: unknown][] = [
    [undefined, ["api"], ["ann", ["api"]]],
    [undefined, ["else"], undefined],
    [[], ["api", "else"], ["ann", ["api"]]],
    [["vault"], ["vault", "api"], ["ann", ["vault"]]],
    [["vault"], ["api"], undefined],
    [["vault"], [], ["ann", undefined]],
  ];
  for (const [audiences, wanted, answer] of rows) {
    const spec = { token: "t", ...(wanted.length > 0 ? { audiences: wanted } : {}) };
    assert.deepEqual(await ask({ ...yes, ...(audiences ? { audiences } : {}) }, wanted), [answer, spec]);
    const no = ask({ error: "expired", ...(audiences ? { audiences } : {}) }, wanted);
    // Whose token it is not for hears nothing else of it.
    if (answer === undefined) assert.deepEqual(await no, [undefined, spec]);
    else await assert.rejects(no, /^TokenError: expired$/);
  }
  assert.deepEqual((await ask({ authenticated: false, user: { username: "ann" } }, []))[0], undefined);
  await assert.rejects(ask({ authenticated: false, error: "no" }, []), /^TokenError: no$/);
});

Deno.test("a webhook is asked again while it may be better, and no more often than is said", async () => {
  const calls = async (...answers: (number | Error)[]) => {
    let asked = 0;
    const told: string[] = [];
    const post = () => {
      const answer = answers[Math.min(asked++, answers.length - 1)]!;
      if (answer instanceof Error) throw answer;
      const body = answer === 403 ? '{"kind":"Status","message":"not you"}' : "{}";
      return Promise.resolve({ status: answer, body });
    };
    const retry = { attempts: 3, firstWait: 0, factor: 1, timeout: 60_000 };
    const watch = { now: () => 0, ended: (result: string) => void told.push(result) };
    const review = { apiVersion: "a/v1", kind: "TokenReview", spec: {} } as const;
    const end = await callWebhook(post, review, retry, undefined, watch).then(() => "ok", (e) => (e as Error).message);
    return [end, told.join()];
  };
  const three = "error,error,error";
  assert.deepEqual(await calls(200), ["ok", "success"]);
  assert.deepEqual(await calls(500, 429, 206), ["ok", "error,error,success"]);
  for (const status of [429, 500, 502, 504]) {
    assert.deepEqual(await calls(status), [`the webhook answered ${status}`, three]);
  }
  const reset = Object.assign(new Error("reset"), { code: "ECONNRESET" });
  assert.deepEqual(await calls(reset), ["reset", three]);
  const refused = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
  assert.deepEqual(await calls(refused, 200), ["refused", "error"], "nobody is there");
  for (const status of [199, 207, 300, 400, 428, 499, 503]) {
    assert.deepEqual(await calls(status, 200), [`the webhook answered ${status}`, "error"]);
  }
  assert.deepEqual(await calls(403), ["not you", "error"]);
});

Deno.test("a token webhook, its answers kept", async () => {
  const sent: unknown[] = [];
  let now = 0, fails = 0;
  const tokens = webhookTokens({
    product,
    version: "v1",
    cacheTtl: 100,
    apiAudiences: ["api"],
    now: () => now,
    retry: { attempts: 3, firstWait: 0, factor: 1, timeout: 1000 },
    post: async (body) => {
      await Promise.resolve();
      if (fails-- > 0) return { status: 500, body: "" };
      const review = JSON.parse(body);
      sent.push(review);
      if (review.spec.token === "nulls") {
        const user = { username: "bob", uid: null, groups: null, extra: null };
        return { status: 200, body: JSON.stringify({ status: { authenticated: true, audiences: null, user } }) };
      }
      const authenticated = review.spec.token === "good";
      const user = { username: "ann", uid: "1", groups: ["g"], extra: { a: ["b"] } };
      return { status: 200, body: JSON.stringify({ status: { authenticated, ...(authenticated ? { user } : {}) } }) };
    },
  });
  fails = 2;
  assert.deepEqual(await tokens.authenticateToken("good", ["api"]), {
    user: { name: "ann", uid: "1", groups: ["g"], extra: { a: ["b"] } },
    audiences: ["api"],
  });
  await tokens.authenticateToken("good", ["api"]);
  assert.equal(await tokens.authenticateToken("bad", ["api"]), undefined);
  await tokens.authenticateToken("bad", ["api"]);
  assert.deepEqual(sent, [
    { apiVersion: "authentication.orch.io/v1", kind: "TokenReview", spec: { token: "good", audiences: ["api"] } },
    { apiVersion: "authentication.orch.io/v1", kind: "TokenReview", spec: { token: "bad", audiences: ["api"] } },
  ]);
  now = 101;
  fails = 3;
  await assert.rejects(async () => await tokens.authenticateToken("good", ["api"]), /answered 500/);
  assert.deepEqual((await tokens.authenticateToken("nulls", ["api"]))?.user, { name: "bob", groups: [] });
  const again = await tokens.authenticateToken("good", ["api"]);
  assert.equal(again?.user.name, "ann", "that it could not be asked is not kept");
});
