/** Conditions of authorization webhooks. */
import assert from "node:assert/strict";
import { conditionOf } from "../../server/authorization/match_conditions.ts";
import { webhookAuthorizer } from "../../server/authorization/webhook.ts";
import { productOf } from "../../schema/product.ts";
import { attributesOf } from "./_attributes.ts";

/** Expressions, what a GET of pods by ann in namespace a comes to, and whether the webhook was asked. */
const ROWS: [conditions: string[], decision: string, asked: boolean][] = [
  [["true"], "allow", true],
  [["has(request.resourceAttributes)", "request.resourceAttributes.namespace == 'a'"], "allow", true],
  [["request.resourceAttributes.namespace == 'kube-system'"], "no-opinion", false],
  [["request.resourceAttributes.subresource == ''", "request.resourceAttributes.group == ''"], "allow", true],
  [["!('system:serviceaccounts' in request.groups)", "request.user == 'ann'"], "allow", true],
  [["has(request.nonResourceAttributes)"], "no-opinion", false],
  [["request.nonResourceAttributes.path == '/x'"], "deny", false],
  [["request.extra['x'] == ['y']", "false"], "no-opinion", false],
  [["true", "request.extra['x'] == ['y']"], "deny", false],
  [["request.resourceAttributes.labelSelector.requirements.exists(r, r.key == 'x')"], "deny", false],
  [["!has(request.resourceAttributes.labelSelector)", "request.uid == ''"], "allow", true],
];
/** The same of a GET of /x. */
const PATH_ROWS: typeof ROWS = [
  [["!has(request.resourceAttributes)", "request.nonResourceAttributes.path == '/x'"], "allow", true],
  [["request.nonResourceAttributes.verb == 'post'"], "no-opinion", false],
];
const PATH = { isResource: false, group: "", version: "", resource: "", namespace: "", path: "/x" };
for (
  const [[expressions, decision, asks], of] of [
    ...ROWS.map((row) => [row, {}] as const),
    ...PATH_ROWS.map((row) => [row, PATH] as const),
  ]
) {
  Deno.test(`a webhook of ${expressions.join(" and ")}: ${decision}`, async () => {
    let asked = false;
    const hook = webhookAuthorizer({
      product: productOf("kubernetes"),
      name: "hook",
      post: () => {
        asked = true;
        return Promise.resolve({ status: 200, body: JSON.stringify({ status: { allowed: true } }) });
      },
      version: "v1",
      authorizedTtl: 0,
      unauthorizedTtl: 0,
      onFailure: "deny",
      conditions: expressions.map(conditionOf),
      now: () => 0,
    });
    const answer = await hook.authorize(attributesOf({ name: "ann", groups: ["system:authenticated", "dev"] }, of));
    assert.deepEqual([answer.decision, asked], [decision, asks]);
    assert.equal(answer.error !== undefined, decision === "deny");
  });
}

Deno.test("conditions speak of what a review has, and are true or false", () => {
  for (
    const bad of ["request.nope", "object.metadata", "1", "request.user", "request.user ==", "authorizer.path('/')"]
  ) {
    assert.throws(() => conditionOf(bad), bad);
  }
});
