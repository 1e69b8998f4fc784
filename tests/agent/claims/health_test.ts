import assert from "node:assert/strict";
import { DeviceHealth } from "../../../agent/claims/health.ts";
import type { PreparedDevice, ToldHealth } from "../../../agent/claims/messages.ts";
import { GrpcError } from "../../../schema/grpc/status.ts";
import { HeldClock } from "../../spec/_orchlet.ts";
import { until } from "../../listen/_fixture.ts";

const told = (deviceName: string, health: ToldHealth["health"], timeoutSeconds = 0): ToldHealth => ({
  device: { poolName: "p", deviceName },
  health,
  timeoutSeconds,
  message: health === "Unhealthy" ? "too hot" : "",
});
const device = (deviceName: string) => ({ poolName: "p", deviceName }) as PreparedDevice;

Deno.test("claims: the health of devices holds as long as is said, and while the driver tells", async () => {
  const clock = new HeldClock(), changed: string[] = [];
  const health = new DeviceHealth({ clock, log: () => {}, changed: (_, keys) => void changed.push(keys.join()) });
  const of = (name: string) => Object.values(health.of("d", device(name))).slice(0, 2).join(" ").trim();
  const lost = Promise.withResolvers<void>();
  let calls = 0;
  const stream = async function* () {
    if (calls++ > 0) throw new GrpcError("Unimplemented", "no more");
    yield { devices: [told("a", "Healthy"), told("b", "Healthy", 600)] };
    yield { devices: [told("a", "Healthy"), told("b", "Unhealthy", 600)] };
    await lost.promise;
  };
  const over = health.watch(
    "d",
    { stream } as never,
    ["v1.DRAPlugin", "v1.DRAResourceHealth"],
    new AbortController().signal,
  );
  await until("it is told", () => changed.length === 2);
  assert.deepEqual(changed, ["p/a,p/b", "p/b"]);
  assert.deepEqual(["a", "b", "c"].map(of), ["Healthy", "Unhealthy too hot", "Unknown"]);
  clock.pass(31_000);
  assert.deepEqual(["a", "b"].map(of), ["Unknown", "Unhealthy too hot"]);
  lost.resolve();
  await until("it is lost", () => of("b") === "Unknown");
  clock.pass(5_000);
  await over;
  assert.equal(calls, 2);
  await health.watch("d", { stream } as never, ["v1.DRAPlugin"], new AbortController().signal);
  assert.equal(calls, 2);
});

Deno.test("claims: what one endpoint of a driver tells holds when another of it goes", async () => {
  const clock = new HeldClock(), changed: string[] = [];
  const health = new DeviceHealth({ clock, log: () => {}, changed: (_, keys) => void changed.push(keys.join()) });
  const watch = (name: string) => {
    const end = new AbortController();
    const stream = async function* () {
      yield { devices: [told(name, "Healthy"), told("shared", "Healthy")] };
      await new Promise((_, fail) => end.signal.addEventListener("abort", () => fail(end.signal.reason)));
    };
    const over = health.watch("d", { stream } as never, ["v1.DRAResourceHealth"], end.signal);
    return { over, end: () => end.abort() };
  };
  const of = (name: string) => health.of("d", device(name)).health;
  const before = watch("old");
  await until("the first tells", () => changed.length === 1);
  const after = watch("new");
  await until("its next one tells", () => changed.length === 2);
  before.end();
  await before.over;
  assert.deepEqual(["new", "shared"].map(of), ["Healthy", "Healthy"]);
  after.end();
  await after.over;
  assert.deepEqual(["new", "shared"].map(of), ["Unknown", "Unknown"]);
});
