import assert from "node:assert/strict";
import { verifyKeys } from "../../server/authentication/keys.ts";
import { serviceAccountTokens } from "../../server/authentication/service_account.ts";
import { TokenIssuer } from "../../server/authentication/token_issuer.ts";
import { productOf } from "../../schema/product.ts";
import { generateKey } from "../../pki/mod.ts";
import { NOW } from "./fixture.ts";

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
