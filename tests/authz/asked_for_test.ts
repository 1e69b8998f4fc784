/** A webhook is asked for the sake of a request: what it is asked ends with that. */
import assert from "node:assert/strict";
import type { PostJson } from "../../server/authentication/webhook_client.ts";
import { SAMPLES } from "../kinds/objects.ts";
import { ADMIN, CLOSED, type Init, startTestServer } from "../fixture/server.ts";

const DEFAULT = "/api/v1/namespaces/default", RBAC = "/apis/rbac.authorization.k8s.io/v1";
const REGISTRATION = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
const CLAIMS = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
const PODS = { name: "p", labels: { app: "a" } };
const ANN = { name: "ann", groups: ["system:authenticated"] };

const devices = { requests: [{ name: "r", exactly: { deviceClassName: "c" } }] };
const pod = { metadata: PODS, spec: { containers: [{ name: "c", image: "i" }] } };
const reservedFor = [{ resource: "pods", name: "p", uid: "u" }];
const rules = [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"] }];
const merge = { "content-type": "application/merge-patch+json" };
const policy = {
  matchConstraints: {
    resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations: ["*"] }],
  },
  validations: [{ expression: "true" }],
  paramKind: { apiVersion: "v1", kind: "ConfigMap" },
};
const asking = {
  matchConstraints: {
    resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["endpoints"], operations: ["CREATE"] }],
  },
  validations: [{ expression: "authorizer.group('').resource('secrets').check('get').allowed()" }],
};
const certificate = SAMPLES["podcertificaterequests.certificates.k8s.io"]!;
const REQUESTS = "/apis/certificates.k8s.io/v1/namespaces/default/podcertificaterequests";

/** What is sent, and what is asked about beside the request itself: `verb resource`. */
const ROWS: readonly (readonly [what: string, path: string, init: Init, about: string])[] = [
  ["an apply that creates", `${DEFAULT}/configmaps/new?fieldManager=m`, {
    method: "PATCH",
    headers: { "content-type": "application/apply-patch+yaml" },
    body: JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "new" } }),
  }, "create configmaps"],
  ["an exec by GET", `${DEFAULT}/pods/p/exec?command=a`, {}, "create pods/exec"],
  ["a deletion of what cannot be read", `${DEFAULT}/pods/p`, {
    method: "DELETE",
    body: { kind: "DeleteOptions", apiVersion: "v1", ignoreStoreReadErrorWithClusterBreakingPotential: true },
  }, "unsafe-delete-ignore-read-errors pods"],
  ["a role", `${RBAC}/clusterroles`, { body: { metadata: { name: "a" }, rules } }, "escalate clusterroles"],
  ["a policy with parameters", REGISTRATION, { body: { metadata: { name: "a" }, spec: policy } }, "get configmaps"],
  ["what a policy asks", `${DEFAULT}/endpoints`, { body: { metadata: { name: "e" } } }, "get secrets"],
  ["a claim's status", `${CLAIMS}/c/status`, {
    method: "PATCH",
    headers: merge,
    body: { status: { reservedFor } },
  }, "patch resourceclaims/binding"],
  ["an object that blocks the deletion of its owner", `${DEFAULT}/configmaps`, {
    body: {
      metadata: {
        name: "owned",
        ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "u", blockOwnerDeletion: true }],
      },
    },
  }, "update */finalizers"],
  ["a certificate for a pod", `${REQUESTS}/r/status`, {
    method: "PATCH",
    headers: merge,
    body: { status: certificate.status },
  }, "sign signers"],
];

for (const [what, path, init, about] of ROWS) {
  Deno.test(`who has gone does not have a webhook think on: ${what}`, async () => {
    let asked: AbortSignal | undefined;
    const reached = Promise.withResolvers<void>(), answered = Promise.withResolvers<void>();
    const post: PostJson = async (body, signal) => {
      const { resourceAttributes: a = {} } = JSON.parse(body).spec;
      const resource = a.subresource ? `${a.resource}/${a.subresource}` : a.resource;
      if (`${a.verb} ${resource}` === about) {
        asked = signal;
        reached.resolve();
        await answered.promise;
      }
      return { status: 200, body: JSON.stringify({ status: { allowed: true } }) };
    };
    const outside = { ...CLOSED, post: () => post };
    const flags = [
      "--authorization-mode=Webhook",
      "--authorization-webhook-config-file=/hook",
      "--enable-admission-plugins=OwnerReferencesPermissionEnforcement",
    ];
    const t = await startTestServer(
      [...flags, "--authorization-webhook-cache-authorized-ttl=0s", "--disable-admission-plugins=ServiceAccount"],
      { outside },
    );
    const given: [string, unknown][] = [
      [`${DEFAULT}/pods`, pod],
      [CLAIMS, { metadata: { name: "c" }, spec: { devices } }],
      [REQUESTS, { ...certificate.object, metadata: { name: "r" } }],
      [REGISTRATION, { metadata: { name: "asking" }, spec: asking }],
      [`${REGISTRATION.slice(0, -"ies".length)}ybindings`, {
        metadata: { name: "asking" },
        spec: { policyName: "asking", validationActions: ["Deny"] },
      }],
    ];
    for (const [at, body] of given) {
      const made = await t.fetch(at, { body }, ADMIN);
      assert.equal(made.status, 201, made.text);
    }
    const client = new AbortController();
    const answer = t.fetch(path, { ...init, signal: client.signal }, ANN);
    await Promise.race([reached.promise, answer.then((a) => assert.fail(`nobody was asked: ${a.text}`))]);
    assert.equal(asked!.aborted, false);
    client.abort();
    assert.equal(asked!.aborted, true);
    answered.resolve();
    await answer.catch(() => {});
    await t.stop();
  });
}
