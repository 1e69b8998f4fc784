import assert from "node:assert/strict";
import { ALL, recording } from "./_recording.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const FILES = { serviceAccountKeys: [], tokenFile: 'good,admin,1,"system:masters"\n' };
const nobody = { headers: { authorization: "Bearer bad" } };

Deno.test("who is refused waits for a webhook that stores no events as long as requests may take, and is told once", async () => {
  const blocking = ["--audit-webhook-mode=blocking", "--audit-webhook-initial-backoff=1h"];
  let stores = true;
  const webhook = () => stores ? {} : { status: 500 };
  await recording(blocking, async ({ t, events }) => {
    assert.equal((await t.fetch(CONFIG_MAPS, nobody)).status, 401);
    assert.equal((await t.fetch(`${CONFIG_MAPS}?timeout=x`, nobody)).status, 400);
    stores = false;
    assert.equal((await t.fetch(`${CONFIG_MAPS}?timeout=100ms`, nobody)).status, 504);
    const told = events().map(({ stage, responseStatus }) => `${stage} ${responseStatus.code}`);
    assert.deepEqual(told, ["ResponseStarted 401", "ResponseStarted 400", "ResponseStarted 401"]);
  }, { policy: ALL, files: FILES, webhook });
});
