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
