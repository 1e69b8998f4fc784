import assert from "node:assert/strict";
import { productOf } from "../../schema/product.ts";
import { verifyKeys } from "../../server/authentication/keys.ts";
import { serviceAccountTokens } from "../../server/authentication/service_account.ts";
import { tokenFile } from "../../server/authentication/token_file.ts";
import { keyPair, NOW, sign } from "./fixture.ts";
import { seeded } from "../fixture/random.ts";

Deno.test("damaged tokens are refused or unknown, never known and never a fault of ours", async () => {
  const pair = keyPair(), next = seeded(7), keys = verifyKeys([pair.publicPem]);
  const tokens = serviceAccountTokens({
    product: productOf("orch"),
    issuers: ["https://i"],
    keys: () => keys,
    apiAudiences: ["https://i"],
    lookup: true,
    objects: { get: () => ({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "b", uid: "u" } }) },
    now: () => NOW,
  });
  const good = await sign({
    iss: "https://i",
    sub: "system:serviceaccount:a:b",
    aud: "https://i",
    "orch.io": { namespace: "a", serviceaccount: { name: "b", uid: "u" } },
  }, pair.privateKey);
  assert.ok(await tokens.authenticateToken(good, ["https://i"]));
  for (let i = 0; i < 1000; i++) {
    const at = Math.floor(next() * (good.length - 1)), letter = String.fromCharCode(33 + Math.floor(next() * 94));
    const kind = Math.floor(next() * 3);
    const bad = kind === 0
      ? good.slice(0, at)
      : kind === 1
      ? good.slice(0, at) + letter + good.slice(at + 1)
      : good.slice(0, at) + letter + good.slice(at);
    if (bad === good) continue;
    try {
      const answer = await tokens.authenticateToken(bad, ["https://i"]);
      assert.equal(answer, undefined, bad);
    } catch (e) {
      assert.ok(e instanceof Error && !(e instanceof assert.AssertionError), String(e));
    }
  }
});

Deno.test("token files of any text are read or refused", () => {
  const next = seeded(11), letters = 'ab,"\n# \r';
  for (let i = 0; i < 2000; i++) {
    const text = Array.from({ length: Math.floor(next() * 30) }, () => letters[Math.floor(next() * letters.length)])
      .join("");
    try {
      tokenFile(text, []);
    } catch (e) {
      assert.match((e as Error).message, /^token file: line \d+/, JSON.stringify(text));
    }
  }
});
