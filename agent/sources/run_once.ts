/** `--runonce`: static pods are started, and no more. */
import type { Pod } from "../../schema/api/core_v1.ts";
import type { Clock, Source } from "../types.ts";

/** What of a pod is to be seen from outside. */
export type RunState = "running" | "failed" | "waiting";

/** What one run needs. */
export interface RunOnceParts {
  /** Those of files and web pages. */
  readonly sources: readonly Source[];
  readonly clock: Clock;
  /** Begins to run pods. */
  start(pods: readonly Pod[]): void;
  /** What became of one. */
  state(pod: Pod): RunState;
}

/** How long the sources may take to say what they have, ms. */
const MANIFEST_MS = 1_000;
/** First pause between two looks, ms; each is twice as long as the one before. */
const FIRST_PAUSE_MS = 1_000;
const LOOKS = 10;

/** What came of it. */
export interface RunOnceResult {
  readonly started: readonly Pod[];
  readonly failed: readonly Pod[];
}

/** Starts the pods and waits until each runs or has failed. @throws Error: no source said anything in time */
export async function runOnce(parts: RunOnceParts, signal: AbortSignal): Promise<RunOnceResult> {
  const pods = await manifests(parts, signal);
  parts.start(pods);
  let waiting = pods;
  for (let look = 0, pause = FIRST_PAUSE_MS; look < LOOKS && !signal.aborted; look++, pause *= 2) {
    waiting = pods.filter((pod) => parts.state(pod) === "waiting");
    if (!waiting.length) break;
    await parts.clock.wait(pause, signal);
  }
  const runs = (pod: Pod) => parts.state(pod) === "running";
  return { started: pods.filter(runs), failed: pods.filter((pod) => !runs(pod)) };
}

async function manifests({ sources, clock }: RunOnceParts, outer: AbortSignal): Promise<readonly Pod[]> {
  const found = new Map<Source, readonly Pod[]>();
  const stop = new AbortController();
  const end = () => stop.abort();
  outer.addEventListener("abort", end, { once: true });
  const running = sources.map((source) =>
    source.run((pods) => {
      found.set(source, pods);
      if (found.size === sources.length) end();
    }, stop.signal)
  );
  try {
    await clock.wait(MANIFEST_MS, stop.signal);
  } finally {
    outer.removeEventListener("abort", end);
    end();
  }
  await Promise.allSettled(running);
  if (!found.size) throw new Error("no pod manifest update after 1s");
  return [...found.values()].flat();
}
