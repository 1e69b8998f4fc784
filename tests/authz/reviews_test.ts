import assert from "node:assert/strict";
import type { Obj } from "../../schema/model/types.ts";
import { StatusError } from "../../schema/status.ts";
import { tokenFile } from "../../server/authentication/token_file.ts";
import {
  localSubjectAccessReview,
  selfSubjectAccessReview,
  selfSubjectReview,
  selfSubjectRulesReview,
  subjectAccessReview,
  tokenReview,
} from "../../server/authorization/reviews.ts";
import { attributesOf as attributesAsked, specOf } from "../../server/authorization/review_attributes.ts";
import type { AuthorizationAttributes, Authorizer, Decision } from "../../server/authorization/types.ts";
import { attributesOf } from "./_attributes.ts";

const GROUP = "authorization.k8s.io";
const review = (spec: Record<string, unknown>, metadata: Record<string, unknown> = {}): Obj =>
  ({ apiVersion: `${GROUP}/v1`, kind: "X", metadata, spec }) as Obj;

/** Remembers what it was asked. */
class Spy implements Authorizer {
  readonly name = "spy";
  last: AuthorizationAttributes | undefined;
  constructor(readonly answer: Decision = { decision: "allow", reason: "" }) {}
  authorize(a: AuthorizationAttributes): Decision {
    this.last = a;
    return this.answer;
  }
}

async function refusal(run: Promise<unknown>): Promise<unknown> {
  try {
    await run;
  } catch (e) {
    assert.ok(e instanceof StatusError, String(e));
    const causes = e.details?.causes?.map((c) => `${c.reason} ${c.field}`);
    return [e.code, e.details ? { ...e.details, causes } : undefined];
  }
  assert.fail("should be refused");
}

Deno.test("subject access reviews", async () => {
  const spy = new Spy({ decision: "allow", reason: "because" });
  const resourceAttributes = {
    verb: "get",
    resource: "pods",
    namespace: "a",
    name: "n",
    subresource: "log",
    group: "g",
  };
  const answer = await subjectAccessReview(
    review({ user: "u", groups: ["g"], uid: "1", resourceAttributes }),
    spy,
    GROUP,
  );
  assert.deepEqual(answer.status, { allowed: true, reason: "because" });
  assert.deepEqual(spy.last, {
    user: { name: "u", groups: ["g"], uid: "1" },
    isResource: true,
    path: "",
    version: "*",
    ...resourceAttributes,
  });
  const path = { user: "u", nonResourceAttributes: { verb: "get", path: "/healthz" } };
  assert.deepEqual((await subjectAccessReview(review(path), new Spy({ decision: "deny", reason: "" }), GROUP)).status, {
    allowed: false,
    denied: true,
  });
  const silent = new Spy({ decision: "no-opinion", reason: "", error: "broken" });
  assert.deepEqual((await subjectAccessReview(review(path), silent, GROUP)).status, {
    allowed: false,
    evaluationError: "broken",
  });
});

Deno.test("subject access reviews that are refused", async () => {
  const r = { verb: "get" };
  const rows: [Record<string, unknown>, Record<string, unknown>, string[]][] = [
    [{ user: "u", resourceAttributes: r, nonResourceAttributes: r }, {}, [
      "FieldValueInvalid spec.nonResourceAttributes",
    ]],
    [{ user: "u" }, {}, ["FieldValueInvalid spec.resourceAttributes"]],
    [{ resourceAttributes: r }, {}, ["FieldValueInvalid spec.user"]],
    [{ user: "u", resourceAttributes: r }, { name: "x" }, ["FieldValueInvalid metadata"]],
    [
      { user: "u", resourceAttributes: { ...r, labelSelector: { requirements: [{ key: "a b", operator: "New" }] } } },
      {},
      ["FieldValueInvalid spec.resourceAttributes.labelSelector.requirements[0].key"],
    ],
    [
      { user: "u", resourceAttributes: { ...r, fieldSelector: {} } },
      {},
      ["FieldValueRequired spec.resourceAttributes.fieldSelector.requirements"],
    ],
    ...([
      [{ rawSelector: "a=b", requirements: [{ key: "a", operator: "Exists" }] }, "Invalid", "rawSelector"],
      [{ requirements: [{ operator: "Exists" }] }, "Required", "requirements[0].key"],
      [{ requirements: [{ key: "a", operator: "In" }] }, "Required", "requirements[0].values"],
      [{ requirements: [{ key: "a", operator: "NotIn" }] }, "Required", "requirements[0].values"],
      [{ requirements: [{ key: "a", operator: "Exists", values: ["b"] }] }, "Forbidden", "requirements[0].values"],
      [
        { requirements: [{ key: "a", operator: "DoesNotExist", values: ["b"] }] },
        "Forbidden",
        "requirements[0].values",
      ],
    ] as const).map(([fieldSelector, what, where]): [Record<string, unknown>, Record<string, unknown>, string[]] => [
      { user: "u", resourceAttributes: { ...r, fieldSelector } },
      {},
      [`FieldValue${what} spec.resourceAttributes.fieldSelector.${where}`],
    ]),
  ];
  for (const [spec, metadata, causes] of rows) {
    const got = await refusal(subjectAccessReview(review(spec, metadata), new Spy(), GROUP));
    assert.deepEqual(got, [422, { group: GROUP, causes }], JSON.stringify(spec));
  }
  const me = { name: "me", groups: [] };
  const own: [Record<string, unknown>, Record<string, unknown>, string][] = [
    [{}, {}, "spec.resourceAttributes"],
    [{ resourceAttributes: r }, { name: "x" }, "metadata"],
  ];
  for (const [spec, metadata, field] of own) {
    const got = await refusal(selfSubjectAccessReview(review(spec, metadata), me, new Spy(), GROUP));
    assert.deepEqual(got, [422, { group: GROUP, causes: [`FieldValueInvalid ${field}`] }]);
  }
  const managed = review({ user: "u", resourceAttributes: r }, { managedFields: [{}], labels: {}, annotations: null });
  await subjectAccessReview(managed, new Spy(), GROUP);
});

Deno.test("selectors of reviews: what cannot be read is left out and told", async () => {
  const spy = new Spy();
  const resourceAttributes = {
    verb: "list",
    resource: "pods",
    fieldSelector: {
      requirements: [{ key: "spec.nodeName", operator: "In", values: ["n"] }, { key: "x", operator: "Exists" }, {
        key: "y",
        operator: "constructor",
        values: ["z"],
      }],
    },
    labelSelector: { rawSelector: "a in (b" },
  };
  const answer = await selfSubjectAccessReview(review({ resourceAttributes }), { name: "me", groups: [] }, spy, GROUP);
  assert.equal(spy.last?.fieldSelector, "spec.nodeName=n");
  assert.equal(spy.last?.labelSelector, undefined);
  assert.equal(
    answer.status.evaluationError,
    "spec.resourceAttributes.fieldSelector partially ignored due to parse error; " +
      "spec.resourceAttributes.labelSelector ignored due to parse error",
  );
});

Deno.test("attributes and reviews are each other's reverse", () => {
  const attributes = attributesOf({ name: "u", groups: ["g"], extra: { k: ["v"] } }, {
    verb: "list",
    fieldSelector: "spec.nodeName=n,status.phase!=Failed",
    labelSelector: "a in (b,c),!d,e,f=g,h==i,j!=k,l notin (m,n)",
    name: "p",
    subresource: "log",
  });
  assert.deepEqual(specOf(attributes), {
    resourceAttributes: {
      namespace: "a",
      verb: "list",
      version: "v1",
      resource: "pods",
      subresource: "log",
      name: "p",
      fieldSelector: {
        requirements: [
          { key: "spec.nodeName", operator: "In", values: ["n"] },
          { key: "status.phase", operator: "NotIn", values: ["Failed"] },
        ],
      },
      labelSelector: {
        requirements: [
          { key: "a", operator: "In", values: ["b", "c"] },
          { key: "d", operator: "DoesNotExist" },
          { key: "e", operator: "Exists" },
          { key: "f", operator: "In", values: ["g"] },
          { key: "h", operator: "In", values: ["i"] },
          { key: "j", operator: "NotIn", values: ["k"] },
          { key: "l", operator: "NotIn", values: ["m", "n"] },
        ],
      },
    },
    user: "u",
    groups: ["g"],
    extra: { k: ["v"] },
  });
  const path = attributesOf(attributes.user, { isResource: false, path: "/x", verb: "post" });
  assert.deepEqual(specOf(path).nonResourceAttributes, { path: "/x", verb: "post" });
  for (const asked of [attributes, path]) {
    const back = attributesAsked(asked.user, specOf(asked));
    assert.deepEqual(back.faults, []);
    assert.deepEqual(specOf(back.attributes), specOf(asked));
  }
});

Deno.test("a raw selector of a review is taken as it is, and of several requirements those that can be read", async () => {
  const spy = new Spy();
  const asked = async (fieldSelector: unknown, labelSelector: unknown) => {
    const spec = { resourceAttributes: { verb: "list", resource: "pods", fieldSelector, labelSelector } };
    const { status } = await selfSubjectAccessReview(review(spec), { name: "me", groups: [] }, spy, GROUP);
    return [spy.last?.fieldSelector, spy.last?.labelSelector, status.evaluationError];
  };
  const raw = [{ rawSelector: "spec.nodeName=n" }, { rawSelector: "a notin (b)" }] as const;
  assert.deepEqual(await asked(...raw), ["spec.nodeName=n", "a notin (b)", undefined]);
  const many = { requirements: [{ key: "x", operator: "In", values: ["a", "b"] }] };
  const newer = { requirements: [{ key: "a", operator: "Gt", values: ["1"] }, { key: "b", operator: "Exists" }] };
  const ignored = "ignored due to parse error";
  assert.deepEqual(await asked(many, newer), [
    undefined,
    "b",
    `spec.resourceAttributes.fieldSelector ${ignored}; spec.resourceAttributes.labelSelector partially ${ignored}`,
  ]);
});

Deno.test("local reviews are about their namespace", async () => {
  const spec = (namespace: string) => ({ user: "u", resourceAttributes: { verb: "get", resource: "pods", namespace } });
  const local = (s: Record<string, unknown>, m = {}) => localSubjectAccessReview(review(s, m), "a", new Spy(), GROUP);
  const answer = await local(spec("a"));
  assert.equal(answer.status.allowed, true);
  assert.equal(answer.metadata.namespace, "a");
  assert.deepEqual(await refusal(local(spec("b"))), [
    422,
    { group: GROUP, causes: ["FieldValueInvalid spec.resourceAttributes.namespace"] },
  ]);
  assert.deepEqual(await refusal(local({ user: "u", nonResourceAttributes: { verb: "get", path: "/" } })), [
    422,
    { group: GROUP, causes: ["FieldValueInvalid spec.nonResourceAttributes"] },
  ]);
  assert.deepEqual(await refusal(local(spec("a"), { namespace: "b" })), [400, undefined]);
  const wrong: [Record<string, unknown>, Record<string, unknown>, string][] = [
    [{ user: "u" }, {}, "spec.resourceAttributes"],
    [{ ...spec("a"), user: "" }, {}, "spec.user"],
    [spec("a"), { namespace: "a", name: "x" }, "metadata"],
  ];
  for (const [s, m, field] of wrong) {
    assert.deepEqual(await refusal(local(s, m)), [422, { group: GROUP, causes: [`FieldValueInvalid ${field}`] }]);
  }
});

Deno.test("rules of the caller", async () => {
  const me = { name: "me", groups: [] };
  assert.deepEqual(await refusal(selfSubjectRulesReview(review({}), me, new Spy())), [400, undefined]);
  const answer = await selfSubjectRulesReview(review({ namespace: "a" }), me, new Spy());
  assert.equal(answer.status.incomplete, true);
  const partly = { resourceRules: [], nonResourceRules: [], incomplete: true, error: "away" };
  const told = await selfSubjectRulesReview(review({ namespace: "a" }, { name: "x" }), me, {
    ...new Spy(),
    authorize: () => ({ decision: "allow", reason: "" }),
    rulesFor: () => partly,
  });
  const { error, ...rules } = partly;
  assert.deepEqual([told.metadata, told.spec, told.status], [{}, {}, { ...rules, evaluationError: error }]);
});

Deno.test("token reviews and who the caller is", async () => {
  const tokens = tokenFile("good,ann,7,g\n", ["api"]);
  const ask = async (spec: Record<string, unknown>) => (await tokenReview(review(spec), tokens, ["api"])).status;
  assert.deepEqual(await ask({ token: "good" }), {
    authenticated: true,
    user: { username: "ann", uid: "7", groups: ["g", "system:authenticated"] },
    audiences: ["api"],
  });
  for (const token of ["good\n", "good \t", "good or not"]) assert.ok((await ask({ token })).authenticated, token);
  for (const token of [" good", " "]) assert.equal((await ask({ token })).error, "invalid bearer token");
  assert.deepEqual(await ask({ token: "bad" }), { user: {}, error: "invalid bearer token" });
  assert.deepEqual(await ask({ token: "good", audiences: ["other"] }), { user: {}, error: "invalid bearer token" });
  assert.deepEqual((await ask({ token: "good", audiences: ["other", "api"] })).audiences, ["api"]);
  const deaf = { name: "x", authenticateToken: () => ({ user: { name: "ann", groups: [] }, audiences: ["api", "b"] }) };
  const audiences = async (...audiences: string[]) =>
    (await tokenReview(review({ token: "t", audiences }), deaf, ["api"])).status;
  assert.match((await audiences("other")).error, /audiences are not those of the review/);
  assert.deepEqual((await audiences("other", "api")).audiences, ["api", "b"]);
  const sent = { user: { username: "x" }, audiences: ["y"], error: "z" };
  const again = async (token: string) =>
    (await tokenReview({ ...review({ token }), status: sent }, tokens, ["api"])).status;
  assert.deepEqual(await again("bad"), { ...sent, error: "invalid bearer token" });
  assert.equal((await again("good")).error, "z");
  assert.deepEqual((await tokenReview({ ...review({ token: "x" }), status: sent }, undefined, [])).status, sent);
  const broken = { name: "x", authenticateToken: () => Promise.reject(new Error("away")) };
  assert.deepEqual((await tokenReview(review({ token: "t" }), broken, [])).status, {
    user: {},
    error: "[invalid bearer token, away]",
  });
  const extra = { scopes: ["a"] },
    rich = { name: "x", authenticateToken: () => ({ user: { name: "ann", groups: [], extra } }) };
  assert.deepEqual((await tokenReview(review({ token: "t" }), rich, [])).status.user.extra, extra);
  assert.deepEqual(await refusal(ask({})), [400, undefined]);
  assert.deepEqual((await tokenReview(review({ token: "x" }), undefined, [])).status, { user: {} });
  const me = selfSubjectReview(
    review({}),
    { name: "me", groups: ["g"], extra: {} },
    Date.parse("2026-11-21T10:00:00.5Z"),
  );
  assert.deepEqual(me.status, { userInfo: { username: "me", groups: ["g"] } });
  assert.equal(me.metadata.creationTimestamp, "2026-11-21T10:00:00Z");
});
