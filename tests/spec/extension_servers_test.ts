/** What the options of "Request processing options" do that are about extension servers. */
import assert from "node:assert/strict";
import { condition, withExtension } from "../aggregation/_servers.ts";
import { CARTS } from "../fixture/extension.ts";
import { until } from "../listen/_fixture.ts";

for (const reject of [true, false]) {
  Deno.test(`Request processing options, effect of --aggregator-reject-forwarding-redirect=${reject}`, async () => {
    await withExtension([`--aggregator-reject-forwarding-redirect=${reject}`], async (t, extension) => {
      extension.before = ({ url }) =>
        url.endsWith("/away")
          ? new Response("x", { status: 307, headers: { location: "https://else.test/" } })
          : undefined;
      const { status, headers, text } = await t.fetch(`${CARTS}/away`);
      assert.equal(status, reject ? 502 : 307);
      assert.equal(headers.get("location"), reject ? null : "https://else.test/");
      if (reject) assert.match(text, /redirect/);
    });
  });
}

for (const routes of [false, true]) {
  Deno.test(`Request processing options, effect of --enable-aggregator-routing=${routes}`, async () => {
    await withExtension([`--enable-aggregator-routing=${routes}`], async (t) => {
      // An external name has no endpoints to choose from.
      await until(
        "it was judged",
        async () => (await condition(t))?.reason === (routes ? "FailedDiscoveryCheck" : "Passed"),
      );
      if (routes) assert.match((await condition(t))!.message, /unsupported service type/);
      assert.equal((await t.fetch(CARTS)).status, routes ? 503 : 200);
    }, { wait: false });
  });
}
