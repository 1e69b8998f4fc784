import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { productOf } from "../../schema/product.ts";
import { CaBundle } from "../../server/authentication/ca_bundle.ts";
import { type AuthenticationParts, makeAuthentication } from "../../server/authentication/make.ts";
import { fromPem, generateKey, issueAuthority, issueLeaf } from "../../pki/mod.ts";
import { IssuerMetrics } from "../../server/metrics/issuers.ts";
import { hashed } from "../../server/metrics/reloads.ts";
import { type Options, parseOptions } from "../../server/options/mod.ts";
import { connection, keyPair, NOW, request, sign } from "./fixture.ts";

function options(...argv: string[]): Options {
  const parsed = parseOptions(["--authorization-mode=RBAC", ...argv]);
  assert.equal(parsed.kind, "run", JSON.stringify(parsed));
  return (parsed as { options: Options }).options;
}

const authority = (name: string) => {
  const key = generateKey();
  return { cert: issueAuthority(name, key, NOW), key };
};
const parts = (more: Partial<AuthenticationParts> = {}): AuthenticationParts => ({
  product: productOf("orch"),
  now: () => NOW,
  gate: () => true,
  serviceAccountKeys: [],
  fetchText: () => () => Promise.reject(new Error("offline")),
  objects: { get: () => undefined },
  bootstrapSecret: () => undefined,
  ...more,
});

Deno.test("the options' methods in the public order, with authorities that are reloaded", async () => {
  const ours = authority("ours"), key = keyPair();
  let text = ours.cert;
  const clientCa = new CaBundle(() => text);
  assert.throws(() => new CaBundle(() => "nothing"));
  const made = makeAuthentication(
    options("--service-account-issuer=https://i"),
    parts({
      clientCa,
      tokenFile: "t,bob,1\n",
      serviceAccountKeys: [key.publicPem],
      objects: { get: () => ({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "b", uid: "u" } }) },
    }),
  );
  assert.deepEqual(made.apiAudiences, ["https://i"]);
  const pem = issueLeaf(ours, { subject: { commonName: "ann" }, key: generateKey(), usage: "client" }, NOW);
  const peer = connection(fromPem("CERTIFICATE", pem)[0]!);
  const name = async (headers: Record<string, string>, from = connection()) => {
    try {
      return (await made.authenticate(request(headers), from, "/")).name;
    } catch (e) {
      return String((e as { code: number }).code);
    }
  };
  const token = await sign({
    iss: "https://i",
    sub: "system:serviceaccount:a:b",
    aud: "https://i",
    exp: NOW / 1000 + 60,
    "orch.io": { namespace: "a", serviceaccount: { name: "b", uid: "u" } },
  }, key.privateKey);
  assert.equal(await name({}), "system:anonymous");
  assert.equal(await name({ authorization: "Bearer t" }), "bob");
  assert.equal(await name({ authorization: "Bearer t" }, peer), "ann", "the certificate comes first");
  assert.equal(await name({ authorization: `Bearer ${token}` }), "system:serviceaccount:a:b");
  assert.equal(await name({ authorization: "Bearer x" }), "401");
  text = "nothing";
  assert.equal(await name({}, peer), "ann", "a bad text changes nothing");
  text = authority("other").cert;
  assert.equal(await name({}, peer), "401");
});

Deno.test("without any method everybody is anonymous, or nobody", async () => {
  const open = makeAuthentication(options(), parts());
  assert.equal(
    (await open.authenticate(request({ authorization: "Bearer x" }), connection(), "/")).name,
    "system:anonymous",
  );
  assert.equal(open.tokens, undefined);
  const shut = makeAuthentication(options("--anonymous-auth=false"), parts());
  await assert.rejects(async () => await shut.authenticate(request(), connection(), "/"), { code: 401 });
});

Deno.test("an issuer says by whose way it is reached, behind its gate, and who vouches for it", () => {
  const certificateAuthority = authority("issuers").cert;
  const config = (egressSelectorType: string) =>
    JSON.stringify({
      apiVersion: "apiserver.config.orch.io/v1",
      kind: "AuthenticationConfiguration",
      jwt: [{
        issuer: { url: "https://i.example", audiences: ["a"], egressSelectorType, certificateAuthority },
        claimMappings: { username: { claim: "sub", prefix: "" } },
      }],
    });
  const asked: unknown[] = [];
  const fetchText: AuthenticationParts["fetchText"] = (ca, network) => {
    assert.equal(ca, certificateAuthority);
    asked.push(network);
    return () => Promise.reject(new Error("offline"));
  };
  const make = (type: string, gate = true) =>
    makeAuthentication(
      options(),
      parts({ fetchText, authenticationConfig: { text: () => config(type) }, gate: () => gate }),
    );
  for (const type of ["", "cluster", "controlplane"]) make(type);
  assert.deepEqual(asked, [undefined, "cluster", "controlplane"]);
  assert.throws(() => make("etcd"), /jwt\[0\]\.issuer\.egressSelectorType: should be controlplane or cluster/);
  assert.throws(() => make("cluster", false), /StructuredAuthenticationConfigurationEgressSelector/);
  make("", false);
});

Deno.test("what the authentication configuration says is not said by options, too", () => {
  const make = (text: string, ...argv: string[]) =>
    makeAuthentication(options(...argv), parts({ authenticationConfig: { text: () => text } }));
  const anonymous = '{"apiVersion":"apiserver.config.orch.io/v1","kind":"AuthenticationConfiguration","anonymous":{}}';
  const nothing = '{"apiVersion":"apiserver.config.orch.io/v1","kind":"AuthenticationConfiguration"}';
  assert.throws(() => make(anonymous, "--anonymous-auth=false"), /--anonymous-auth: cannot go with/);
  make(nothing, "--anonymous-auth=false");
  make(anonymous);
  const oidc = ["--oidc-issuer-url=https://i.example", "--oidc-client-id=me"];
  assert.throws(() => make(configOf(["one"]), ...oidc), /--oidc-[a-z-]+: cannot go with/);
  make(anonymous, ...oidc);
  const own = "--service-account-issuer=https://one.example";
  assert.throws(() => make(configOf(["one"]), own), /https:\/\/one\.example is the issuer of service accounts/);
});

Deno.test("issuers are asked for their keys before the first token comes", () => {
  const asked: string[] = [];
  const fetchText = () => (url: string) => {
    asked.push(url);
    return Promise.reject(new Error("offline"));
  };
  makeAuthentication(options(), parts({ fetchText, authenticationConfig: { text: () => configOf(["one", "two"]) } }));
  makeAuthentication(options("--oidc-issuer-url=https://three.example", "--oidc-client-id=me"), parts({ fetchText }));
  const document = (name: string) => `https://${name}.example/.well-known/openid-configuration`;
  assert.deepEqual(asked, ["one", "two", "three"].map(document));
});

const configOf = (issuers: readonly string[], enabled = false) =>
  JSON.stringify({
    apiVersion: "apiserver.config.orch.io/v1",
    kind: "AuthenticationConfiguration",
    anonymous: { enabled },
    jwt: issuers.map((name) => ({
      issuer: { url: `https://${name}.example`, audiences: ["a"] },
      claimMappings: { username: { claim: "sub", prefix: `${name}:` } },
    })),
  });

/** Issuers with one key, and who a token is of by a configuration that others may take the place of. */
function issuers() {
  const { privateKey, publicPem } = keyPair(), jwks = { keys: [createPublicKey(publicPem).export({ format: "jwk" })] };
  const state = { now: NOW, text: configOf(["one"]), away: new Set<string>(), told: [] as (string | undefined)[] };
  /** Resolves when an issuer may answer. */
  const gates = new Map<string, Promise<void>>();
  const fetchText = () => async (url: string) => {
    const { hostname, origin } = new URL(url);
    await gates.get(hostname);
    if (state.away.has(hostname)) throw new Error("offline");
    return JSON.stringify(url.endsWith("/keys") ? jwks : { issuer: origin, jwks_uri: `${origin}/keys` });
  };
  const tally = new IssuerMetrics("here", () => 0, true);
  let look = () => {};
  const { tokens } = makeAuthentication(
    options(),
    parts({
      fetchText,
      issuers: tally,
      now: () => state.now,
      authenticationConfig: {
        text: () => state.text,
        told: (_text, error) => state.told.push(error?.message),
        looks: (given) => look = given,
      },
    }),
  );
  let id = 0;
  const who = async (issuer: string): Promise<string | undefined> => {
    const claims = {
      iss: `https://${issuer}.example`,
      aud: "a",
      sub: "ann",
      jti: String(id++),
      exp: NOW / 1000 + 9999,
    };
    const token = await sign(claims, privateKey);
    try {
      return (await tokens!.authenticateToken(token, []))?.user.name;
    } catch {
      return undefined;
    }
  };
  /** Of whom it is told when their keys came. */
  const told = () => [...new Set(tally.rows()[1]!.samples("times").map(({ labels }) => labels!["jwt_issuer_hash"]))];
  return { state, gates, who, told, look: () => look() };
}

Deno.test("another authentication configuration is taken into use, but for anonymous requests and when it is wrong", async () => {
  const { state, who, told } = issuers();
  assert.equal(await who("one"), "one:ann");
  state.text = configOf(["two"]);
  assert.equal(await who("two"), "two:ann", "the first token of a new issuer, too");
  assert.equal(await who("one"), undefined);
  state.text = configOf(["three"], true);
  assert.equal(await who("three"), undefined);
  state.text = "nothing";
  assert.equal(await who("two"), "two:ann");
  state.text = configOf(["three"]);
  assert.equal(await who("three"), "three:ann");
  // Of those that are gone nothing is told any more.
  assert.deepEqual(told(), [hashed("https://three.example")]);
  assert.deepEqual([state.told.length, state.told[0], state.told[3]], [4, undefined, undefined]);
  assert.match(state.told[1]!, /^--authentication-config: anonymous: changed/);
  assert.match(state.told[2]!, /^--authentication-config: /);
});

Deno.test("another authentication configuration is in use before somebody comes", async () => {
  const { state, who, look } = issuers();
  assert.equal(await who("one"), "one:ann");
  state.text = configOf([]);
  look();
  await Promise.resolve();
  await Promise.resolve();
  assert.deepEqual(state.told, [undefined]);
  assert.equal(await who("one"), undefined, "not even once more");
});

Deno.test("another authentication configuration is in use when the keys of all its issuers are known", async () => {
  const { state, gates, who } = issuers();
  state.away.add("two.example");
  state.text = configOf(["two", "three"]);
  assert.equal(await who("two"), undefined);
  assert.equal(await who("three"), undefined);
  assert.equal(await who("one"), "one:ann", "those from before are known meanwhile");
  assert.deepEqual(state.told, ["--authentication-config: issuer https://two.example: offline"]);
  state.now += 10_000;
  assert.equal(await who("three"), undefined);
  assert.equal(state.told.length, 1, "told once");
  state.away.clear();
  assert.equal(await who("three"), undefined, "asked for again after a while");
  state.now += 10_000;
  assert.equal(await who("three"), "three:ann");
  assert.equal(await who("one"), undefined);
  assert.deepEqual(state.told.slice(1), [undefined]);

  // One that is replaced before it is ready never is; going back to what is in use changes nothing.
  const slow = Promise.withResolvers<void>();
  gates.set("four.example", slow.promise);
  state.text = configOf(["three", "four"]);
  const four = who("four");
  assert.equal(await who("three"), "three:ann", "who is known yet waits for nobody");
  assert.equal(await who("nobody"), undefined, "nor does who is not known by either");
  state.text = configOf(["two", "three"]);
  assert.equal(await who("three"), "three:ann");
  slow.resolve();
  assert.equal(await four, undefined);
  assert.equal(await who("three"), "three:ann");
  assert.equal(state.told.length, 2);
});
