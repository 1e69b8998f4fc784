import assert from "node:assert/strict";
import { join } from "node:path";
import { Csi } from "../../../agent/volumes/csi/csi.ts";
import type { CsiDriver } from "../../../agent/volumes/csi/driver.ts";
import { productOf } from "../../../schema/product.ts";
import { withDirectory } from "../../fixture/directory.ts";
import { until } from "../../listen/_fixture.ts";
import { TestClock } from "../probes/parts.ts";

Deno.test("a driver that does not answer keeps no volume of another one staged", () =>
  withDirectory(async (rootDir) => {
    const clock = new TestClock(), life = new AbortController(), asked: string[] = [], logged: unknown[] = [];
    const csi = new Csi({
      ...{ rootDir, clock, api: undefined, product: productOf("kubernetes"), enableControllerAttachDetach: true },
      node: { name: "n", uid: () => "" },
      log: (...said) => void logged.push(said),
    });
    csi.drivers.get = (name) =>
      ({
        abilities: () => Promise.resolve(new Set(["STAGE_UNSTAGE_VOLUME"])),
        call: (_: unknown, { volumeId }: { volumeId: string }) => {
          asked.push(`${name} ${volumeId}`);
          if (name === "quick") return asked.length > 2 ? Promise.resolve({}) : Promise.reject(new Error("not now"));
          return new Promise((_, fail) => life.signal.addEventListener("abort", () => fail(life.signal.reason)));
        },
      }) as unknown as CsiDriver;
    const stage = (driver: string, handle: string) =>
      csi.uses.staged({ driver, handle }, {
        path: join(rootDir, handle, "globalmount"),
        disk: undefined,
        isSure: true,
      });
    stage("slow", "a");
    const run = csi.run(life.signal);
    await until("the first is asked", () => asked.length === 1);
    stage("quick", "b");
    await clock.pass(1_500);
    await until("the other is asked", () => asked.length === 2);
    await clock.pass(5_000);
    await until("it is asked again", () => asked.length === 3);
    assert.deepEqual(asked, ["slow a", "quick b", "quick b"]);
    await until("it is given back", () => csi.uses.idle().length === 1);
    assert.equal(logged.length, 1);
    life.abort();
    await run;
  }));
