/** Groups of an ID token that stand elsewhere. */
import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { productOf } from "../../schema/product.ts";
import { jwtTokens } from "../../server/authentication/jwt.ts";
import { keyPair, NOW, sign } from "./fixture.ts";

const ID = "https://id.example", GROUPS = "https://groups.example", ENDPOINT = `${GROUPS}/of/ann`;
const exp = NOW / 1000 + 60;
const own = keyPair(), others = keyPair();

/** A world with two issuers and an endpoint that gives `groups`; what it was asked. */
function world(answer: () => Promise<string>, parts: Record<string, unknown> = {}) {
  const asked: (readonly [string, string?])[] = [];
  const tokens = jwtTokens({
    product: productOf("kubernetes"),
    issuer: {
      url: ID,
      audiences: ["me", "you"],
      algorithms: ["ES256"],
      username: { claim: "sub", prefix: "" },
      groups: { claim: "groups", prefix: "g:" },
      requiredClaims: {},
      ...parts,
    },
    apiAudiences: ["api"],
    now: () => NOW,
    fetchText: async (url, _signal, bearer) => {
      const { origin, pathname } = new URL(url);
      if (pathname.startsWith("/.well-known/")) return JSON.stringify({ issuer: origin, jwks_uri: `${origin}/keys` });
      if (pathname === "/keys") {
        const { publicPem } = origin === ID ? own : others;
        return JSON.stringify({ keys: [createPublicKey(publicPem).export({ format: "jwk" })] });
      }
      asked.push(bearer === undefined ? [url] : [url, bearer]);
      return await answer();
    },
  });
  const groups = async (claims: Record<string, unknown>) => {
    const token = await sign({ iss: ID, aud: "me", sub: "ann", exp, ...claims }, own.privateKey);
    return (await tokens.authenticateToken(token, ["api"]))?.user.groups;
  };
  return { groups, asked };
}

const elsewhere = (source: Record<string, unknown> = {}) => ({
  _claim_names: { groups: "src" },
  _claim_sources: { src: { endpoint: ENDPOINT, ...source } },
});
const signed = (claims: Record<string, unknown> = {}, by = others) => () =>
  sign({ iss: GROUPS, aud: "you", exp, groups: ["a", "b"], ...claims }, by.privateKey);

Deno.test("groups that stand elsewhere are fetched, for the bearer of the token that is told", async () => {
  const { groups, asked } = world(signed());
  assert.deepEqual(await groups(elsewhere()), ["g:a", "g:b"]);
  assert.deepEqual(await groups(elsewhere({ access_token: "t" })), ["g:a", "g:b"]);
  for (const none of ["", 5]) assert.deepEqual(await groups(elsewhere({ access_token: none })), ["g:a", "g:b"]);
  assert.deepEqual(asked, [[ENDPOINT], [ENDPOINT, "t"], [ENDPOINT], [ENDPOINT]]);
});

Deno.test("nothing is fetched of a token that has the claim, names no place of it, or is not verified", async () => {
  const { groups, asked } = world(signed());
  assert.deepEqual(await groups({ ...elsewhere(), groups: ["own"] }), ["g:own"]);
  assert.deepEqual(
    await groups({ _claim_names: { roles: "src" }, _claim_sources: { src: { endpoint: ENDPOINT } } }),
    [],
  );
  assert.deepEqual(await groups({ _claim_sources: { src: { endpoint: ENDPOINT } } }), []);
  assert.deepEqual(await groups(elsewhere({ endpoint: undefined, JWT: "x.y.z" })), [], "an aggregated claim");
  assert.deepEqual(await groups(elsewhere({ endpoint: "" })), []);
  await assert.rejects(groups({ ...elsewhere(), exp: exp - 3600 }));
  await assert.rejects(groups({ ...elsewhere(), aud: "else" }));
  const byExpression = world(signed(), { groups: undefined });
  assert.deepEqual(await byExpression.groups(elsewhere()), []);
  assert.deepEqual([...asked, ...byExpression.asked], []);
});

Deno.test("a token whose groups cannot be had is none", async () => {
  for (
    const [answer, says] of [
      [() => Promise.reject(new Error("answered 404")), /could not be fetched/],
      [() => Promise.resolve("nothing"), /no token of an issuer/],
      [signed({ iss: "http://groups.example" }), /no token of an issuer/],
      [signed({ aud: "else" }), /no good/],
      [signed({ exp: exp - 3600 }), /no good|expired/],
      [signed({}, own), /no good/],
      [signed({ groups: undefined }), /does not have the claim/],
      [signed({ groups: [5] }), /list of strings/],
    ] as const
  ) await assert.rejects(world(answer).groups(elsewhere()), says);
  const { groups, asked } = world(signed());
  for (
    const [claims, says] of [
      [{ _claim_names: { groups: "src" } }, /no claim sources/],
      [{ _claim_names: ["groups"] }, /should be an object/],
      [{ _claim_names: null }, /should be an object/],
      [{ _claim_names: "groups" }, /should be an object/],
      [
        { ...elsewhere(), _claim_names: { groups: 5 }, _claim_sources: { 5: { endpoint: ENDPOINT } } },
        /none of the name 5/,
      ],
      [elsewhere({ endpoint: 5 }), /no https URL/],
      [{ ...elsewhere(), _claim_names: { groups: "toString" } }, /have none of the name/],
      [elsewhere({ endpoint: "http://groups.example" }), /no https URL/],
      [elsewhere({ endpoint: "file:///etc/passwd" }), /no https URL/],
    ] as const
  ) await assert.rejects(groups(claims), says);
  assert.deepEqual(asked, []);
});
