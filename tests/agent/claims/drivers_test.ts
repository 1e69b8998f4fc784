import assert from "node:assert/strict";
import { DeviceHealth } from "../../../agent/claims/health.ts";
import { ClaimDrivers } from "../../../agent/claims/drivers.ts";
import { prepareCall } from "../../../agent/claims/messages.ts";
import { claimMetrics } from "../../../agent/claims/metrics.ts";
import { productOf } from "../../../schema/product.ts";
import { Registry } from "prom-client";
import { ClaimDriver } from "../../fixture/claim_driver.ts";
import { startTestServer } from "../../fixture/server.ts";
import { withDirectory } from "../../fixture/directory.ts";
import { until } from "../../listen/_fixture.ts";
import { HeldClock } from "../../spec/_orchlet.ts";

const NAME = "dev.example.com", SLICES = "/apis/resource.k8s.io/v1/resourceslices";

Deno.test("claims: what a driver offers is taken back when it is gone for half a minute, still registered or not", async () => {
  await withDirectory(async (dir) => {
    const clock = new HeldClock(), end = new AbortController(), log = () => {}, t = await startTestServer();
    const request = async (method: string, path: string, { query }: { query: Record<string, string> }) => {
      const { status } = await t.fetch(`${path}?${new URLSearchParams(query)}`, { method });
      assert.equal(status, 200);
    };
    const offer = async () => {
      const devices = [{ name: "mine" }], pool = { name: "pool", generation: 1, resourceSliceCount: 1 };
      const spec = { nodeName: "n", driver: NAME, pool, devices };
      const body = { apiVersion: "resource.k8s.io/v1", kind: "ResourceSlice", metadata: { name: "slice" }, spec };
      assert.equal((await t.fetch(SLICES, { body })).status, 201);
    };
    const offered = async (): Promise<number> => (await t.fetch(SLICES)).body.items.length;
    const drivers = new ClaimDrivers({
      api: { request } as never,
      product: productOf("kubernetes"),
      nodeName: "n",
      metrics: claimMetrics(new Registry()),
      health: new DeviceHealth({ clock, log, changed: () => {} }),
      clock,
      random: (n) => crypto.getRandomValues(new Uint8Array(n)),
      log,
      signal: end.signal,
    });
    const driver = new ClaimDriver(`${dir}/d.sock`, NAME, "v1");
    const plugin = { name: NAME, endpoint: driver.path, versions: ["v1.DRAPlugin"] };
    const passes = async (ms: number) => {
      clock.pass(ms);
      await new Promise((resolve) => setTimeout(resolve, 20));
    };
    const answers = () => drivers.get(NAME).ask(prepareCall, []).then(() => true, () => false);
    try {
      await driver.start();
      await drivers.register(plugin);
      assert.ok(await answers());
      await offer();
      await passes(60_000);
      assert.equal(await offered(), 1);

      await driver.stop();
      await until("it is gone", async () => !await answers());
      await passes(20_000);
      await driver.start();
      await until("it is back", answers);
      await passes(1_000);
      await passes(60_000);
      assert.equal(await offered(), 1);

      await driver.stop();
      await until("it is gone for long", async () => {
        await passes(31_000);
        return await offered() === 0;
      });

      await driver.start();
      await until("it is back", answers);
      await passes(1_000);
      await offer();
      await drivers.deregister(plugin);
      await passes(31_000);
      await until("it is taken back", async () => await offered() === 0);
    } finally {
      end.abort();
      await driver.stop();
      await t.stop();
    }
  });
});
