/** Discovery is to be had in CBOR where that is on, plain and aggregated. */
import assert from "node:assert/strict";
import { parseCbor } from "../../schema/codec/cbor.ts";
import { withServer } from "../fixture/server.ts";

const AGGREGATED = "application/cbor;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

for (const on of [true, false]) {
  Deno.test(`discovery in CBOR with the gate ${on ? "on" : "off"}`, async () => {
    await withServer([`--feature-gates=CBORServingAndStorage=${on}`], async (t) => {
      for (const path of ["/api", "/apis"]) {
        const answer = await t.open(path, { headers: { accept: AGGREGATED } });
        const bytes = new Uint8Array(await answer.arrayBuffer());
        assert.equal(answer.status, on ? 200 : 406, path);
        if (on) {
          assert.equal(answer.headers.get("content-type"), AGGREGATED);
          const plain = await t.fetch(path, { headers: { accept: AGGREGATED.replace("cbor", "json") } });
          assert.deepEqual(parseCbor(bytes).tree, plain.body);
        }
      }
      for (
        const path of [
          "/api",
          "/api/",
          "/apis",
          "/apis/apps",
          "/apis/apps/",
          "/apis/apps/v1",
          "/apis/apiregistration.k8s.io",
        ]
      ) {
        const bare = await t.open(path, { headers: { accept: "application/cbor" } });
        const bytes = new Uint8Array(await bare.arrayBuffer());
        assert.equal(bare.status, on ? 200 : 406, path);
        if (on) assert.deepEqual(parseCbor(bytes).tree, (await t.fetch(path)).body);
        const first = await t.open(path, { headers: { accept: "application/cbor, application/json" } });
        await first.body?.cancel();
        assert.equal(first.headers.get("content-type"), `application/${on ? "cbor" : "json"}`, path);
      }
    });
  });
}
