import assert from "node:assert/strict";
import { HOOK_CA } from "../fixture/hooks.ts";
import type { Loose } from "../fixture/loose.ts";
import { startTestServer } from "../fixture/server.ts";
import { causes, definition, DEFINITIONS, established, patch, until, version } from "./_crd.ts";

const CRD = `${DEFINITIONS}/things.example.com`;
const webhook = (bundle: string): Loose => ({
  strategy: "Webhook",
  webhook: { conversionReviewVersions: ["v1"], clientConfig: { url: "https://127.0.0.1:1/c", caBundle: btoa(bundle) } },
});
const reason = (d: Loose): string | undefined =>
  d.status?.conditions?.find((c: Loose) => c.type === "Established")?.reason;

Deno.test("a definition is established when its webhook's authorities are there, and must keep sound ones then", async () => {
  const s = await startTestServer([]);
  const set = (bundle: string) => patch(s, CRD, { spec: { conversion: webhook(bundle) } });
  const made = await s.fetch(DEFINITIONS, { body: definition([version({})], { conversion: webhook("\n") }) });
  assert.equal(made.status, 201, made.text);
  await until(() => s.fetch(CRD), (a) => reason(a.body) === "InvalidCABundle");
  assert.equal((await set("text")).status, 200);
  assert.equal((await set(`text\n${HOOK_CA}`)).status, 200);
  await until(() => s.fetch(CRD), established);
  const at = ["FieldValueInvalid spec.conversion.webhookClientConfig.caBundle"];
  for (const bad of ["\n", HOOK_CA.replace("BEGIN CERTIFICATE", "BEGIN KEY")]) {
    assert.deepEqual(causes(await set(bad)), at);
  }
  assert.equal((await set("")).status, 200);
  await s.stop();
});
