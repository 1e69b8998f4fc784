import assert from "node:assert/strict";
import { productOf } from "../../schema/product.ts";
import { abac } from "../../server/authorization/abac.ts";
import { parseAuthorizationConfig, type WebhookSpec } from "../../server/authorization/authorization_config.ts";
import { makeAuthorizer } from "../../server/authorization/make.ts";
import { AuthorizationMetrics } from "../../server/authorization/metrics.ts";
import { ALWAYS_DENY } from "../../server/authorization/simple.ts";
import type { AuthorizationAttributes, Decision } from "../../server/authorization/types.ts";
import { authorizationChain } from "../../server/authorization/chain.ts";
import { authorize } from "../../server/filters/authorize.ts";
import type { RequestScope } from "../../server/request.ts";
import { webhookAuthorizer } from "../../server/authorization/webhook.ts";
import { parseDuration } from "../../server/options/mod.ts";
import { attributesOf } from "./_attributes.ts";

const product = productOf("kubernetes");
const ann = { name: "ann", groups: ["system:authenticated", "dev"] };
const attributes = (more: Partial<AuthorizationAttributes> = {}) => attributesOf(ann, more);

const POLICY = "abac.authorization.kubernetes.io";
const line = (spec: Record<string, unknown>) =>
  JSON.stringify({ apiVersion: `${POLICY}/v1beta1`, kind: "Policy", spec });

const NO_RULES = { resourceRules: [], nonResourceRules: [], incomplete: false };

Deno.test("attribute-based policies", () => {
  const rows: [string, Partial<AuthorizationAttributes>, boolean][] = [
    [line({ user: "ann", namespace: "a", resource: "pods", apiGroup: "" }), {}, true],
    [line({ user: "ann", namespace: "b", resource: "pods", apiGroup: "*" }), {}, false],
    [line({ user: "bob", namespace: "*", resource: "*", apiGroup: "*" }), {}, false],
    [line({ group: "dev", namespace: "*", resource: "*", apiGroup: "*", readonly: true }), {}, true],
    [line({ group: "dev", namespace: "*", resource: "*", apiGroup: "*", readonly: true }), { verb: "create" }, false],
    [line({ user: "*", namespace: "*", resource: "*", apiGroup: "*" }), {}, true],
    [line({ user: "*", namespace: "*", resource: "*", apiGroup: "*" }), { user: { name: "x", groups: [] } }, false],
    [line({ user: "ann", group: "ops", namespace: "*", resource: "*", apiGroup: "*" }), {}, false],
    [line({ namespace: "*", resource: "*", apiGroup: "*" }), {}, false],
    [line({ user: "ann", nonResourcePath: "/x*" }), { isResource: false, path: "/xyz" }, true],
    [line({ user: "ann", nonResourcePath: "/x*" }), { isResource: false, path: "/y" }, false],
    [line({ user: "ann", nonResourcePath: "*" }), {}, false],
    ['{"user":"ann"}', { verb: "delete", group: "apps", namespace: "z" }, true],
    ['{"user":"ann"}', { isResource: false, path: "/x" }, true],
    ['{"user":"ann","resource":"pods"}', { isResource: false, path: "/x" }, false],
    ["{}", {}, true],
    [line({ group: "*", namespace: "*", resource: "*", apiGroup: "*" }), {}, true],
    [line({ user: "bob", group: "*", namespace: "*", resource: "*", apiGroup: "*" }), {}, false],
    [line({ user: "ann", nonResourcePath: "/x" }), { isResource: false, path: "/x" }, true],
    [line({ user: "ann", nonResourcePath: "/x" }), { isResource: false, path: "/xy" }, false],
    ['{"user":"bob"}', {}, false],
    ['{"group":"dev"}', {}, true],
    ['{"group":"ops"}', {}, false],
  ];
  for (const [policy, more, ok] of rows) {
    const { decision } = abac(`# policies\n\n${policy}\n`, POLICY).authorize(attributes(more)) as Decision;
    assert.equal(decision === "allow", ok, `${policy} ${JSON.stringify(more)}`);
  }
  for (const none of ["nope", '"x"', "1", "true", "null", "[]"]) {
    assert.throws(() => abac(`{}\n${none}`, POLICY), /line 2 is no JSON object/, none);
  }
  assert.throws(() => abac(line({ usr: "x" }), POLICY), /unknown field "usr"/);
  for (
    const other of [line({}).replace('"Policy"', '"Role"'), line({}).replace("v1beta1", "v1"), '{"kind":"Policy"}']
  ) {
    assert.throws(() => abac(other, POLICY), /line 1 should be a Policy/, other);
  }
  const path = attributes({ isResource: false, path: "/x" }), DIALECT = "abac.authorization.orch.io";
  const policy = line({ user: "ann", nonResourcePath: "/x" });
  for (const text of [policy, policy.replace(POLICY, DIALECT)]) {
    assert.equal((abac(text, DIALECT).authorize(path) as Decision).decision, "allow", "the public name is taken, too");
  }
});

Deno.test("what policies of attributes come to for a user is told", () => {
  const policies = [
    line({ user: "ann", namespace: "a", resource: "pods", apiGroup: "", readonly: true }),
    line({ user: "ann", namespace: "b", resource: "secrets", apiGroup: "" }),
    line({ user: "bob", namespace: "*", resource: "*", apiGroup: "*" }),
    line({ group: "dev", nonResourcePath: "/x*" }),
  ];
  assert.deepEqual(abac(policies.join("\n"), POLICY).rulesFor!(ann, "a"), {
    resourceRules: [{ verbs: ["get", "list", "watch"], apiGroups: [""], resources: ["pods"] }],
    nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["/x*"] }],
    incomplete: false,
  });
});

Deno.test("what nobody decides has the reasons of all that have one, and rules are whole where all are", async () => {
  const member = (reason: string, error?: string, incomplete = false) => ({
    name: "x",
    authorize: () => ({ decision: "no-opinion", reason, ...(error ? { error } : {}) } as const),
    rulesFor: () => ({ ...NO_RULES, incomplete, ...(error ? { error } : {}) }),
  });
  const told = (...members: ReturnType<typeof member>[]) => authorizationChain(members).authorize(attributes());
  const nothing: Decision = { decision: "no-opinion", reason: "" };
  assert.deepEqual(await told(member(""), member("")), nothing);
  assert.deepEqual(await told(member("a"), member(""), member("b")), { ...nothing, reason: "a\nb" });
  const called = (called: string, reason: string) => ({ ...member(reason), called });
  assert.deepEqual(await told(called("one", "a"), called("two", ""), called("three", "b")), {
    ...nothing,
    reason: "one: a\nthree: b",
  });
  assert.deepEqual(await told(member("a"), member("", "e"), member("", "f")), {
    ...nothing,
    reason: "a",
    error: "[e, f]",
  });
  const rules = (...members: ReturnType<typeof member>[]) => authorizationChain(members).rulesFor!(ann, "a");
  assert.deepEqual(await rules(member(""), member("")), NO_RULES);
  assert.deepEqual(await rules(member(""), member("", "e", true)), { ...NO_RULES, incomplete: true, error: "e" });
  const twice = [member("", "e", true), member("", "f"), member("", "e", true)];
  assert.deepEqual(await rules(...twice), { ...NO_RULES, incomplete: true, error: "[e, f]" });
  const silent = { name: "silent", authorize: () => nothing };
  const error = "silent does not support user rule resolution";
  assert.deepEqual(await authorizationChain([silent]).rulesFor!(ann, "a"), { ...NO_RULES, incomplete: true, error });
});

Deno.test("a webhook's word is not kept where the time is none, nor for what is too long to keep", async () => {
  for (
    const [user, ttl, calls] of [
      ["ann", 100, 1],
      ["ann", 0, 2],
      ["a".repeat(10_000), 100, 2],
    ] as const
  ) {
    let called = 0;
    const hook = webhookAuthorizer({
      ...{ product, name: "Webhook", version: "v1", authorizedTtl: ttl, unauthorizedTtl: 100, onFailure: "deny" },
      now: () => 0,
      post: () => Promise.resolve(called++).then(() => ({ status: 200, body: '{"status":{"allowed":true}}' })),
    });
    for (let i = 0; i < 2; i++) await hook.authorize(attributesOf({ name: user, groups: [] }));
    assert.equal(called, calls, `${user.length} ${ttl}`);
  }
});

Deno.test("of what webhooks said the newest is kept, up to a bound", async () => {
  let called = 0;
  const hook = webhookAuthorizer({
    ...{ product, name: "Webhook", version: "v1", authorizedTtl: 100, unauthorizedTtl: 100, onFailure: "deny" },
    now: () => 0,
    post: () => Promise.resolve(called++).then(() => ({ status: 200, body: '{"status":{"allowed":true}}' })),
  });
  const ask = async (i: number) => await hook.authorize(attributesOf({ name: `user-${i}`, groups: [] }));
  for (let i = 0; i < 8193; i++) await ask(i);
  await ask(1);
  assert.equal(called, 8193);
  await ask(0);
  assert.equal(called, 8194, "the oldest is not");
});

for (const when of ["at once", "later"]) {
  Deno.test(`an authorizer that failed ${when} is told as a failure, unless one that works decided`, async () => {
    const noted: unknown[] = [];
    const scope = {
      info: { verb: "get", isResource: false, path: "/x" },
      user: { name: "ann", groups: [] },
      query: new URLSearchParams(),
      audit: { decided: (...what: unknown[]) => void noted.push(what) },
    } as unknown as RequestScope;
    const says = (...decisions: Decision[]) => {
      const members = decisions.map((d) => ({
        name: "x",
        authorize: () => when === "later" ? Promise.resolve(d) : d,
        rulesFor: () => NO_RULES,
      }));
      return (async () => await authorize(authorizationChain(members), scope))();
    };
    const broken: Decision = { decision: "no-opinion", reason: "", error: "hook: away" };
    await assert.rejects(says(broken), { code: 500, message: "Internal error occurred: hook: away" });
    const two = { code: 500, message: "Internal error occurred: [hook: away, other: away]" };
    await assert.rejects(says(broken, { ...broken, error: "other: away" }, broken), two);
    await assert.rejects(says({ ...broken, decision: "deny" }), { code: 500 });
    await assert.rejects(says(broken, { decision: "deny", reason: "no" }), { code: 403 });
    await says(broken, { decision: "allow", reason: "yes" });
    const failed = Array.from({ length: 3 }, () => [undefined, "internal error"]);
    assert.deepEqual(noted, [...failed, [false, "no"], [true, "yes"]]);
  });
}

Deno.test("a webhook decides, and its word is kept", async () => {
  const sent: Record<string, unknown>[] = [];
  let now = 0, status: Record<string, unknown> = { allowed: true, reason: "r" }, fail = false, answered = {};
  const make = (onFailure: "deny" | "no-opinion", version: "v1" | "v1beta1" = "v1") =>
    webhookAuthorizer({
      product,
      name: "Webhook",
      version,
      authorizedTtl: 100,
      unauthorizedTtl: 10,
      onFailure,
      now: () => now,
      retry: { attempts: 2, firstWait: 0, factor: 1, timeout: 1000 },
      post: (body) => {
        sent.push(JSON.parse(body));
        return Promise.resolve({ status: fail ? 500 : 200, body: JSON.stringify({ ...answered, status }) });
      },
    });
  const hook = make("no-opinion");
  const ask = async () => await hook.authorize(attributes());
  assert.deepEqual(await ask(), { decision: "allow", reason: "r" });
  now = 99;
  await ask();
  assert.equal(sent.length, 1);
  now = 100;
  status = { denied: true };
  assert.equal((await ask()).decision, "deny");
  now = 109;
  await ask();
  assert.equal(sent.length, 2);
  now = 110;
  status = {};
  assert.equal((await ask()).decision, "no-opinion");
  now = 200;
  status = { allowed: true, denied: true };
  assert.equal((await ask()).decision, "deny");
  assert.deepEqual(sent[0], {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SubjectAccessReview",
    spec: {
      resourceAttributes: { namespace: "a", verb: "get", version: "v1", resource: "pods" },
      user: "ann",
      groups: ["system:authenticated", "dev"],
    },
  });
  now = 50;
  const before = sent.length;
  await ask();
  assert.equal(sent.length, before + 1, "the clock was put back");
  fail = true;
  assert.equal((await make("deny").authorize(attributes())).decision, "deny");
  assert.match((await make("no-opinion").authorize(attributes())).error!, /answered 500/);
  fail = false;
  // As far as an answer says what it is, it is what was asked for.
  for (const other of [{ kind: "Pod" }, { apiVersion: "authorization.k8s.io/v1beta1" }]) {
    answered = other;
    assert.match((await make("no-opinion").authorize(attributes())).error!, /it should be a SubjectAccessReview of/);
    assert.equal((await make("deny").authorize(attributes())).decision, "deny");
  }
  answered = { apiVersion: "authorization.k8s.io/v1", kind: "SubjectAccessReview" };
  assert.equal(
    (await make("deny").authorize(attributes())).error,
    "webhook subject access review returned both allow and deny response",
  );
  answered = {};
  for (const odd of [{ allowed: "false" }, { allowed: 1 }, { denied: "true" }, { allowed: true, reason: {} }]) {
    status = odd;
    assert.match((await make("no-opinion").authorize(attributes())).error!, /the webhook's answer/);
    assert.equal((await make("deny").authorize(attributes())).decision, "deny");
  }
  status = { allowed: true, denied: true };
  await make("deny", "v1beta1").authorize(attributes());
  assert.deepEqual((sent.at(-1)!.spec as Record<string, unknown>).group, ["system:authenticated", "dev"]);
});

Deno.test("a webhook's call ends with its request, and one that takes its whole time is not made again", async () => {
  const signals: AbortSignal[] = [];
  let rest = Promise.withResolvers<void>();
  const make = (timeout: number) =>
    webhookAuthorizer({
      product,
      name: "Webhook",
      version: "v1",
      authorizedTtl: 0,
      unauthorizedTtl: 0,
      onFailure: "deny",
      now: () => 0,
      retry: { attempts: 5, firstWait: 1e9, factor: 1, timeout },
      post: (_, signal) => {
        signals.push(signal);
        rest.resolve();
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    });
  const end = new AbortController(), chain = authorizationChain([make(1e6), make(1e6)]);
  const answer = chain.authorize(attributes(), end);
  await rest.promise;
  end.abort(new Error("gone"));
  assert.equal((await answer).error, "Webhook: gone");
  assert.equal(signals.length, 1);
  rest = Promise.withResolvers();
  const slow = { name: "slow", authorize: () => Promise.resolve<Decision>({ decision: "no-opinion", reason: "" }) };
  const another = new AbortController(),
    second = authorizationChain([slow, make(1e6)]).authorize(attributes(), another);
  await rest.promise;
  another.abort(new Error("gone, too"));
  assert.equal((await second).error, "Webhook: gone, too");
  assert.equal(signals.splice(1).length, 1);
  rest = Promise.withResolvers();
  // A pause between attempts ends as well.
  const refusing = webhookAuthorizer({
    ...{ product, name: "Webhook", version: "v1", authorizedTtl: 0, unauthorizedTtl: 0, onFailure: "no-opinion" },
    now: () => 0,
    retry: { attempts: 5, firstWait: 1e9, factor: 1, timeout: 1e6 },
    post: () => Promise.resolve(rest.resolve()).then(() => ({ status: 503, body: "" })),
  });
  const later = new AbortController(), asked = refusing.authorize(attributes(), later);
  await rest.promise;
  later.abort();
  assert.match((await asked).error!, /answered 503/);
  // The timer of a call's time does not keep the process.
  const alive = setInterval(() => {}, 1000);
  assert.match((await make(1).authorize(attributes())).error!, /timeout/);
  clearInterval(alive);
  assert.equal(signals.length, 2);
});

const CONFIG = `
apiVersion: apiserver.config.k8s.io/v1
kind: AuthorizationConfiguration
authorizers:
- type: Webhook
  name: first
  webhook:
    timeout: 3s
    subjectAccessReviewVersion: v1
    failurePolicy: Deny
    unauthorizedTTL: 5s
    cacheAuthorizedRequests: false
    connectionInfo: {type: KubeConfigFile, kubeConfigFile: /etc/hook}
- {type: Node, name: node}
- {type: RBAC, name: rbac}
`;
const read = (text: string) => parseAuthorizationConfig(text, "apiserver.config.k8s.io", parseDuration);

Deno.test("the authorization configuration", async () => {
  assert.deepEqual(read(CONFIG), [
    {
      type: "Webhook",
      name: "first",
      version: "v1",
      authorizedTtl: 0,
      unauthorizedTtl: 5000,
      timeout: 3000,
      onFailure: "deny",
      connectionFile: "/etc/hook",
    },
    { type: "Node", name: "node" },
    { type: "RBAC", name: "rbac" },
  ]);
  const kept = CONFIG.replace(
    "cacheAuthorizedRequests: false",
    "authorizedTTL: 7s\n    cacheUnauthorizedRequests: false",
  )
    .replace("subjectAccessReviewVersion: v1", "subjectAccessReviewVersion: v1beta1")
    .replace("failurePolicy: Deny", "failurePolicy: NoOpinion");
  const times = (text: string) => {
    const { authorizedTtl, unauthorizedTtl, version, onFailure } = read(text)[0] as WebhookSpec;
    return [authorizedTtl, unauthorizedTtl, version, onFailure];
  };
  assert.deepEqual(times(kept), [7_000, 0, "v1beta1", "no-opinion"]);
  assert.deepEqual(times(kept.replace("    authorizedTTL: 7s\n", "")), [300_000, 0, "v1beta1", "no-opinion"]);
  for (const version of ["v1", "v1beta1", "v1alpha1"]) {
    for (const group of ["apiserver.config.k8s.io", "apiserver.config.orch.io"]) {
      const text = CONFIG.replace("apiserver.config.k8s.io/v1", `${group}/${version}`);
      assert.deepEqual(parseAuthorizationConfig(text, "apiserver.config.orch.io", parseDuration), read(CONFIG));
    }
  }
  const [usual] = read(CONFIG.replace("unauthorizedTTL: 5s", "unauthorizedTTL: 0s\n    matchConditions: null"));
  assert.deepEqual([(usual as { unauthorizedTtl: number }).unauthorizedTtl, "conditions" in usual!], [30_000, false]);
  const unsaid =
    `matchConditionSubjectAccessReviewVersion: ""\n    authorizedTTL: null\n    cacheAuthorizedRequests: false`;
  const empty = CONFIG.replace("cacheAuthorizedRequests: false", unsaid).replace(
    "name: node",
    "name: node, webhook: null",
  );
  assert.deepEqual(read(empty), read(CONFIG), "a member without a value is not there");
  const no = CONFIG.replace("cacheAuthorizedRequests: false", "cacheAuthorizedRequests: no");
  assert.deepEqual(read(no), read(CONFIG), "words of YAML 1.1, as the public server reads them");
  const asked: string[] = [];
  const member = (name: string) => () => ({
    name,
    authorize: () => {
      asked.push(name);
      return { decision: "no-opinion", reason: "" } as const;
    },
  });
  const options = {
    authorizers: ["AlwaysAllow"],
    authorizationWebhookConfigFile: "",
    authorizationWebhookVersion: "v1",
    authorizationWebhookCacheAuthorizedTtl: 0,
    authorizationWebhookCacheUnauthorizedTtl: 0,
  };
  const metrics = new AuthorizationMetrics();
  const parts = { product, now: () => 0, metrics, rbac: member("rbac"), node: member("node"), parseDuration };
  const post = () => () => Promise.resolve({ status: 200, body: "{}" });
  const chain = makeAuthorizer(options, { ...parts, post, config: { text: () => CONFIG } });
  assert.equal((await chain.authorize(attributes())).decision, "no-opinion");
  assert.deepEqual(asked, ["node", "rbac"]);
  const unable = ["webhook authorizer", "node", "rbac"].map((name) => `${name} does not support user rule resolution`);
  assert.equal((await chain.rulesFor!(ann, "a")).error, `[${unable.join(", ")}]`);
  assert.equal((await makeAuthorizer(options, { ...parts, post }).authorize(attributes())).decision, "allow");
  const away = () => () => Promise.reject(new Error("away")), { timeout } = AbortSignal, given: number[] = [];
  AbortSignal.timeout = (ms) => (given.push(ms), timeout.call(AbortSignal, ms));
  try {
    const answer = await makeAuthorizer(options, { ...parts, post: away, config: { text: () => CONFIG } }).authorize(
      attributes(),
    );
    assert.deepEqual([answer.decision, answer.error, given], ["deny", "first: away", [3000]]);
    const alone = makeAuthorizer({ ...options, authorizers: ["Webhook"] }, { ...parts, post: away });
    const { decision, error } = await alone.authorize(attributes(), { signal: AbortSignal.abort() });
    assert.deepEqual(
      [decision, error],
      ["no-opinion", "Webhook: away"],
      "that of the options has no say when it fails",
    );
  } finally {
    AbortSignal.timeout = timeout;
  }
  assert.equal((await ALWAYS_DENY.authorize(attributes())).decision, "no-opinion");
});

Deno.test("another authorization configuration is taken into use, unless it is wrong", async () => {
  const config = (...types: string[]) =>
    `apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\nauthorizers:\n${
      types.map((type) => `- {type: ${type}, name: ${type.toLowerCase()}}\n`).join("")
    }`;
  const asked: string[] = [], made: string[] = [], told: (string | undefined)[] = [];
  const member = (name: string) => () => {
    made.push(name);
    return {
      name,
      authorize: () => {
        asked.push(name);
        return { decision: "no-opinion", reason: "" } as const;
      },
    };
  };
  let text = config("RBAC");
  const chain = makeAuthorizer({
    authorizers: [],
    authorizationWebhookConfigFile: "",
    authorizationWebhookVersion: "v1",
    authorizationWebhookCacheAuthorizedTtl: 0,
    authorizationWebhookCacheUnauthorizedTtl: 0,
  }, {
    product,
    now: () => 0,
    metrics: new AuthorizationMetrics(),
    rbac: member("rbac"),
    node: member("node"),
    parseDuration,
    post: () => () => Promise.reject(new Error("nobody")),
    config: { text: () => text, told: (_text, error) => told.push(error?.message) },
  });
  const asks = async (next: string) => {
    text = next;
    await chain.authorize(attributes());
    return asked.splice(0);
  };
  assert.deepEqual(await asks(text), ["rbac"]);
  assert.deepEqual(await asks(config("Node", "RBAC")), ["node", "rbac"]);
  assert.deepEqual(await asks("nothing"), ["node", "rbac"]);
  assert.deepEqual(await asks("nothing"), ["node", "rbac"]);
  assert.deepEqual(await asks(config("RBAC", "Node")), ["rbac", "node"]);
  assert.deepEqual(await asks(config("Node")), ["rbac", "node"], "what it started with stays");
  assert.deepEqual(made, ["rbac", "node"], "each is made once");
  assert.equal(told.length, 4);
  assert.match(told[1]!, /^--authorization-config: /);
  assert.equal(told[3], "--authorization-config: authorizers: RBAC cannot go while the server runs");
});

/** So many match conditions of a webhook, each of its own without an expression. */
const conditions = (count: number, expression?: string) =>
  `\n    matchConditionSubjectAccessReviewVersion: v1\n    matchConditions: [${
    Array.from({ length: count }, (_, i) => `{expression: "${expression ?? `request.user != '${i}'`}"}`).join(", ")
  }]`;

Deno.test("faults of the authorization configuration are told together", () => {
  assert.throws(() => read("kind: X"), /AuthorizationConfiguration.*authorizers: at least one/);
  const rows: [from: string, to: string, told: RegExp][] = [
    [
      "kind: AuthorizationConfiguration",
      "kind: AuthenticationConfiguration",
      /should be an AuthorizationConfiguration/,
    ],
    ["k8s.io/v1", "k8s.io/v2", /should be an AuthorizationConfiguration/],
    ["type: KubeConfigFile", "type: InClusterConfig", /connectionInfo\.type: InClusterConfig is not supported/],
    ["type: KubeConfigFile", "type: File", /connectionInfo\.type: "File": should be one of/],
    ["timeout: 3s", "timeout: 0s", /timeout: should be a duration above 0/],
    ["timeout: 3s", "timeout: -3s", /timeout: should be a duration above 0/],
    ["    timeout: 3s\n", "", /timeout: should be a duration above 0/],
    ["name: node", "name: No_de", /authorizers\[1\]\.name: "No_de" should be a DNS name/],
    ["name: node", "name: nodes", /authorizers\[1\]\.name: "nodes" should be node/],
    ["name: first", `name: ${"a".repeat(254)}`, /authorizers\[0\]\.name: .* should be a DNS name/],
    ["timeout: 3s", "timeout: 3s\n    matchConditions: {}", /matchConditions: should be a list/],
    [
      "timeout: 3s",
      "timeout: 3s\n    matchConditionSubjectAccessReviewVersion: v2",
      /ReviewVersion: "v2": should be one of/,
    ],
    ["timeout: 3s", `timeout: 3s${conditions(65)}`, /matchConditions: has 65 items: should have at most 64/],
    ["timeout: 3s", `timeout: 3s${conditions(2, "true")}`, /matchConditions\[1\]\.expression: is there twice/],
    ["kubeConfigFile: /etc/hook", "kubeConfigFile: 5", /kubeConfigFile: should be an absolute path/],
    ["timeout: 3s", "timeout: 3", /timeout: should be a duration above 0/],
    ["    failurePolicy: Deny\n", "", /failurePolicy: is required/],
    ["    subjectAccessReviewVersion: v1\n", "", /subjectAccessReviewVersion: is required/],
    ["type: Node", "type: ABAC", /authorizers\[1\]\.type: "ABAC": should be one of/],
    ["name: rbac", "name: rbac, webhook: {}", /authorizers\[2\]\.webhook: only with type Webhook/],
    ["name: rbac", "name: rbac, more: 1", /authorizers\[2\]\.more: unknown field/],
    ["authorizers:", "more: 1\nauthorizers:", /more: unknown field/],
    ["kubeConfigFile: /etc", "more: 1, kubeConfigFile: /etc", /connectionInfo\.more: unknown field/],
    ["timeout: 3s", `timeout: 3s${conditions(1, " ")}`, /matchConditions\[0\]\.expression: is required/],
    ["timeout: 3s", `timeout: 3s${conditions(1).replace("expression", "more: 1, expression")}`, /\[0\]\.more: unknown/],
    ["timeout: 3s", "timeout: 3s\n    matchConditions: [{expression: 5}, null]", /\[0\].*required.*\[1\].*required/],
  ];
  for (const [from, to, told] of rows) assert.throws(() => read(CONFIG.replace(from, to)), told, to);
  const second = CONFIG.slice(CONFIG.indexOf("- type"), CONFIG.indexOf("- {")).replace("name: first", "name: second");
  const good = CONFIG.replace("- {type: Node", `${second}- {type: Node`).replace(
    "timeout: 3s",
    `timeout: 30s${conditions(64)}`,
  );
  assert.equal(
    read(good).length,
    4,
    "webhooks may be several, with as much time and as many conditions as there may be",
  );
  const wrong = CONFIG.replace(
    "timeout: 3s",
    "timeout: 31s\n    matchConditions: [{expression: '1'}, {expression: request.nope == 1}, {}]",
  )
    .replace("cacheAuthorizedRequests: false", 'cacheAuthorizedRequests: "false"')
    .replace("/etc/hook", "hook").replace("type: Node", "type: RBAC").replace("name: node", "name: rbac");
  try {
    read(wrong);
    assert.fail("should throw");
  } catch (e) {
    for (
      const part of [
        "at most 30s",
        "cacheAuthorizedRequests: should be true or false",
        "matchConditionSubjectAccessReviewVersion: is required",
        'matchConditions[0].expression: "1": must evaluate to bool',
        'matchConditions[1].expression: "request.nope == 1"',
        "matchConditions[2].expression: is required",
        "absolute path",
        "RBAC is there twice",
        '"rbac" is there twice',
      ]
    ) assert.ok((e as Error).message.includes(part), `${part} in ${(e as Error).message}`);
  }
});
