/** Policies that check: what they tell the audit, and that they are asked as they are now. */
import assert from "node:assert/strict";
import { recording } from "../audit/_recording.ts";
import { CLOSED, startTestServer, type TestServer, withServer } from "../fixture/server.ts";
import type { Loose } from "../fixture/loose.ts";

const API = "/apis/admissionregistration.k8s.io/v1", MAPS = "/api/v1/namespaces/default/configmaps";
const POLICIES = `${API}/validatingadmissionpolicies`, BINDINGS = `${API}/validatingadmissionpolicybindings`;
const matchConstraints = {
  resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
};

async function create(t: TestServer, path: string, name: string, more: Loose): Promise<void> {
  const answer = await t.fetch(path, { body: { metadata: { name }, ...more } });
  assert.equal(answer.status, 201, answer.text);
}

/** The annotations of the event of a config map `a` that is created under a policy `p`, by name. */
async function noted(spec: Loose, bindings: Record<string, Loose>, given: readonly string[] = []): Promise<Loose> {
  let said: Loose = {};
  await recording([], async ({ t, events, make }) => {
    for (const name of given) await create(t, "/api/v1/namespaces/default/secrets", name, {});
    await create(t, POLICIES, "p", { spec: { matchConstraints, ...spec } });
    for (const [name, more] of Object.entries(bindings)) {
      await create(t, BINDINGS, name, { spec: { policyName: "p", validationActions: ["Audit"], ...more } });
    }
    assert.equal(await make("a"), 201);
    said = events().at(-1)!.annotations;
  });
  return said;
}

const FAILURE = "validation.policy.admission.k8s.io/validation_failure";

Deno.test("what a policy says of a request is told by key: of all bindings and parameters together, each value once", async () => {
  const note = (key: string, valueExpression: string) => ({ key, valueExpression });
  const auditAnnotations = [
    note("param", "string(params.metadata.name)"),
    note("name", "' ' + string(object.metadata.name) + ' '"),
    note("blank", "'  '"),
    note("nothing", "null"),
  ];
  const all = { selector: {}, parameterNotFoundAction: "Allow" }, one = { ...all, selector: undefined, name: "s1" };
  const said = await noted(
    { paramKind: { apiVersion: "v1", kind: "Secret" }, auditAnnotations },
    { b1: { paramRef: one }, b2: { paramRef: all } },
    ["s1", "s2"],
  );
  assert.deepEqual(Object.entries(said).filter(([key]) => key.startsWith("p/")), [
    ["p/name", "a"],
    ["p/param", "s1, s2"],
  ]);
  assert.equal(said[FAILURE], undefined);
});

Deno.test("a value that is too long is cut, not within a character", async () => {
  const auditAnnotations = [["a", "'b'"], ["c", "'\\U0001F600'"]].map(([key, end]) => ({
    key,
    valueExpression: `lists.range(10239).map(i, 'a').join('') + ${end} + 'c'`,
  }));
  const said = await noted({ auditAnnotations }, { b: {} }), long = "a".repeat(10239);
  assert.equal(said["p/a"], `${long}b`);
  assert.equal(said["p/c"].isWellFormed(), true);
  assert.ok(said["p/c"].startsWith(long) && said["p/c"].length <= 10240);
});

Deno.test("failures are told with what they are of, fifty at most", async () => {
  const validations = [{ expression: "true" }, ...Array.from({ length: 51 }, () => ({ expression: "false" }))];
  const actions = ["Warn", "Audit"];
  const said = await noted({ validations }, { b: { validationActions: actions } });
  const told: Loose[] = JSON.parse(said[FAILURE]);
  assert.equal(told.length, 50);
  assert.deepEqual(told[0], {
    message: "failed expression: false",
    policy: "p",
    binding: "b",
    expressionIndex: 1,
    validationActions: actions,
  });
});

Deno.test("a policy is asked as it is now, and no more when its binding is gone", () =>
  withServer([], async (t) => {
    const patch = (body: Loose) =>
      t.fetch(`${POLICIES}/p`, {
        method: "PATCH",
        headers: { "content-type": "application/merge-patch+json" },
        body,
      });
    const asked = async () => (await t.fetch(`${MAPS}?dryRun=All`, { body: { metadata: { name: "a" } } })).status;
    await create(t, POLICIES, "p", { spec: { matchConstraints, validations: [{ expression: "false" }] } });
    await create(t, BINDINGS, "b", { spec: { policyName: "p", validationActions: ["Deny"] } });
    assert.equal(await asked(), 422);
    assert.equal((await patch({ spec: { validations: [{ expression: "true" }] } })).status, 200);
    assert.equal(await asked(), 201);
    assert.equal((await patch({ spec: { validations: [{ expression: "false" }] } })).status, 200);
    assert.equal(await asked(), 422);
    assert.equal((await t.fetch(`${BINDINGS}/b`, { method: "DELETE" })).status, 200);
    assert.equal(await asked(), 201);
  }));

const TOKENS = "/apis/authentication.k8s.io/v1", ACCESS = "/apis/authorization.k8s.io/v1";
const asks = { resourceAttributes: { verb: "get", resource: "pods", namespace: "default" } };
/** What no policy is asked about, and how it is sent. */
const UNASKED: readonly (readonly [path: string, spec: Loose])[] = [
  [`${TOKENS}/tokenreviews`, { token: "t" }],
  [`${TOKENS}/selfsubjectreviews`, undefined],
  [`${ACCESS}/selfsubjectaccessreviews`, asks],
  [`${ACCESS}/subjectaccessreviews`, { ...asks, user: "u" }],
  [`${ACCESS}/namespaces/default/localsubjectaccessreviews`, { ...asks, user: "u" }],
  [`${ACCESS}/selfsubjectrulesreviews`, { namespace: "default" }],
  [POLICIES, { matchConstraints, validations: [{ expression: "true" }] }],
  [BINDINGS, { policyName: "p", validationActions: ["Deny"] }],
  [`${API}/mutatingadmissionpolicies`, {
    matchConstraints,
    reinvocationPolicy: "Never",
    mutations: [{ patchType: "JSONPatch", jsonPatch: { expression: "[JSONPatch{op: 'remove', path: '/x'}]" } }],
  }],
  [`${API}/mutatingadmissionpolicybindings`, { policyName: "p" }],
];

/** Policies that refuse everything, and what they refuse with. */
const REFUSING: Readonly<Record<"Validating" | "Mutating", readonly [spec: Loose, bound: Loose, status: number]>> = {
  Validating: [{ validations: [{ expression: "false" }] }, { validationActions: ["Deny"] }, 422],
  Mutating: [
    {
      reinvocationPolicy: "Never",
      mutations: [{ patchType: "JSONPatch", jsonPatch: { expression: "[JSONPatch{op: 'remove', path: '/none'}]" } }],
    },
    {},
    403,
  ],
};

Deno.test("a policy about everything locks nobody out: it is not asked about reviews, nor about policies", async () => {
  for (const [kind, [spec, bound, status]] of Object.entries(REFUSING)) {
    const policies = `${API}/${kind.toLowerCase()}admissionpolicies`, bindings = policies.replace(/ies$/, "ybindings");
    await withServer([], async (t) => {
      const everything = { apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"] };
      await create(t, policies, "all", { spec: { matchConstraints: { resourceRules: [everything] }, ...spec } });
      await create(t, bindings, "all", { spec: { policyName: "all", ...bound } });
      assert.equal((await t.fetch(MAPS, { body: { metadata: { name: "a" } } })).status, status);
      for (const [path, spec] of UNASKED) {
        const metadata = path.startsWith(API) ? { name: "other" } : {};
        const answer = await t.fetch(path, { body: { metadata, ...(spec ? { spec } : {}) } });
        assert.equal(answer.status, 201, answer.text);
      }
      assert.equal((await t.fetch(`${bindings}/all`, { method: "DELETE" })).status, 200);
    });
  }
});

const NOBODY = "system:serviceaccount:n:s";
/** What an expression of a policy about `pods/status` asks, and what a webhook is asked then. */
const ASKED: readonly (readonly [expression: string, spec: Loose])[] = [
  ["group('apps').resource('deployments').subresource('scale').namespace('n').name('d')", {
    resourceAttributes: { group: "apps", resource: "deployments", subresource: "scale", namespace: "n", name: "d" },
  }],
  ["group('').resource('pods').fieldSelector('a=b').labelSelector('c')", {
    resourceAttributes: {
      resource: "pods",
      fieldSelector: { requirements: [{ key: "a", operator: "In", values: ["b"] }] },
      labelSelector: { requirements: [{ key: "c", operator: "Exists" }] },
    },
  }],
  ["requestResource", {
    resourceAttributes: { resource: "pods", subresource: "status", namespace: "default", name: "p" },
  }],
  ["path('/x')", { nonResourceAttributes: { path: "/x" } }],
  ["serviceAccount('n', 's').group('').resource('pods')", {
    user: NOBODY,
    group: ["system:serviceaccounts", "system:serviceaccounts:n"],
    resourceAttributes: { resource: "pods" },
  }],
];

Deno.test("what expressions ask the authorizer, each question once", async () => {
  const asked: Loose[] = [];
  const post = (body: string) => {
    const { spec } = JSON.parse(body);
    if ((spec.resourceAttributes ?? spec.nonResourceAttributes).verb === "v") asked.push(spec);
    return Promise.resolve({ status: 200, body: JSON.stringify({ status: { allowed: true } }) });
  };
  const outside = { ...CLOSED, post: () => post };
  const flags = ["--authorization-mode=Webhook", "--authorization-webhook-config-file=/hook"];
  const t = await startTestServer([
    ...flags,
    "--authorization-webhook-cache-authorized-ttl=0s",
    "--disable-admission-plugins=ServiceAccount",
  ], { outside });
  try {
    const validations = [...ASKED, ...ASKED].map(([text]) => ({
      expression: `authorizer.${text}.check('v').allowed()`,
    }));
    const resourceRules = [{
      ...matchConstraints.resourceRules[0],
      operations: ["UPDATE"],
      resources: ["pods/status"],
    }];
    await create(t, POLICIES, "p", { spec: { matchConstraints: { resourceRules }, validations } });
    await create(t, BINDINGS, "b", { spec: { policyName: "p", validationActions: ["Deny"] } });
    const PODS = "/api/v1/namespaces/default/pods", containers = [{ name: "c", image: "i" }];
    await create(t, PODS, "p", { spec: { containers } });
    const changed = await t.fetch(`${PODS}/p/status`, {
      method: "PATCH",
      headers: { "content-type": "application/merge-patch+json" },
      body: { status: { phase: "Running" } },
    }, { name: "ann", groups: ["dev"] });
    assert.equal(changed.status, 200, changed.text);
    const wanted = ASKED.map(([, { resourceAttributes, nonResourceAttributes, ...user }]) => ({
      ...(resourceAttributes ? { resourceAttributes: { version: "*", verb: "v", ...resourceAttributes } } : {}),
      ...(nonResourceAttributes ? { nonResourceAttributes: { verb: "v", ...nonResourceAttributes } } : {}),
      ...{ user: "ann", group: ["dev"], ...user },
    }));
    assert.deepEqual(asked, wanted);
  } finally {
    await t.stop();
  }
});
