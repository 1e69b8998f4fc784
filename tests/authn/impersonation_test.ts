import assert from "node:assert/strict";
import { productOf } from "../../schema/product.ts";
import { parseAuthenticationConfig } from "../../server/authentication/authentication_config.ts";
import { impersonate, LastWays } from "../../server/authentication/impersonation.ts";
import type { Authorizer } from "../../server/authorization/types.ts";
import { generateKey, issueAuthority } from "../../pki/mod.ts";
import { attributesOf } from "../authz/_attributes.ts";
import { startTestServer } from "../fixture/server.ts";

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
  });
  assert.deepEqual(await act({ "Impersonate-User": "system:anonymous" }), {
    name: "system:anonymous",
    groups: ["system:unauthenticated"],
  });
  assert.deepEqual((await act({ "Impersonate-User": "system:serviceaccount:a:b" }))?.groups, [
    "system:serviceaccounts",
    "system:serviceaccounts:a",
    "system:authenticated",
  ]);
});

Deno.test("who acts as somebody has the groups asked for, and each once", async () => {
  for (const group of ["system:authenticated", "system:unauthenticated"]) {
    assert.deepEqual((await act({ "Impersonate-User": "ann", "Impersonate-Group": group }))?.groups, [group]);
  }
  const anonymous = { "Impersonate-User": "system:anonymous", "Impersonate-Group": "system:unauthenticated" };
  assert.deepEqual((await act(anonymous))?.groups, ["system:unauthenticated"]);
});

Deno.test("who may not act as somebody is told why", async () => {
  const refusing = (answer: { reason: string; error?: string }): Authorizer => ({
    name: "x",
    authorize: () => ({ decision: "no-opinion", ...answer }),
  });
  const told = (answer: { reason: string; error?: string }) => act({ "Impersonate-User": "ann" }, refusing(answer));
  await assert.rejects(told({ reason: "no role" }), /at the cluster scope: no role$/);
  await assert.rejects(told({ reason: "no role", error: "broken" }), /at the cluster scope: broken: no role$/);
  await assert.rejects(told({ reason: "" }), /at the cluster scope$/);
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
    "impersonate authentication.k8s.io/uids :7",
    "impersonate /groups :a",
    "impersonate /groups :b",
    "impersonate authentication.k8s.io/userextras/scopes :x",
  ]);
  for (let i = 0; i < all.asked.length; i++) {
    const some = all.asked.filter((_, j) => j !== i);
    await assert.rejects(act(headers, allowing(...some)), { code: 403 }, all.asked[i]);
  }
  for (const alone of ["Group", "Uid", "Extra-Scopes"]) {
    await assert.rejects(act({ [`Impersonate-${alone}`]: "a" }), { code: 400 }, alone);
  }
  for (const empty of ["User", "Uid"]) assert.equal(await act({ [`Impersonate-${empty}`]: "" }), undefined, empty);
  const odd = allowing();
  const extra = (await act({ "Impersonate-User": "ann", "Impersonate-Extra-Constructor": "x" }, odd))?.extra;
  assert.deepEqual([extra, odd.asked.at(-1)], [
    { constructor: ["x"] },
    "impersonate authentication.k8s.io/userextras/constructor :x",
  ]);
  const empty = { "Impersonate-Group": "", "Impersonate-Extra-Scopes": "" }, bare = allowing();
  const { groups, extra: none } = (await act({ "Impersonate-User": "ann", ...empty }, bare))!;
  assert.deepEqual([groups, none], [["", "system:authenticated"], { scopes: [""] }]);
  assert.deepEqual(bare.asked.slice(1), [
    "impersonate /groups :",
    "impersonate authentication.k8s.io/userextras/scopes :",
  ]);
  for (const header of Object.keys(empty)) await assert.rejects(act({ [header]: "" }), { code: 400 });
});

Deno.test("constrained impersonation: verbs of its own for the request and for whom", async () => {
  const request = attributesOf(me, { verb: "list" });
  const bot = {
    name: "system:serviceaccount:a:bot",
    groups: [],
    extra: { "authentication.kubernetes.io/node-name": ["n1"] },
  };
  const as = (user: string, a: Authorizer, who: typeof me | typeof bot = me, group?: string) => {
    const headers = new Headers({ "Impersonate-User": user, ...(group ? { "Impersonate-Group": group } : {}) });
    return impersonate(headers, who, a, product, { request });
  };
  const users = ["impersonate-on:user-info:list /pods a:", "impersonate:user-info authentication.k8s.io/users :ann"];
  assert.ok(await as("ann", allowing(...users)));
  for (const only of users) await assert.rejects(as("ann", allowing(only)), { code: 403 });
  assert.ok(await as("ann", allowing("impersonate /users :ann")), "the plain verb still does");
  await assert.rejects(as("ann", allowing("nothing")), /cannot impersonate-on:user-info:list resource "pods"/);
  const masters = allowing(...users, "impersonate:user-info authentication.k8s.io/groups :system:masters");
  await assert.rejects(as("ann", masters, me, "system:masters"), /system:masters group is not allowed/);
  const withExtra = (key: string, value = "v") => {
    const extra = `impersonate:user-info authentication.k8s.io/userextras/${decodeURIComponent(key)} :${value}`;
    const group = "impersonate:user-info authentication.k8s.io/groups :";
    const headers = new Headers({ "Impersonate-User": "ann", [`Impersonate-Extra-${key}`]: value });
    return impersonate(headers, me, allowing(...users, extra, group), product, { request });
  };
  assert.deepEqual((await withExtra("example.org%2fscopes"))?.extra, { "example.org/scopes": ["v"] });
  await assert.rejects(withExtra("scopes"), /an invalid key in extra/);
  await assert.rejects(withExtra("example.org%2FScopes%41"), /an invalid key in extra/);
  await assert.rejects(withExtra("example.org%2fscopes", ""), /empty string value/);
  const nameless = allowing(...users, "impersonate:user-info authentication.k8s.io/groups :");
  const headers = new Headers({ "Impersonate-User": "ann", "Impersonate-Group": "" });
  await assert.rejects(impersonate(headers, me, nameless, product, { request }), /empty string group/);
  const group = (name: string) => `impersonate:user-info authentication.k8s.io/groups :${name}`;
  const inGroups = (a: Authorizer, ...names: string[]) => {
    const headers = new Headers(
      [["Impersonate-User", "ann"], ...names.map((n) => ["Impersonate-Group", n])] as [string, string][],
    );
    return impersonate(headers, me, a, product, { request });
  };
  const many = ["a", "b", "c", "d"], [first, ...few] = many;
  assert.deepEqual((await inGroups(allowing(...users, group("*")), ...many))?.groups, [
    ...many,
    "system:authenticated",
  ]);
  assert.ok(await inGroups(allowing(...users, ...many.map(group)), ...many));
  await assert.rejects(inGroups(allowing(...users, group("*")), ...few), { code: 403 }, "few are asked for one by one");
  await assert.rejects(inGroups(allowing(...users, group(first!)), ...many), { code: 403 });
  await assert.rejects(inGroups(allowing(...users, group("*")), ...many, "system:masters"), /system:masters group/);
  const manyExtras = new Headers({ "Impersonate-User": "ann" });
  for (const value of many) manyExtras.append("Impersonate-Extra-example.org%2fscopes", value);
  const everyExtra = allowing(...users, "impersonate:user-info authentication.k8s.io/userextras/* :*");
  assert.ok(await impersonate(manyExtras, me, everyExtra, product, { request }));
  const any = [
    "impersonate-on:arbitrary-node:list /pods a:",
    "impersonate:arbitrary-node authentication.k8s.io/nodes :n1",
  ];
  assert.deepEqual((await as("system:node:n1", allowing(...any)))?.groups, ["system:nodes", "system:authenticated"]);
  const own = [
    "impersonate-on:associated-node:list /pods a:",
    "impersonate:associated-node authentication.k8s.io/nodes :*",
  ];
  assert.ok(await as("system:node:n1", allowing(...own), bot));
  await assert.rejects(as("system:node:n2", allowing(...own), bot), { code: 403 });
  await assert.rejects(as("system:node:n1", allowing(...own), me), { code: 403 });
  const node = "authentication.kubernetes.io/node-name";
  for (const who of [{ ...bot, name: "bot" }, { ...bot, extra: { [node]: ["n1", "n2"] } }]) {
    await assert.rejects(as("system:node:n1", allowing(...own), who), { code: 403 }, "no account of one node");
  }
  const heard: string[] = [];
  const by = (verb: string) => void heard.push(verb);
  const asAnn = new Headers({ "Impersonate-User": "ann" });
  await impersonate(asAnn, me, allowing(...users), product, { request, by });
  await impersonate(asAnn, me, allowing("impersonate /users :ann"), product, { request, by });
  assert.deepEqual(heard, ["impersonate:user-info"]);
  const account = [
    "impersonate-on:serviceaccount:list /pods a:",
    "impersonate:serviceaccount authentication.k8s.io/serviceaccounts b:c",
  ];
  assert.ok(await as("system:serviceaccount:b:c", allowing(...account)));
  await assert.rejects(as("system:serviceaccount:b:c", allowing(...account), me, "g"), { code: 403 });
  for (const [header, part] of [["Uid", "uids :"], ["Extra-Example.org%2fk", "userextras/example.org/k :"]] as const) {
    const more = new Headers({ "Impersonate-User": "system:serviceaccount:b:c", [`Impersonate-${header}`]: "v" });
    const all = allowing(...account, `impersonate:serviceaccount authentication.k8s.io/${part}v`);
    await assert.rejects(impersonate(more, me, all, product, { request }), { code: 403 }, header);
  }
});

for (const on of [true, false]) {
  Deno.test(`who may list as a user, and nothing else, ${on ? "does" : "does not where that is turned off"}`, async () => {
    const flags = ["--authorization-mode=RBAC", `--feature-gates=ConstrainedImpersonation=${on}`];
    const t = await startTestServer(flags), roles = "/apis/rbac.authorization.k8s.io/v1/clusterrole";
    const role = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "lists-as" };
    const rules = [
      { apiGroups: [""], resources: ["configmaps"], verbs: ["impersonate-on:user-info:list"] },
      { apiGroups: ["authentication.k8s.io"], resources: ["users"], verbs: ["impersonate:user-info"] },
    ];
    const reads = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list", "get"] }];
    const bind = async (name: string, user: string, rules: unknown[]) => {
      const subjects = [{ apiGroup: role.apiGroup, kind: "User", name: user }];
      assert.equal((await t.fetch(`${roles}s`, { body: { metadata: { name }, rules } })).status, 201);
      const body = { metadata: { name }, roleRef: { ...role, name }, subjects };
      assert.equal((await t.fetch(`${roles}bindings`, { body })).status, 201);
    };
    await bind("lists-as", "me", rules);
    await bind("reads", "ann", reads);
    const as = async (path: string, user = "ann") => {
      const headers = { "impersonate-user": user };
      return (await t.fetch(`/api/v1/namespaces/default/configmaps${path}`, { headers }, me)).status;
    };
    assert.equal(await as(""), on ? 200 : 403);
    assert.equal(await as("/a"), 403, "another verb");
    assert.equal(await as("", "bob"), 403, "as somebody who may not");
    await t.stop();
  });
}

const HEAD = "apiVersion: apiserver.config.k8s.io/v1beta1\nkind: AuthenticationConfiguration\n";

const AUTHORITY = issueAuthority("ca", generateKey(), Date.now());

Deno.test("the authentication configuration", () => {
  const config = parseAuthenticationConfig(
    HEAD + `
jwt:
- issuer:
    url: https://id.example
    audiences: [a, b]
    audienceMatchPolicy: MatchAny
    certificateAuthority: ${JSON.stringify(AUTHORITY)}
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
  const { algorithms, ...issuer } = config.issuers[0]!;
  const taken = ["ES256", "ES384", "ES512", "PS256", "PS384", "PS512", "RS256", "RS384", "RS512"];
  assert.deepEqual(algorithms.toSorted(), taken);
  assert.deepEqual(issuer, {
    url: "https://id.example",
    audiences: ["a", "b"],
    username: { claim: "sub", prefix: "" },
    groups: { claim: "g", prefix: "g:" },
    uidClaim: "u",
    requiredClaims: { hd: "example" },
    ca: AUTHORITY,
  });
  // A member without a value is not there.
  const empty = parseAuthenticationConfig(`${HEAD}anonymous:\n#  enabled: true\njwt:\n`, "apiserver.config.k8s.io");
  assert.deepEqual(empty, { issuers: [] });
});

Deno.test("faults of the authentication configuration are told together", () => {
  const read = (text: string) => () => parseAuthenticationConfig(text, "apiserver.config.k8s.io", ["https://own"]);
  assert.throws(read("kind: Other"), /should be an AuthenticationConfiguration/);
  const text = HEAD + `
jwt:
- issuer: {url: http://x, audiences: []}
  claimMappings: {username: {expression: claims.}}
  userValidationRules: [{expression: "1"}]
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
        'jwt[0].claimMappings.username.expression: "claims."',
        'jwt[0].userValidationRules[0].expression: "1": must evaluate to bool',
        "jwt[1].issuer.wrong: unknown field",
        "jwt[1].claimMappings.username.prefix: is required",
        "jwt[1].issuer.url: https://own is the issuer of service accounts",
      ]
    ) assert.ok(message.includes(part), `${part} in ${message}`);
  }
});

Deno.test("the authentication configuration: what an issuer may not be", () => {
  const of = (...issuers: string[]) =>
    HEAD + "jwt:\n" +
    issuers.map((issuer) => `- issuer: {${issuer}}\n  claimMappings: {username: {claim: sub, prefix: ""}}\n`).join("");
  const [url, other, a] = ["url: https://id.example", "url: https://other.example", "audiences: [a]"];
  const found = "discoveryURL: https://found.example";
  const noCertificate = JSON.stringify("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
  const many = (count: number) =>
    of(...Array.from({ length: count }, (_, i) => `url: "https://id${i}.example", audiences: [a]`));
  const rows: [text: string, told: RegExp][] = [
    [of(`${url}, audiences: [a, b, a], audienceMatchPolicy: MatchAny`), /audiences\[2\]: "a" is there twice/],
    [of(`${url}, audiences: [""]`), /audiences\[0\]: is required/],
    [of(`${url}, audiences: [yes]`), /audiences\[0\]: should be a string/],
    [HEAD + 'anonymous: {enabled: "true"}\n', /anonymous\.enabled: should be true or false/],
    [HEAD + "anonymous: {enabled: true}\nanonymous: {enabled: false}\n", /key "anonymous" already set/],
    [of(`${url}, ${a}, audienceMatchPolicy: MatchAll`), /audienceMatchPolicy: should be MatchAny, or nothing/],
    [of(`${url}, ${a}, certificateAuthority: PEM`), /certificateAuthority: should hold certificates in PEM/],
    [
      of(`${url}, ${a}, certificateAuthority: ${noCertificate}`),
      /certificateAuthority: should hold certificates in PEM/,
    ],
    [of(a), /jwt\[0\]\.issuer\.url: is required/],
    [of(`url: 5, ${a}`), /jwt\[0\]\.issuer\.url: should be a string/],
    [of(`${url}, audiences: a`), /audiences: should be a list/],
    ...["https://me@id.example", "https://id.example/?a=b", "https://id.example/#a"].map((odd): typeof rows[number] => [
      of(`url: "${odd}", ${a}`),
      /url: .* without user, query and fragment/,
    ]),
    [
      `${HEAD}jwt: [{issuer: [], claimMappings: 5}]\n`,
      /jwt\[0\]\.issuer: should be an object; .*claimMappings: should be/,
    ],
    [many(65), /jwt: should have at most 64 items/],
    [of(`${url}, ${a}, discoveryURL: https://id.example/`), /discoveryURL: should differ from the URL/],
    [of(`${url}, ${a}, discoveryURL: http://found.example`), /discoveryURL: .*https/],
    [of(`${url}, audiences: [5]`), /audiences\[0\]: should be a string/],
    [of(`${url}, ${a}, ${found}`, `${other}, ${a}, ${found}`), /jwt\[1\]\.issuer\.discoveryURL: .* is there twice/],
  ];
  const mapped = (claimMappings: string, more = "") =>
    `${HEAD}jwt:\n- issuer: {${url}, ${a}}\n  claimMappings: {${claimMappings}}\n${more}`;
  const sub = 'username: {claim: sub, prefix: ""}', key = "key: a.io/b, valueExpression: \"'x'\"";
  const claim = "{claim: hd, requiredValue: x}", rule = '{expression: "true"}';
  rows.push(
    [of(`${url}, ${a}`).replace("AuthenticationConfiguration", "Other"), /should be an AuthenticationConfiguration/],
    [of(`${url}, ${a}`, `${url}, ${a}`), /jwt\[1\]\.issuer\.url: https:\/\/id\.example is there twice/],
    [of(`${url}, audiences: [a, b]`), /audienceMatchPolicy: should be MatchAny with several audiences/],
    [mapped(`${sub}, extra: [{${key}}, {${key}}]`), /extra\[1\]\.key: "a\.io\/b" is there twice/],
    [mapped(sub, `  claimValidationRules: [${claim}, ${claim}]\n`), /Rules\[1\]\.claim: "hd" is there twice/],
    [
      mapped(sub, `  claimValidationRules: [${rule}, ${rule}]\n`),
      /claimV.*Rules\[1\]\.expression: "true" is there twice/,
    ],
    [
      mapped(sub, `  userValidationRules: [${rule}, ${rule}]\n`),
      /userV.*Rules\[1\]\.expression: "true" is there twice/,
    ],
    [mapped(`${sub}, groups: {prefix: "g:"}`), /groups\.claim: is required/],
    [mapped(`${sub}, extra: [{valueExpression: "'x'"}]`), /extra\[0\]\.key: is required/],
    [mapped(sub, `  claimValidationRules: [{requiredValue: x}]\n`), /claimV.*Rules\[0\]\.claim: is required/],
    [
      mapped(sub, `  claimValidationRules: [{expression: "true", requiredValue: x}]\n`),
      /claimV.*Rules\[0\]\.requiredValue: not together/,
    ],
    [HEAD + "anonymous: {enabled: true, conditions: [{}]}\n", /anonymous\.conditions\[0\]\.path: is required/],
    [HEAD + "anonymous: {conditions: [{path: /x}]}\n", /only when anonymous requests are enabled/],
    [HEAD + "anonymous: {enabled: false, conditions: [{path: /x}]}\n", /only when anonymous requests are enabled/],
  );
  for (const [text, told] of rows) {
    assert.throws(() => parseAuthenticationConfig(text, "apiserver.config.k8s.io"), told, text);
  }
  for (const version of ["v1", "v1beta1", "v1alpha1"]) {
    const text = of(`${url}, ${a}`).replace("v1beta1", version);
    assert.equal(parseAuthenticationConfig(text, "apiserver.config.orch.io").issuers.length, 1, version);
  }
  const two = "  claimValidationRules: [{claim: hd, requiredValue: x}, {claim: tier, requiredValue: gold}]\n";
  for (const good of [of(`${url}, ${a}, audienceMatchPolicy: MatchAny`), many(64), mapped(sub, two)]) {
    assert.ok(parseAuthenticationConfig(good, "apiserver.config.k8s.io"));
  }
  const { anonymous } = parseAuthenticationConfig(`${HEAD}anonymous: {}\n`, "apiserver.config.k8s.io");
  assert.deepEqual(anonymous, { enabled: false }, "who says nothing lets nobody in");
  for (const [word, enabled] of [["on", true], ["yes", true], ["off", false]] as const) {
    const { anonymous } = parseAuthenticationConfig(
      HEAD + `anonymous: {enabled: ${word}}\n`,
      "apiserver.config.k8s.io",
    );
    assert.deepEqual(anonymous, { enabled }, "words of YAML 1.1, as the public server reads them");
  }
});

Deno.test("the way in which somebody last became another is tried first, and tells why not", async () => {
  const request = attributesOf(me, { verb: "list" }), last = new LastWays();
  const plain = allowing("impersonate /users :ann"), all = allowing();
  const as = (a: Authorizer, name: string, more = {}) =>
    impersonate(new Headers({ "Impersonate-User": name, ...more }), me, a, product, { request, last });
  await assert.rejects(as(plain, "bob"), /cannot impersonate-on:user-info:list resource "pods"/);
  assert.ok(await as(plain, "ann"));
  plain.asked.length = 0;
  assert.ok(await as(plain, "ann"));
  assert.deepEqual(plain.asked, ["impersonate /users :ann"]);
  await assert.rejects(as(plain, "ann", { "Impersonate-Group": "g" }), /cannot impersonate resource "groups"/);
  assert.deepEqual((await as(all, "system:node:n"))?.groups, ["system:authenticated"], "by the plain way");
});
