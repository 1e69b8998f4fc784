/** What becomes of requests whose objects cannot be converted to the version that admission is configured with. */
import assert from "node:assert/strict";
import { HOOK_CA } from "../fixture/hooks.ts";
import type { Loose } from "../fixture/loose.ts";
import { until } from "./_crd.ts";
import { at, expectOk, PATH, type Stage, stage, thing } from "./_conversion.ts";

const API = "/apis/admissionregistration.k8s.io/v1";
const rules = [{ apiGroups: ["example.com"], apiVersions: ["v3"], operations: ["*"], resources: ["things"] }];

/** Configuration that refuses or marks what is created as `v3`, so that one sees when it is in force. */
const KINDS: Readonly<Record<string, (failurePolicy: string, url: string) => readonly [string, Loose][]>> = {
  validatingadmissionpolicies: (failurePolicy) => [
    ["validatingadmissionpolicies", {
      spec: { failurePolicy, matchConstraints: { resourceRules: rules }, validations: [{ expression: "false" }] },
    }],
    ["validatingadmissionpolicybindings", { spec: { policyName: "p", validationActions: ["Deny"] } }],
  ],
  mutatingadmissionpolicies: (failurePolicy) => [
    ["mutatingadmissionpolicies", {
      spec: {
        failurePolicy,
        reinvocationPolicy: "Never",
        matchConstraints: { resourceRules: [{ ...rules[0], operations: ["CREATE"] }] },
        mutations: [{
          patchType: "JSONPatch",
          jsonPatch: { expression: '[JSONPatch{op: "add", path: "/metadata/labels", value: {"by": "policy"}}]' },
        }],
      },
    }],
    ["mutatingadmissionpolicybindings", { spec: { policyName: "p" } }],
  ],
  validatingwebhookconfigurations: (failurePolicy, url) => [
    ["validatingwebhookconfigurations", { webhooks: [hook(failurePolicy, url)] }],
  ],
  mutatingwebhookconfigurations: (failurePolicy, url) => [
    ["mutatingwebhookconfigurations", { webhooks: [hook(failurePolicy, url)] }],
  ],
};

const hook = (failurePolicy: string, url: string): Loose => ({
  name: "a.example.com",
  failurePolicy,
  clientConfig: { url, caBundle: btoa(HOOK_CA) },
  rules,
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
});

/** A third version, and the configuration; conversions to the third one fail, or those to the second one. */
async function prepare({ t, hooks, patch, say }: Stage, kind: string, failurePolicy: string): Promise<void> {
  const { spec } = expectOk(await t.fetch(PATH));
  expectOk(await patch(PATH, { spec: { versions: [...spec.versions, { ...spec.versions[1], name: "v3" }] } }));
  const refuse = hooks.on("/refuse", () => ({ response: { allowed: false } }));
  const made = KINDS[kind]!(failurePolicy, refuse);
  for (const [resource, o] of made) {
    expectOk(await t.fetch(`${API}/${resource}`, { body: { metadata: { name: "p" }, ...o } }), 201);
  }
  const body = thing("v3", "w", { host: "a", port: "1" });
  await until(
    () => t.fetch(at("v3", "?dryRun=All"), { body }),
    ({ status, body }) => status === 201 ? body.metadata.labels?.by !== undefined : status !== 404,
  );
  say((r, { request }) => {
    if (request.desiredAPIVersion.endsWith("/v3")) r.result = { status: "Failure", message: "down" };
  });
}

const DOWN = "conversion webhook for example.com/v2, Kind=Thing failed: down";
const WITH = "denied request: failed to configure binding: failed to convert object version: ";

/** `code reason message` of the answer by kind and failure policy. */
const ROWS: readonly [string, string, string][] = [
  [
    "validatingadmissionpolicies",
    "Fail",
    `422 Invalid things.example.com "a" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'p' ${WITH}${DOWN}`,
  ],
  ["validatingadmissionpolicies", "Ignore", "201"],
  ["mutatingadmissionpolicies", "Fail", `403 Forbidden policy 'p' with binding 'p' ${WITH}${DOWN}`],
  ["mutatingadmissionpolicies", "Ignore", "201"],
  ["validatingwebhookconfigurations", "Fail", `500 InternalError Internal error occurred: ${DOWN}`],
  ["validatingwebhookconfigurations", "Ignore", `500 InternalError Internal error occurred: ${DOWN}`],
  ["mutatingwebhookconfigurations", "Ignore", `500 InternalError Internal error occurred: ${DOWN}`],
];

Deno.test("policies go by their failure policy where objects cannot be converted for them; webhooks fail the request", async (test) => {
  for (const [kind, failurePolicy, told] of ROWS) {
    await test.step(`${kind} ${failurePolicy}`, () =>
      stage(async (s) => {
        await prepare(s, kind, failurePolicy);
        const { status, body } = await s.t.fetch(at("v2"), { body: thing("v2", "a", { host: "a", port: "1" }) });
        const got = status === 201 ? "201" : `${status} ${body.reason} ${body.message}`;
        assert.equal(got, told);
      }));
  }
});

Deno.test("what a policy has made that cannot be converted back is an internal error", () =>
  stage(async (s) => {
    await prepare(s, "mutatingadmissionpolicies", "Fail");
    s.say((r, { request }) => {
      if (request.desiredAPIVersion.endsWith("/v2")) r.result = { status: "Failure", message: "down" };
    });
    const { body } = await s.t.fetch(at("v2"), { body: thing("v2", "a", { host: "a", port: "1" }) });
    const why = "failed to convert object: conversion webhook for example.com/v3, Kind=Thing failed: down";
    assert.deepEqual([body.code, body.reason, body.message], [500, "InternalError", `Internal error occurred: ${why}`]);
  }));
