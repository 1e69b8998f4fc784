import assert from "node:assert/strict";
import { verifyKeys } from "../../server/authentication/keys.ts";
import { serviceAccountTokens } from "../../server/authentication/service_account.ts";
import { TokenIssuer } from "../../server/authentication/token_issuer.ts";
import { productOf } from "../../schema/product.ts";
import { generateKey } from "../../pki/mod.ts";
import { decodeJwt } from "jose";
import { startTestServer } from "../fixture/server.ts";
import { ISSUER as SIGNER, NOW, signer } from "./fixture.ts";

const ISSUER = "https://orch.default.svc";

Deno.test("a token that is issued is known by the public half of its key, until it expires", async () => {
  const key = generateKey(), keys = verifyKeys([key]);
  const issuedAt = NOW / 1000;
  let now = NOW;
  const token = await new TokenIssuer(key, ISSUER).sign({
    subject: "system:serviceaccount:ns:bot",
    audiences: [ISSUER],
    issuedAt,
    expiresAt: issuedAt + 600,
    id: "j",
    private: { "orch.io": { namespace: "ns", serviceaccount: { name: "bot", uid: "u" } } },
  });
  const known = serviceAccountTokens({
    product: productOf("orch"),
    issuers: [ISSUER],
    keys: () => keys,
    apiAudiences: [ISSUER],
    lookup: true,
    objects: { get: () => ({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "bot", uid: "u" } }) },
    now: () => now,
  });
  const who = await known.authenticateToken(token, [ISSUER]);
  assert.equal(who?.user.name, "system:serviceaccount:ns:bot");
  assert.deepEqual(who?.user.extra, { "authentication.orch.io/credential-id": ["JTI=j"] });
  now = NOW + 700_000;
  await assert.rejects(async () => await known.authenticateToken(token, [ISSUER]), /expired/);
});

Deno.test("a token is bound to what is there, of its account, and says which node a pod is on", async () => {
  const t = await startTestServer(["--disable-admission-plugins=ServiceAccount"], { signer: signer() });
  const make = async (path: string, body: Record<string, unknown>) => {
    const made = await t.fetch(`/api/v1/${path}`, { body });
    assert.equal(made.status, 201, made.text);
    return made.body.metadata.uid as string;
  };
  const own = "namespaces/default", robot = `/api/v1/${own}/serviceaccounts/robot/token`;
  const uid = await make(`${own}/serviceaccounts`, { metadata: { name: "robot" } });
  await make(`${own}/serviceaccounts`, { metadata: { name: "other" } });
  const node = await make("nodes", { metadata: { name: "n1" } });
  const secret = await make(`${own}/secrets`, { metadata: { name: "s" } });
  const containers = [{ name: "c", image: "i" }];
  const pods: Record<string, string> = {};
  for (
    const [name, spec] of [["mine", { nodeName: "n1" }], ["loose", {}], ["theirs", { serviceAccountName: "other" }]]
  ) {
    const body = { metadata: { name }, spec: { serviceAccountName: "robot", containers, ...spec as object } };
    pods[name as string] = await make(`${own}/pods`, body);
  }
  const ask = (ref: Record<string, string>, metadata = {}) =>
    t.fetch(robot, { body: { metadata, spec: { boundObjectRef: { apiVersion: "v1", ...ref } } } });
  const mine = { kind: "Pod", name: "mine" };
  const rows: [ref: Record<string, string>, claims: Record<string, unknown>][] = [
    [mine, { pod: { name: "mine", uid: pods["mine"] }, node: { name: "n1", uid: node } }],
    [{ kind: "Pod", name: "loose" }, { pod: { name: "loose", uid: pods["loose"] } }],
    [{ kind: "Secret", name: "s", uid: secret }, { secret: { name: "s", uid: secret } }],
    [{ kind: "Node", name: "n1" }, { node: { name: "n1", uid: node } }],
  ];
  for (const [ref, claims] of rows) {
    const { body } = await ask(ref);
    const { aud, ["kubernetes.io"]: held } = decodeJwt(body.status.token);
    assert.deepEqual([aud, body.spec.audiences], [[SIGNER], [SIGNER]], "who asks for none is given the server's");
    const { namespace, serviceaccount, ...bound } = held as typeof claims;
    assert.deepEqual(
      [namespace, serviceaccount, bound],
      ["default", { name: "robot", uid }, claims],
      JSON.stringify(ref),
    );
  }
  const refused: [ref: Record<string, string>, code: number, says: RegExp, metadata?: Record<string, string>][] = [
    [{ kind: "Pod", name: "theirs" }, 400, /serviceaccount "robot" to pod running with different .* \(other\)/],
    [{ ...mine, uid: secret }, 409, /does not match the UID in record/],
    [{ kind: "Pod", name: "none" }, 404, /"none" not found/],
    [{ kind: "Pod" }, 400, /Name parameter required/],
    [{ kind: "ConfigMap", name: "c" }, 400, /cannot bind token for object of type v1 ConfigMap/],
    [{ ...mine, apiVersion: "apps/v1" }, 400, /cannot bind token for object of type apps\/v1 Pod/],
    [mine, 422, /must match the service account name/, { name: "other" }],
    [mine, 400, /does not match the namespace sent/, { namespace: "other" }],
  ];
  for (const [ref, code, says, metadata] of refused) {
    const answer = await ask(ref, metadata);
    assert.equal(answer.status, code, answer.text);
    assert.match(answer.body.message, says);
  }
  await t.stop();
});
