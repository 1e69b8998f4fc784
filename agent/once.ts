/** `--runonce`: the static pods of a node are started, and the agent ends. */
import type { LogLine } from "../schema/log/log.ts";
import { startAgent } from "./agent.ts";
import type { Base } from "./base.ts";
import { describe, refOf } from "./pods/mod.ts";
import { runOnce } from "./sources/run_once.ts";
import { sourcesOf } from "./sources/mod.ts";

/** Starts them, ends the agent by `end` and resolves; the pods run on. @throws Error: one of them does not run */
export async function startOnce(base: Base, log: LogLine, end: () => void): Promise<void> {
  const agent = await startAgent(base, sourcesOf(base.options, { ...base, client: undefined }));
  try {
    const { clock, signal } = base;
    const parts = { clock, delivered: () => agent.delivered(), pods: () => agent.pods.pods() };
    const { started, failed } = await runOnce(parts, signal);
    if (failed.length > 0) {
      throw new Error(`pods that do not run: ${failed.map((pod) => describe(refOf(pod))).join(", ")}`);
    }
    log("info", `${started.length} pods started`);
  } finally {
    end();
    await agent.over;
  }
}
