/** Tokens that are bound to configurations of webhooks: who gets them, for whom, and what they say. */
import assert from "node:assert/strict";
import { memoryBackend } from "../../server/storage/memory.ts";
import { type Answer, startTestServer, type TestServer } from "../fixture/server.ts";
import { ISSUER, signer } from "./fixture.ts";

const URL_HOOK = "https://hook.example/check";
const GATE = "--feature-gates=APIServerWebhookAuthenticationToken=true";
const REG = "admissionregistration.k8s.io/v1", RBAC = "rbac.authorization.k8s.io/v1";

const rule = (group: string) => ({ apiGroups: [group], apiVersions: ["*"], operations: ["*"], resources: ["*"] });
const hook = (name: string, clientConfig: object, group: string) => ({
  name,
  clientConfig,
  rules: [rule(group)],
  admissionReviewVersions: ["v1"],
  sideEffects: "None",
});

async function make(t: TestServer, path: string, body: object): Promise<Answer> {
  const answer = await t.fetch(path, { body });
  assert.equal(answer.status, 201, answer.text);
  return answer;
}

/** An account that may attest for `apps`, and a configuration `hooks` of three webhooks. */
async function world(t: TestServer): Promise<string> {
  await make(t, "/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "robot" } });
  const attest = {
    apiGroups: ["authentication.k8s.io"],
    resources: ["admissionReviewAPIGroups"],
    resourceNames: ["apps", "batch"],
    verbs: ["attest"],
  };
  await make(t, `/apis/${RBAC}/clusterroles`, { metadata: { name: "attest" }, rules: [attest] });
  await make(t, `/apis/${RBAC}/clusterrolebindings`, {
    metadata: { name: "attest" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "attest" },
    subjects: [{ kind: "ServiceAccount", name: "robot", namespace: "default" }],
  });
  const service = { name: "s", namespace: "n", path: "/p" };
  const { body } = await make(t, `/apis/${REG}/validatingwebhookconfigurations`, {
    metadata: { name: "hooks" },
    webhooks: [
      hook("a.example.com", { url: URL_HOOK }, "apps"),
      hook("b.example.com", { service }, "*"),
      hook("c.example.com", { url: "https://other.example/" }, "policy"),
    ],
  });
  return body.metadata.uid;
}

interface Ask {
  readonly audience?: string;
  readonly group?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly kind?: string;
  readonly apiVersion?: string;
}
const ask = (t: TestServer, o: Ask = {}) =>
  t.fetch("/api/v1/namespaces/default/serviceaccounts/robot/token", {
    body: {
      spec: {
        audiences: [o.audience ?? URL_HOOK],
        boundObjectRef: {
          apiVersion: o.apiVersion ?? REG,
          kind: o.kind ?? "ValidatingWebhookConfiguration",
          name: o.name ?? "hooks",
          ...(o.uid ? { uid: o.uid } : {}),
        },
        ...(o.apiVersion ? {} : { attestations: { admissionReviewAPIGroups: [o.group ?? "apps"] } }),
      },
    },
  });

const ROWS: readonly (readonly [what: string, ask: Ask, code: number])[] = [
  ["the URL of a webhook with rules for the group", {}, 201],
  ["the address of a service, whatever the group", { audience: "https://s.n.svc:443/p", group: "batch" }, 201],
  ["another path of that service", { audience: "https://s.n.svc:443/", group: "batch" }, 403],
  ["a webhook without rules for the group", { group: "batch" }, 403],
  ["a webhook that is none", { audience: "https://nobody.example/" }, 403],
  ["a group that the account may not attest", { audience: "https://other.example/", group: "policy" }, 403],
  ["every group, which it may not attest either", { group: "*" }, 403],
  ["a configuration that is not there", { name: "nothing" }, 403],
  ["one of another kind", { kind: "MutatingWebhookConfiguration" }, 403],
  ["one of no kind that tokens can be bound to", { apiVersion: "v1", kind: "constructor" }, 400],
  ["another of the name", { uid: "another" }, 409],
  ["the API server itself", { audience: ISSUER }, 400],
];
Deno.test("tokens for webhooks", async (test) => {
  const t = await startTestServer([GATE], { signer: signer() });
  await world(t);
  for (const [what, asked, code] of ROWS) {
    await test.step(what, async () => {
      const answer = await ask(t, asked);
      assert.equal(answer.status, code, answer.text);
    });
  }
  await t.stop();
});

const review = async (t: TestServer, token: string) =>
  (await t.fetch("/apis/authentication.k8s.io/v1/tokenreviews", { body: { spec: { token, audiences: [URL_HOOK] } } }))
    .body.status;

Deno.test("such a token lives ten minutes, says what it attests, and falls with its configuration and gate", async () => {
  const backend = memoryBackend();
  const t = await startTestServer([GATE], { signer: signer(), backend });
  const uid = await world(t);
  const { body } = await ask(t);
  assert.equal(body.spec.expirationSeconds, 600);
  const { token } = body.status;
  const { user, authenticated } = await review(t, token);
  assert.equal(authenticated, true);
  const extra = (name: string) => user.extra[`authentication.kubernetes.io/validatingwebhookconfiguration-${name}`];
  assert.deepEqual([extra("name"), extra("uid")], [["hooks"], [uid]]);
  assert.deepEqual(user.extra["attestation.authentication.kubernetes.io/admissionReviewAPIGroups"], ["apps"]);
  const off = await startTestServer([], { signer: signer(), backend });
  assert.match((await review(off, token)).error, /turned off/);
  assert.equal((await ask(off)).status, 400);
  await off.stop();
  await t.fetch(`/apis/${REG}/validatingwebhookconfigurations/hooks`, { method: "DELETE" });
  // Another server: the first keeps what it has found good for some seconds.
  const other = await startTestServer([GATE], { signer: signer(), backend });
  assert.match(
    (await review(other, token)).error,
    /^\[invalid bearer token, service account token has been invalidated\]$/,
  );
  await other.stop();
  await t.stop();
  await backend.close();
});
