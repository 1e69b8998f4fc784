/** Servers under test with an extension server behind them. */
import { ExtensionServer, register } from "../fixture/extension.ts";
import { TO_HOOKS } from "../fixture/hooks.ts";
import type { Loose } from "../fixture/loose.ts";
import { startTestServer, type TestOptions, type TestServer } from "../fixture/server.ts";
import { until } from "../listen/_fixture.ts";

/** Runs with both; what is registered is available when it begins, unless `spec` says `{ wait: false }`. */
export async function withExtension(
  flags: readonly string[],
  run: (t: TestServer, extension: ExtensionServer) => Promise<void>,
  { spec = {}, wait = true, before, ...options }: TestOptions & {
    spec?: Loose;
    before?: ExtensionServer["before"];
  } = {},
): Promise<void> {
  const extension = await new ExtensionServer().start();
  if (before) extension.before = before;
  const t = await startTestServer(["--controllers=apiservice-availability", ...flags], {
    outside: TO_HOOKS,
    ...options,
  });
  try {
    await register(t, extension, spec);
    if (wait) await until("the extension server is available", async () => (await condition(t))?.status === "True");
    await run(t, extension);
  } finally {
    await t.stop();
    await extension.stop();
  }
}

/** The condition `Available` of the registration. */
export async function condition(t: TestServer, name = "v1.shop.example"): Promise<Loose | undefined> {
  const suffix = t.server.catalog.scheme.product.groupSuffix;
  const { body } = await t.fetch(`/apis/apiregistration.${suffix}/v1/apiservices/${name}`);
  return body.status?.conditions?.find((c: Loose) => c.type === "Available");
}
