/** Servers under test that trace. */
import { openTracing } from "../../server/options/tracing_files.ts";
import { parseOptions } from "../../server/options/mod.ts";
import type { Outside } from "../../server/security.ts";
import { startTestServer, type TestServer } from "../fixture/server.ts";
import { Collector } from "./_collector.ts";

/** A server and its collector. */
export interface Traced {
  readonly t: TestServer;
  readonly collector: Collector;
  /** Stops the server, which sends its spans. */
  sent(): Promise<void>;
}

/** The text of a configuration. */
export const config = (members: Readonly<Record<string, unknown>>, version = "v1"): string =>
  JSON.stringify({ apiVersion: `apiserver.config.k8s.io/${version}`, kind: "TracingConfiguration", ...members });

/** Runs with a server that traces so many of a million requests. */
export async function traced(
  samplingRatePerMillion: number | undefined,
  run: (traced: Traced) => Promise<void>,
  { flags = [], outside }: { flags?: readonly string[]; outside?: Outside } = {},
): Promise<void> {
  const collector = new Collector();
  const endpoint = await collector.start();
  const file = await Deno.makeTempFile({ suffix: ".yaml" });
  await Deno.writeTextFile(file, config({ endpoint, samplingRatePerMillion }));
  const parsed = parseOptions(["--api-dialect=kubernetes", `--tracing-config-file=${file}`]);
  if (parsed.kind !== "run") throw new Error("options");
  const tracing = await openTracing(parsed.options, {
    server: "apiserver-test",
    random: (n) => crypto.getRandomValues(new Uint8Array(n)),
    now: Date.now,
    told: () => {},
  });
  const t = await startTestServer(flags, { tracing, ...(outside ? { outside } : {}) });
  let stopped: Promise<void> | undefined;
  // A server that ends waits a few seconds for its collector; here there is time.
  const sent = () => stopped ??= tracing.close(60_000).then(() => t.stop());
  try {
    await run({ t, collector, sent });
  } finally {
    await sent();
    collector.stop();
    await Deno.remove(file);
  }
}
