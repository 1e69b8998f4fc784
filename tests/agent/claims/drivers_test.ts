import assert from "node:assert/strict";
import { DeviceHealth } from "../../../agent/claims/health.ts";
import { ClaimDrivers } from "../../../agent/claims/drivers.ts";
import { prepareCall } from "../../../agent/claims/messages.ts";
import { claimMetrics } from "../../../agent/claims/metrics.ts";
import { productOf } from "../../../schema/product.ts";
import { Registry } from "prom-client";
import { ClaimDriver } from "../../fixture/claim_driver.ts";
import { withDirectory } from "../../fixture/directory.ts";
import { until } from "../../listen/_fixture.ts";
import { HeldClock } from "../../spec/_orchlet.ts";

const NAME = "dev.example.com";

Deno.test("claims: what a driver offers is taken back when it is gone for half a minute, its socket left or not", async () => {
  await withDirectory(async (dir) => {
    const clock = new HeldClock(), end = new AbortController(), log = () => {}, wiped: string[] = [];
    const request = (verb: string, _path: string, { query }: { query: Record<string, string> }) => {
      wiped.push(`${verb} ${query["fieldSelector"]}`);
      return Promise.resolve(undefined as never);
    };
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
    const taken = `DELETE spec.nodeName=n,spec.driver=${NAME}`;
    try {
      await driver.start();
      await drivers.register(plugin);
      assert.ok(await answers());
      await passes(60_000);
      assert.deepEqual(wiped, []);

      driver.stop();
      await until("it is gone", async () => !await answers());
      await passes(20_000);
      await driver.start();
      await until("it is back", answers);
      await passes(1_000);
      await passes(60_000);
      assert.deepEqual(wiped, []);

      driver.stop();
      await until("it is gone for long", async () => {
        await passes(31_000);
        return wiped.length > 0;
      });
      assert.deepEqual(wiped, [taken]);
      await passes(60_000);
      assert.deepEqual(wiped, [taken]);

      await driver.start();
      await until("it is back", answers);
      await passes(1_000);
      await drivers.deregister(plugin);
      await passes(31_000);
      assert.deepEqual(wiped, [taken, taken]);
    } finally {
      end.abort();
      driver.stop();
    }
  });
});
