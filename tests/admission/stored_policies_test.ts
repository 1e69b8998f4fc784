/** Policies that lie in the store and would not be let in: what is wrong with a part of one spoils nothing else. */
import assert from "node:assert/strict";
import { memoryBackend } from "../../server/storage/memory.ts";
import { startTestServer } from "../fixture/server.ts";
import type { Loose } from "../fixture/loose.ts";

const MATCH = {
  matchPolicy: "Equivalent",
  namespaceSelector: {},
  objectSelector: {},
  resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
};
const BROKEN = { matchExpressions: [{ key: "a", operator: "Like" }] };

/** A policy with a binding. */
interface Stored {
  readonly kind: "Validating" | "Mutating";
  readonly policy: Loose;
  readonly binding: Loose;
}

/** What comes of a ConfigMap: the status, and what is said or, as an object, the labels that it gets. */
type Outcome = readonly [status: number, says?: RegExp | Loose];

async function play({ kind, policy, binding }: Stored, [status, shows]: Outcome): Promise<void> {
  const backend = memoryBackend();
  const metadata = { name: "p", uid: "u", creationTimestamp: "2026-01-01T00:00:00Z" };
  for (const [of, plural, own] of [["", "ies", policy], ["Binding", "ybindings", binding]]) {
    const apiVersion = "admissionregistration.k8s.io/v1";
    const text = JSON.stringify({ apiVersion, kind: `${kind}AdmissionPolicy${of}`, metadata, ...own });
    const key = `/registry/${kind.toLowerCase()}admissionpolic${plural}/p`;
    await backend.commit([{ key, value: new TextEncoder().encode(text) }]);
  }
  const t = await startTestServer(["--disable-admission-plugins=ServiceAccount"], { backend });
  try {
    const other = await t.fetch("/api/v1/namespaces/default/secrets", { body: { metadata: { name: "s" } } });
    assert.equal(other.status, 201, other.text);
    const answer = await t.fetch("/api/v1/namespaces/default/configmaps", { body: { metadata: { name: "c" } } });
    assert.equal(answer.status, status, answer.text);
    if (shows instanceof RegExp) assert.match(answer.body.message, shows);
    else if (shows) assert.deepEqual(answer.body.metadata.labels, shows);
  } finally {
    await t.stop();
    await backend.close();
  }
}

/** A case: what comes of the object where the policy fails on faults, and where it ignores them. */
interface Case extends Stored {
  readonly fail: Outcome;
  readonly ignore: Outcome;
}

const NO = { expression: "false", message: "no" }, YES = { expression: "true" };
const named = (...expressions: string[]) => expressions.map((expression, i) => ({ name: `n${i}`, expression }));
const step = (expression: string) => ({ patchType: "JSONPatch", jsonPatch: { expression } });
const ADD = step("[JSONPatch{op: 'add', path: '/metadata/labels', value: {'a': 'b'}}]"), ADDED = { a: "b" };

const checks = (policy: Loose, fail: Outcome, ignore: Outcome, binding: Loose = {}): Case => ({
  kind: "Validating",
  policy: { spec: { matchConstraints: MATCH, ...policy } },
  binding: { spec: { policyName: "p", validationActions: ["Deny"], ...binding } },
  fail,
  ignore,
});
const changes = (policy: Loose, fail: Outcome, ignore: Outcome, binding: Loose = {}): Case => ({
  kind: "Mutating",
  policy: { spec: { matchConstraints: MATCH, reinvocationPolicy: "Never", ...policy } },
  binding: { spec: { policyName: "p", ...binding } },
  fail,
  ignore,
});

const REFUSED: Outcome = [422, /denied request: no$/], MADE: Outcome = [201];
const UNKNOWN =
  /denied request: compilation error: compilation failed: ERROR: <input>:1:1: undeclared reference to 'nope'/;

const CASES: Readonly<Record<string, Case>> = {
  "a message's expression: the text stands in its place": checks(
    { validations: [{ ...NO, messageExpression: "nope" }] },
    REFUSED,
    REFUSED,
  ),
  "one of two validations": checks({ validations: [{ expression: "nope" }, NO] }, [422, UNKNOWN], REFUSED),
  "a variable that nobody asks for": checks({ variables: named("nope"), validations: [YES] }, MADE, MADE),
  "a variable that is asked for": checks(
    { variables: named("nope"), validations: [{ expression: "variables.n0 == 1" }] },
    [422, /expression 'variables.n0 == 1' resulted in error: composited variable "n0" fails to compile: /],
    MADE,
  ),
  "a condition": checks({ matchConditions: named("nope"), validations: [NO] }, [422, UNKNOWN], MADE),
  "a condition beside one that is not met": checks(
    { matchConditions: named("nope", "false"), validations: [NO] },
    MADE,
    MADE,
  ),
  "an audit annotation": checks(
    { validations: [YES], auditAnnotations: [{ key: "k", valueExpression: "nope" }] },
    [422, UNKNOWN],
    MADE,
  ),
  "a selector of the policy": checks(
    { matchConstraints: { ...MATCH, objectSelector: BROKEN }, validations: [NO] },
    [422, /Policy 'p' denied request: failed to configure policy: "Like" is not a valid label selector operator/],
    MADE,
  ),
  "a selector beside one that does not fit": checks(
    {
      matchConstraints: { ...MATCH, namespaceSelector: BROKEN, objectSelector: { matchLabels: { no: "no" } } },
      validations: [NO],
    },
    MADE,
    MADE,
  ),
  "a selector of the binding": changes(
    { mutations: [ADD] },
    [403, /policy 'p' with binding 'p' denied request: failed to configure binding: "Like" is not a valid/],
    MADE,
    { matchResources: { ...MATCH, namespaceSelector: BROKEN } },
  ),
  "a selector of parameters": changes(
    { paramKind: { apiVersion: "v1", kind: "ConfigMap" }, mutations: [ADD] },
    [403, /failed to configure binding: "Like" is not a valid/],
    MADE,
    { paramRef: { selector: BROKEN, parameterNotFoundAction: "Allow" } },
  ),
  "a mutation without an expression": changes(
    { mutations: [{ patchType: "JSONPatch" }, ADD] },
    [403, /policy 'p' with binding 'p' denied request: compilation error/],
    [201, ADDED],
  ),
  "a mutation that does not compile": changes({ mutations: [step("nope"), ADD] }, [403, UNKNOWN], [201, ADDED]),
  "all of it": { kind: "Validating", policy: {}, binding: {}, fail: MADE, ignore: MADE },
};

Deno.test("what is wrong with a part of a stored policy counts by its failure policy, and only where it is asked", async (t) => {
  for (const [name, c] of Object.entries(CASES)) {
    for (const [failurePolicy, outcome] of [["Fail", c.fail], ["Ignore", c.ignore]] as const) {
      const policy = c.policy["spec"] ? { spec: { failurePolicy, ...c.policy["spec"] } } : {};
      await t.step(`${name}, ${failurePolicy}`, () => play({ ...c, policy }, outcome));
    }
  }
});
