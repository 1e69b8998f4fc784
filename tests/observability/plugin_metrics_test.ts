/** Metrics of policies, Pod Security, client certificates and watches that begin with lists. */
import assert from "node:assert/strict";
import type { Loose } from "../fixture/loose.ts";
import { type TestServer, withServer } from "../fixture/server.ts";

const POLICIES = "/apis/admissionregistration.k8s.io/v1";

/** Lines of a metric, without its name. */
async function linesOf(t: TestServer, metric: string): Promise<string[]> {
  const { text } = await t.fetch("/metrics");
  return text.split("\n").filter((line) => line.startsWith(`${metric}{`)).map((line) => line.slice(metric.length));
}

async function create(t: TestServer, path: string, body: Loose): Promise<void> {
  const answer = await t.fetch(path, { body });
  assert.equal(answer.status, 201, answer.text);
}

const matchConstraints = {
  resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
};

/** Sends config maps until the policies are at work. */
async function untilWarned(t: TestServer): Promise<void> {
  for (let i = 0; i < 2000; i++) {
    const { warnings } = await t.fetch("/api/v1/namespaces/default/configmaps?dryRun=All", {
      body: { metadata: { name: "a" } },
    });
    if (warnings.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("the policies do not come to work");
}

Deno.test("what validations of policies find is counted by what becomes of it", () =>
  withServer([], async (t) => {
    const policies: readonly [name: string, failurePolicy: string, expression: string, actions: string[]][] = [
      ["passing", "Ignore", "object.data.missing == ''", ["Deny"]],
      ["quiet", "Fail", "true", ["Deny"]],
      ["told", "Fail", "object.metadata.name == 'b'", ["Warn", "Audit"]],
    ];
    for (const [name, failurePolicy, expression, validationActions] of policies) {
      const spec = { failurePolicy, matchConstraints, validations: [{ expression }] };
      await create(t, `${POLICIES}/validatingadmissionpolicies`, { metadata: { name }, spec });
      const binding = { metadata: { name: `${name}-here` }, spec: { policyName: name, validationActions } };
      await create(t, `${POLICIES}/validatingadmissionpolicybindings`, binding);
    }
    await untilWarned(t);
    const counted = await linesOf(t, "apiserver_validating_admission_policy_check_total");
    const labels = (policy: string, action: string) =>
      `{policy="${policy}",policy_binding="${policy}-here",error_type="invalid_error",enforcement_action="${action}"} `;
    const found = counted.map((line) => line.replace(/\d+$/, ""));
    assert.deepEqual(found.sort(), [labels("passing", "allow"), labels("told", "audit"), labels("told", "warn")]);
  }));

Deno.test("mutations of policies are counted, those that cannot be made too", () =>
  withServer([], async (t) => {
    for (const [name, value] of [["good", "'v'"], ["bad", "object.data.missing"]] as const) {
      const mutations = [{
        patchType: "ApplyConfiguration",
        applyConfiguration: { expression: `Object{metadata: Object.metadata{labels: {'k': ${value}}}}` },
      }];
      const spec = { failurePolicy: "Ignore", reinvocationPolicy: "Never", matchConstraints, mutations };
      await create(t, `${POLICIES}/mutatingadmissionpolicies`, { metadata: { name }, spec });
      const binding = { metadata: { name: `${name}-here` }, spec: { policyName: name } };
      await create(t, `${POLICIES}/mutatingadmissionpolicybindings`, binding);
    }
    const body = { metadata: { name: "a" } };
    const path = "/api/v1/namespaces/default/configmaps?dryRun=All";
    while ((await t.fetch(path, { body })).body.metadata.labels?.k !== "v");
    const counted = (await linesOf(t, "apiserver_mutating_admission_policy_check_total")).map((l) =>
      l.replace(/ .*/, "")
    );
    assert.deepEqual(counted.sort(), [
      '{policy="bad",policy_binding="bad-here",error_type="invalid_error"}',
      '{policy="good",policy_binding="good-here",error_type="no_error"}',
    ]);
  }));

Deno.test("conditions of policies are counted and timed, those that cannot be evaluated too", () =>
  withServer([], async (t) => {
    const mutation = { patchType: "ApplyConfiguration", applyConfiguration: { expression: "Object{}" } };
    const rest: readonly [kind: string, rest: Loose, binding: Loose][] = [
      ["validating", { validations: [{ expression: "true" }] }, { validationActions: ["Deny"] }],
      ["mutating", { mutations: [mutation], reinvocationPolicy: "Never" }, {}],
    ];
    for (const [kind, specific, binding] of rest) {
      for (const [name, ...expressions] of [["unmet", "false"], ["faulty", "object.data.x == ''", "true"]]) {
        const matchConditions = expressions.map((expression, i) => ({ name: `c${i}`, expression }));
        const spec = { failurePolicy: "Ignore", matchConstraints, matchConditions, ...specific };
        const at = `${POLICIES}/${kind}admissionpol`, policyName = `${kind}-${name}`;
        await create(t, `${at}icies`, { metadata: { name: policyName }, spec });
        await create(t, `${at}icybindings`, { metadata: { name: policyName }, spec: { policyName, ...binding } });
      }
    }
    assert.equal(
      (await t.fetch("/api/v1/namespaces/default/configmaps", { body: { metadata: { name: "a" } } })).status,
      201,
    );
    const labels = (name: string) => `{name="${name}",kind="policy",type="validate",operation="CREATE"} 1`;
    const all = ["mutating-faulty", "mutating-unmet", "validating-faulty", "validating-unmet"].map(labels);
    const prefix = "apiserver_admission_match_condition_";
    assert.deepEqual((await linesOf(t, `${prefix}evaluation_seconds_count`)).sort(), all);
    assert.deepEqual((await linesOf(t, `${prefix}evaluation_errors_total`)).sort(), [all[0], all[2]]);
    assert.deepEqual(await linesOf(t, `${prefix}exclusions_total`), []);
  }));

Deno.test("what Pod Security allows and denies is counted by mode, level and version", () =>
  withServer(["--disable-admission-plugins=ServiceAccount"], async (t) => {
    const nothing = async (name: string) => (await linesOf(t, name)).every((line) => line.endsWith(" 0"));
    assert.equal((await linesOf(t, "pod_security_evaluations_total")).length, 2);
    assert.equal((await linesOf(t, "pod_security_exemptions_total")).length, 4);
    assert.ok(await nothing("pod_security_evaluations_total") && await nothing("pod_security_exemptions_total"));
    const prefix = "pod-security.kubernetes.io/";
    const labels = {
      [`${prefix}enforce`]: "baseline",
      [`${prefix}enforce-version`]: "v1.30",
      [`${prefix}warn`]: "restricted",
    };
    await create(t, "/api/v1/namespaces", { metadata: { name: "strict", labels } });
    const pod = (spec: Loose) => ({
      metadata: { name: "p" },
      spec: { containers: [{ name: "c", image: "i" }], ...spec },
    });
    const send = (spec: Loose) => t.fetch("/api/v1/namespaces/strict/pods?dryRun=All", { body: pod(spec) });
    assert.equal((await send({})).status, 201);
    assert.equal((await send({ hostNetwork: true })).status, 403);
    const counted = await linesOf(t, "pod_security_evaluations_total");
    const line = (decision: string, level: string, version: string, mode: string) =>
      `{decision="${decision}",policy_level="${level}",policy_version="${version}",mode="${mode}",` +
      `request_operation="create",resource="pod",subresource=""} 1`;
    assert.deepEqual(counted.filter((l) => !l.includes("privileged")).sort(), [
      line("allow", "baseline", "v1.30", "enforce"),
      line("deny", "baseline", "v1.30", "enforce"),
      line("deny", "restricted", "latest", "warn"),
    ]);
  }));

Deno.test("watches that begin with all objects are timed to the end of those", () =>
  withServer([], async (t) => {
    const watch = async (query: string) => {
      const { body } = await t.open(`/api/v1/secrets?watch=1&allowWatchBookmarks=true${query}`);
      const reader = body!.getReader();
      let text = "";
      while (!text.includes("initial-events-end")) text += new TextDecoder().decode((await reader.read()).value);
      await reader.cancel();
    };
    await watch("&sendInitialEvents=true&resourceVersionMatch=NotOlderThan");
    const labels = 'group="",version="v1",resource="secrets",scope="cluster"';
    assert.deepEqual(await linesOf(t, "apiserver_watch_list_duration_seconds_count"), [`{${labels}} 1`]);
  }));
