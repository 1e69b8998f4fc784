import assert from "node:assert/strict";
import { productOf } from "../../schema/product.ts";
import { parseAuthenticationConfig } from "../../server/authentication/authentication_config.ts";
import { impersonate } from "../../server/authentication/impersonation.ts";
import type { Authorizer } from "../../server/authorization/types.ts";

const product = productOf("kubernetes");
const me = { name: "me", groups: [] };

/** Allows what the texts name, and remembers what was asked. */
function allowing(...texts: string[]): Authorizer & { asked: string[] } {
  const asked: string[] = [];
  return {
    name: "x",
    asked,
    authorize: (a) => {
      const text = `${a.verb} ${a.group}/${a.resource}${
        a.subresource ? `/${a.subresource}` : ""
      } ${a.namespace}:${a.name}`;
      asked.push(text);
      return { decision: texts.length === 0 || texts.includes(text) ? "allow" : "no-opinion", reason: "" };
    },
  };
}

const act = (headers: HeadersInit, a: Authorizer = allowing()) => impersonate(new Headers(headers), me, a, product);

Deno.test("acting as a user", async () => {
  assert.equal(await act({}), undefined);
  assert.deepEqual(await act({ "Impersonate-User": "ann" }), {
    name: "ann",
    groups: ["system:authenticated"],
    extra: {},
  });
  assert.deepEqual(await act({ "Impersonate-User": "system:anonymous" }), {
    name: "system:anonymous",
    groups: ["system:unauthenticated"],
    extra: {},
  });
  assert.deepEqual((await act({ "Impersonate-User": "system:serviceaccount:a:b" }))?.groups, [
    "system:serviceaccounts",
    "system:serviceaccounts:a",
    "system:authenticated",
  ]);
});

Deno.test("each part is to be allowed", async () => {
  const headers = new Headers({ "Impersonate-User": "ann", "Impersonate-Uid": "7", "Impersonate-Extra-Scopes": "x" });
  headers.append("Impersonate-Group", "a");
  headers.append("Impersonate-Group", "b");
  const all = allowing();
  assert.deepEqual(await act(headers, all), {
    name: "ann",
    uid: "7",
    groups: ["a", "b", "system:authenticated"],
    extra: { scopes: ["x"] },
  });
  assert.deepEqual(all.asked, [
    "impersonate /users :ann",
    "impersonate /groups :a",
    "impersonate /groups :b",
    "impersonate authentication.k8s.io/userextras/scopes :x",
    "impersonate authentication.k8s.io/uids :7",
  ]);
  for (let i = 0; i < all.asked.length; i++) {
    const some = all.asked.filter((_, j) => j !== i);
    await assert.rejects(act(headers, allowing(...some)), { code: 403 }, all.asked[i]);
  }
  await assert.rejects(act({ "Impersonate-Group": "a" }), { code: 400 });
});

const HEAD = "apiVersion: apiserver.config.k8s.io/v1beta1\nkind: AuthenticationConfiguration\n";

Deno.test("the authentication configuration", () => {
  const config = parseAuthenticationConfig(
    HEAD + `
jwt:
- issuer: {url: https://id.example, audiences: [a, b], audienceMatchPolicy: MatchAny, certificateAuthority: PEM}
  claimValidationRules: [{claim: hd, requiredValue: example}]
  claimMappings:
    username: {claim: sub, prefix: ""}
    groups: {claim: g, prefix: "g:"}
    uid: {claim: u}
anonymous: {enabled: true, conditions: [{path: /livez}]}
`,
    "apiserver.config.k8s.io",
  );
  assert.deepEqual(config.anonymous, { enabled: true, paths: ["/livez"] });
  const { algorithms: _, ...issuer } = config.issuers[0]!;
  assert.deepEqual(issuer, {
    url: "https://id.example",
    audiences: ["a", "b"],
    username: { claim: "sub", prefix: "" },
    groups: { claim: "g", prefix: "g:" },
    uidClaim: "u",
    requiredClaims: { hd: "example" },
    ca: "PEM",
  });
});

Deno.test("faults of the authentication configuration are told together", () => {
  const read = (text: string) => () => parseAuthenticationConfig(text, "apiserver.config.k8s.io", ["https://own"]);
  assert.throws(read("kind: Other"), /should be an AuthenticationConfiguration/);
  const text = HEAD + `
jwt:
- issuer: {url: http://x, audiences: []}
  claimMappings: {username: {expression: claims.sub}}
  userValidationRules: [{expression: "true"}]
- issuer: {url: https://own, audiences: [a], wrong: 1}
  claimMappings: {username: {claim: sub}}
`;
  try {
    read(text)();
    assert.fail("should throw");
  } catch (e) {
    const { message } = e as Error;
    for (
      const part of [
        "jwt[0].issuer.url",
        "jwt[0].issuer.audiences",
        "jwt[0].claimMappings.username.expression: CEL expressions are not supported",
        "jwt[0].userValidationRules: CEL",
        "jwt[1].issuer.wrong: unknown field",
        "jwt[1].claimMappings.username.prefix: is required",
        "jwt[1].issuer.url: https://own is the issuer of service accounts",
      ]
    ) assert.ok(message.includes(part), `${part} in ${message}`);
  }
});
