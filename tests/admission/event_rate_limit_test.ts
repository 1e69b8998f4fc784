/** What the EventRateLimit plugin keeps. */
import assert from "node:assert/strict";
import { eventRateLimit } from "../../server/admission/plugins/event_rate_limit.ts";
import type { Attributes, PluginContext } from "../../server/admission/types.ts";
import { heap } from "../fixture/heap.ts";

Deno.test("long names of objects that events are about are not kept", () => {
  const config = { limits: [{ type: "SourceAndObject", qps: 1, burst: 1 }] };
  const plugin = eventRateLimit({ config, now: () => 0 } as unknown as PluginContext);
  const take = (i: number) => {
    const object = { involvedObject: { kind: "Pod", name: `${"x".repeat(1_000_000)}${i}` } };
    plugin.validate!({ object, user: { name: "u" }, namespace: "n" } as unknown as Attributes);
  };
  const before = heap();
  for (let i = 0; i < 100; i++) take(i);
  const kept = heap() - before;
  assert.ok(kept < 20_000_000, `${kept} bytes`);
  assert.throws(
    () => take(0),
    /^StatusError: Too many requests: limit reached on type SourceAndObject for key Podx+0$/,
  );
});

Deno.test("tokens come back with time, up to what may come at once; a clock that is put back takes none away", () => {
  let now = 0;
  const config = { limits: [{ type: "Server", qps: 1, burst: 2 }] };
  const plugin = eventRateLimit({ config, now: () => now } as unknown as PluginContext);
  /** How many of five are taken after so many milliseconds. */
  const taken = (ms: number): number => {
    now += ms;
    return Array.from({ length: 5 }, () => {
      try {
        plugin.validate!({ object: {}, user: { name: "u" }, namespace: "n" } as Attributes);
        return 1;
      } catch {
        return 0;
      }
    }).reduce<number>((sum, n) => sum + n, 0);
  };
  assert.deepEqual([0, 999, 1, 3_600_000, -3_600_000, 1000].map(taken), [2, 0, 1, 2, 0, 1]);
});
