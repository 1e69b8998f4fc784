/** What is counted of authorizers and their webhooks. */
import assert from "node:assert/strict";
import { productOf } from "../../schema/product.ts";
import type { PostJson } from "../../server/authentication/webhook_client.ts";
import { makeAuthorizer } from "../../server/authorization/make.ts";
import { AuthorizationMetrics } from "../../server/authorization/metrics.ts";
import type { Authorizer, Decision } from "../../server/authorization/types.ts";
import { parseDuration } from "../../server/options/mod.ts";
import { attributesOf } from "./_attributes.ts";

const attributes = () => attributesOf({ name: "ann", groups: ["system:authenticated"] });
const OPTIONS = {
  authorizers: ["Node", "Webhook", "RBAC"],
  authorizationWebhookConfigFile: "/etc/hook",
  authorizationWebhookVersion: "v1",
  authorizationWebhookCacheAuthorizedTtl: 0,
  authorizationWebhookCacheUnauthorizedTtl: 0,
};
const configOf = (failurePolicy: string, more = "", timeout = "3s") => `
apiVersion: apiserver.config.k8s.io/v1
kind: AuthorizationConfiguration
authorizers:
- type: Webhook
  name: asks.example.com
  webhook:
    timeout: ${timeout}
    subjectAccessReviewVersion: v1
    failurePolicy: ${failurePolicy}
    cacheAuthorizedRequests: false
    cacheUnauthorizedRequests: false
    connectionInfo: {type: KubeConfigFile, kubeConfigFile: /etc/hook}
${more}- {type: RBAC, name: rbac}
`;
const conditions = (...expressions: string[]) =>
  `    matchConditionSubjectAccessReviewVersion: v1\n    matchConditions:\n${
    expressions.map((e) => `    - {expression: "${e}"}\n`).join("")
  }`;

/** The chain, and what it has counted without what is zero; times by how often they were taken. */
function counted(post: PostJson, config?: string) {
  const metrics = new AuthorizationMetrics();
  const member = (decision: Decision["decision"]) => (): Authorizer => ({
    name: "x",
    authorize: () => ({ decision, reason: "" }),
    rulesFor: (user) => ({ resourceRules: [], nonResourceRules: [], incomplete: true, error: user.name }),
  });
  const chain = makeAuthorizer(OPTIONS, {
    product: productOf("kubernetes"),
    now: () => 0,
    metrics,
    rbac: member("allow"),
    node: member("no-opinion"),
    parseDuration,
    post: () => post,
    config: config === undefined ? undefined : { text: () => config },
  });
  const told = () =>
    metrics.rows().flatMap(({ name, samples }) =>
      samples(name).filter(({ metricName }) => !/_(bucket|sum)$/.test(metricName)).map((
        { metricName, labels, value },
      ) => `${metricName.replace("apiserver_authorization_", "")} ${Object.values(labels).join(" ")} ${value}`)
    );
  return { chain, told };
}
const answers = (status: unknown, code = 200): PostJson => () =>
  Promise.resolve({ status: code, body: JSON.stringify({ status }) });

Deno.test("decisions are counted by who took them, by modes and by names of a configuration", async () => {
  const byModes = counted(answers({}));
  await byModes.chain.authorize(attributes());
  assert.deepEqual(byModes.told(), [
    "decisions_total RBAC rbac allowed 1",
    "webhook_evaluations_total default success 1",
    "webhook_duration_seconds_count default success 1",
  ]);
  assert.match((await byModes.chain.rulesFor!(attributes().user, "a")).error!, /^\[ann, webhook authorizer .*\]$/);

  const status: Record<string, boolean> = {};
  const { chain, told } = counted(answers(status), configOf("Deny"));
  for (const said of [{ allowed: true }, { allowed: false, denied: true }, { denied: false }, { allowed: true }]) {
    await chain.authorize(attributesOf({ name: "ann", groups: [] }));
    Object.assign(status, said);
  }
  assert.deepEqual(told(), [
    "decisions_total RBAC rbac allowed 2",
    "decisions_total Webhook asks.example.com allowed 1",
    "decisions_total Webhook asks.example.com denied 1",
    "webhook_evaluations_total asks.example.com success 4",
    "webhook_duration_seconds_count asks.example.com success 4",
  ]);
});

Deno.test("masters are let in by nobody who counts", async () => {
  const { chain, told } = counted(answers({}));
  await chain.authorize(attributesOf({ name: "root", groups: ["system:masters"] }));
  assert.deepEqual(told(), []);
});

const hangs: PostJson = (_, signal) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

const FAILURES: [what: string, post: PostJson, timeout: string, policy: string, counted: string[]][] = [
  ["an answer that is none", answers({ allowed: "yes" }), "3s", "NoOpinion", ["error", "open"]],
  ["a refusal", answers({}, 403), "3s", "NoOpinion", ["error", "open"]],
  ["a refusal that decides", answers({}, 403), "3s", "Deny", ["error"]],
  ["one that takes too long", hangs, "1ms", "NoOpinion", ["timeout", "open"]],
];
for (const [what, post, timeout, policy, [result, open]] of FAILURES) {
  Deno.test(`a webhook's failure is counted: ${what}`, async () => {
    const { chain, told } = counted(post, configOf(policy, "", timeout));
    // The timer of a call's time does not keep the process.
    const alive = setInterval(() => {}, 1000);
    const { decision } = await chain.authorize(attributes());
    clearInterval(alive);
    assert.equal(decision, open ? "allow" : "deny");
    assert.deepEqual(told(), [
      open ? "decisions_total RBAC rbac allowed 1" : "decisions_total Webhook asks.example.com denied 1",
      `webhook_evaluations_total asks.example.com ${result} 1`,
      `webhook_duration_seconds_count asks.example.com ${result} 1`,
      ...(open ? [`webhook_evaluations_fail_open_total asks.example.com ${result} 1`] : []),
    ]);
  });
}

Deno.test("a call that ends with its request is counted as that, and passes nothing over", async () => {
  const { chain, told } = counted(hangs, configOf("NoOpinion", "", "30s"));
  const end = new AbortController(), answer = chain.authorize(attributes(), end);
  end.abort(new Error("gone"));
  await answer;
  assert.deepEqual(told().slice(1), [
    "webhook_evaluations_total asks.example.com canceled 1",
    "webhook_duration_seconds_count asks.example.com canceled 1",
  ]);
});

const CONDITIONS: [expressions: string[], more: string[]][] = [
  [["true"], ["webhook_evaluations_total asks.example.com success 1"]],
  [["false"], ["match_condition_exclusions_total Webhook asks.example.com 1"]],
  [["request.extra['x'] == ['y']", "false"], ["match_condition_exclusions_total Webhook asks.example.com 1"]],
  [["request.extra['x'] == ['y']"], ["match_condition_evaluation_errors_total Webhook asks.example.com 1"]],
];
for (const [expressions, more] of CONDITIONS) {
  Deno.test(`a webhook's conditions are counted: ${expressions.join(" and ")}`, async () => {
    const { chain, told } = counted(answers({}), configOf("NoOpinion", conditions(...expressions)));
    await chain.authorize(attributes());
    assert.deepEqual(told().filter((line) => !line.includes("duration")), [
      "decisions_total RBAC rbac allowed 1",
      ...more,
      "match_condition_evaluation_seconds_count Webhook asks.example.com 1",
    ]);
  });
}
