/** Admission of custom resources whose versions a webhook converts. */
import assert from "node:assert/strict";
import { HOOK_CA } from "../fixture/hooks.ts";
import { until } from "./_crd.ts";
import type { Loose } from "../fixture/loose.ts";
import { at, expectOk, stage, thing } from "./_conversion.ts";

Deno.test("admission webhooks see the version that their rules name, and patch it", () =>
  stage(async ({ t, hooks }) => {
    const url = hooks.on("/admit", ({ request }) => {
      assert.deepEqual([request.object.apiVersion, request.object.spec], ["example.com/v1", { address: "a:1" }]);
      return { patch: [{ op: "replace", path: "/spec/address", value: "b:2" }] };
    });
    const webhook = {
      name: "h.test.io",
      clientConfig: { url, caBundle: btoa(HOOK_CA) },
      rules: [{ apiGroups: ["example.com"], apiVersions: ["v1"], resources: ["things"], operations: ["CREATE"] }],
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
    };
    const path = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
    expectOk(await t.fetch(path, { body: { metadata: { name: "h" }, webhooks: [webhook] } }), 201);
    const made = expectOk(await t.fetch(at("v2"), { body: thing("v2", "a", { host: "a", port: "1" }) }), 201);
    assert.deepEqual([made.apiVersion, made.spec], ["example.com/v2", { host: "b", port: "2" }]);
  }));

Deno.test("metadata that a webhook breaks is the object's fault, unless the server sets it afterwards", () =>
  stage(async ({ t, hooks }) => {
    let patch: Loose[] = [];
    const webhook = {
      name: "h.test.io",
      clientConfig: { url: hooks.on("/break", () => ({ patch })), caBundle: btoa(HOOK_CA) },
      rules: [{ apiGroups: ["example.com"], apiVersions: ["v1"], resources: ["things"], operations: ["CREATE"] }],
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
    };
    const path = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
    expectOk(await t.fetch(path, { body: { metadata: { name: "h" }, webhooks: [webhook] } }), 201);
    const send = (member: string, value: unknown) => {
      patch = [{ op: "add", path: `/metadata/${member}`, value }];
      return t.fetch(at("v1", "?dryRun=All"), { body: thing("v1", "a", { address: "a:1" }) });
    };
    for (const [member, value] of [["labels", { a: 1 }], ["finalizers", [1]], ["ownerReferences", "x"], ["name", 5]]) {
      const { status, body } = await send(member as string, value);
      const name = member === "name" ? undefined : "a";
      assert.deepEqual([status, body.details.name, body.details.causes[0].field], [422, name, "metadata"], `${member}`);
    }
    for (const member of ["creationTimestamp", "generation", "uid"]) expectOk(await send(member, {}), 201);
  }));

Deno.test("admission policies see the version that they match, and change it", () =>
  stage(async ({ t, patch }) => {
    const path = "/apis/admissionregistration.k8s.io/v1/";
    const rule = { apiGroups: ["example.com"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["things"] };
    const matchConstraints = { resourceRules: [rule] };
    const make = async (kind: string, spec: Loose, binding: Loose) => {
      const at = `${path}${kind}s`.toLowerCase().replace("policys", "policies");
      expectOk(await t.fetch(at, { body: { metadata: { name: "p" }, spec } }), 201);
      const body = { metadata: { name: "b" }, spec: { policyName: "p", ...binding } };
      expectOk(await t.fetch(`${path}${kind}bindings`.toLowerCase(), { body }), 201);
    };
    const validations = [{ expression: "object.spec.address != 'no:1'", message: "not there" }];
    await make("ValidatingAdmissionPolicy", { matchConstraints, validations }, { validationActions: ["Deny"] });
    const said = await until(
      () => t.fetch(at("v2", "?dryRun=All"), { body: thing("v2", "n", { host: "no", port: "1" }) }),
      (a) => a.status === 422,
    );
    assert.match(said.body.message, /not there/);
    const expression = 'Object{spec: Object.spec{address: "changed:1"}}';
    const mutations = [{ patchType: "ApplyConfiguration", applyConfiguration: { expression } }];
    await make("MutatingAdmissionPolicy", { matchConstraints, mutations, reinvocationPolicy: "Never" }, {});
    const made = await until(
      () => t.fetch(at("v2", "?dryRun=All"), { body: thing("v2", "a", { host: "a", port: "1" }) }),
      (a) => a.body.spec?.host === "changed",
    );
    assert.equal(expectOk(made, 201).apiVersion, "example.com/v2");
    assert.equal((await patch(at("v2", "/a"), {})).status, 404);
  }));

Deno.test("parameters of policies are seen in the version that the policy names", () =>
  stage(async ({ t, say, patch }) => {
    expectOk(await t.fetch(at("v1"), { body: thing("v1", "p", { address: "h:1" }) }), 201);
    const path = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolic";
    const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] };
    const spec = {
      matchConstraints: { resourceRules: [rule] },
      paramKind: { apiVersion: "example.com/v2", kind: "Thing" },
      validations: [{ expression: "object.data.host == params.spec.host", message: "another host" }],
    };
    expectOk(await t.fetch(`${path}ies`, { body: { metadata: { name: "p" }, spec } }), 201);
    const paramRef = { name: "p", namespace: "default", parameterNotFoundAction: "Deny" };
    const binding = { policyName: "p", validationActions: ["Deny"], paramRef };
    expectOk(await t.fetch(`${path}ybindings`, { body: { metadata: { name: "b" }, spec: binding } }), 201);
    const send = (host: string) =>
      t.fetch("/api/v1/namespaces/default/configmaps?dryRun=All", {
        body: { metadata: { name: "c" }, data: { host } },
      });
    const no = await until(() => send("other"), (a) => a.status !== 201);
    assert.match(no.body.message, /another host/);
    expectOk(await send("h"), 201);
    say((response) => void (response.result = { status: "Failure", message: "not today" }));
    assert.match((await send("h")).body.message, /failed to configure binding: .*not today/);
    expectOk(await patch(`${path}ies/p`, { spec: { failurePolicy: "Ignore" } }));
    await until(() => send("other"), (a) => a.status === 201);
  }));
