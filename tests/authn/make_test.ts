import assert from "node:assert/strict";
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

Deno.test("an issuer says by whose way it is reached, behind its gate", () => {
  const config = (egressSelectorType: string) =>
    JSON.stringify({
      apiVersion: "apiserver.config.orch.io/v1",
      kind: "AuthenticationConfiguration",
      jwt: [{
        issuer: { url: "https://i.example", audiences: ["a"], egressSelectorType },
        claimMappings: { username: { claim: "sub", prefix: "" } },
      }],
    });
  const asked: unknown[] = [];
  const fetchText: AuthenticationParts["fetchText"] = (_ca, network) => {
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
});

Deno.test("another authentication configuration is taken into use, but for anonymous requests and when it is wrong", async () => {
  const config = (issuer: string, enabled = false) =>
    JSON.stringify({
      apiVersion: "apiserver.config.orch.io/v1",
      kind: "AuthenticationConfiguration",
      anonymous: { enabled },
      jwt: [{
        issuer: { url: `https://${issuer}.example`, audiences: ["a"] },
        claimMappings: { username: { claim: "sub", prefix: "" } },
      }],
    });
  const asked: string[] = [], told: (string | undefined)[] = [];
  const fetchText = () => (url: string) => {
    asked.push(new URL(url).hostname);
    return Promise.reject(new Error("offline"));
  };
  let text = config("one");
  const issuers = new IssuerMetrics("here", () => 0, true);
  const { tokens } = makeAuthentication(
    options(),
    parts({
      fetchText,
      issuers,
      authenticationConfig: { text: () => text, told: (_text, error) => told.push(error?.message) },
    }),
  );
  const part = (value: unknown) =>
    new TextEncoder().encode(JSON.stringify(value)).toBase64({ alphabet: "base64url", omitPadding: true });
  let id = 0;
  const asks = async (next: string, issuer: string) => {
    text = next;
    const claims = { iss: `https://${issuer}.example`, aud: "a", sub: "ann", jti: id++ };
    await Promise.resolve(tokens!.authenticateToken(`${part({ alg: "RS256" })}.${part(claims)}.c2ln`, [])).catch(
      () => {},
    );
    return asked.splice(0);
  };
  assert.deepEqual(await asks(text, "one"), ["one.example"]);
  assert.deepEqual(await asks(config("two"), "one"), []);
  assert.deepEqual(await asks(text, "two"), ["two.example"]);
  assert.deepEqual(await asks(config("three", true), "three"), []);
  assert.deepEqual(await asks("nothing", "three"), []);
  assert.deepEqual(await asks(config("three"), "three"), ["three.example"]);
  assert.deepEqual([told.length, told[0], told[3]], [4, undefined, undefined]);
  // Of those that are gone nothing is told any more.
  const times = issuers.rows()[1]!.samples("times").map(({ labels }) => labels!["jwt_issuer_hash"]);
  assert.deepEqual(times, [hashed("https://three.example")]);
  assert.match(told[1]!, /^--authentication-config: anonymous: changed/);
  assert.match(told[2]!, /^--authentication-config: /);
});
