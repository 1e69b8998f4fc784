/** Which containers and sandboxes that have ended are taken away. */
import type { PodSandbox, RuntimeContainer } from "../runtime/types.ts";
import { LABEL } from "./names.ts";
import { newerContainer, newerSandbox } from "./read.ts";

/** What the runtime has, and what is known of it. */
export interface CollectInput {
  readonly containers: readonly RuntimeContainer[];
  readonly sandboxes: readonly PodSandbox[];
  /** Ended tries that each container keeps, at least the one by which it is known what to do next. */
  readonly perContainer: number;
  /** And all together; negative: any number. */
  readonly total: number;
  /** Nobody wants this pod any more, and nobody ends it. */
  readonly isGone: (uid: string) => boolean;
}

/** Ids to take away. */
export interface Collected {
  readonly containers: readonly string[];
  readonly sandboxes: readonly string[];
}

/** See the top of the file. */
export function collect(input: CollectInput): Collected {
  const out: string[] = [];
  const kept: RuntimeContainer[][] = [];
  for (const tries of groups(input.containers, keyOf).values()) {
    const isGone = input.isGone(tries[0]!.labels[LABEL.uid]!), most = isGone ? 0 : Math.max(1, input.perContainer);
    const dead = tries.sort(newerContainer).filter((one, nth) => isDead(one, isGone || nth > 0));
    out.push(...dead.slice(most).map((c) => c.id));
    kept.push(dead.slice(0, most));
  }
  out.push(...beyond(kept, input.total));
  const removed = new Set(out);
  const used = new Set(input.containers.filter((c) => !removed.has(c.id)).map((c) => c.podSandboxId));
  const sandboxes: string[] = [];
  for (const [uid, list] of groups(input.sandboxes, (s) => s.labels[LABEL.uid])) {
    const old = list.sort(newerSandbox).slice(input.isGone(uid) ? 0 : 1);
    sandboxes.push(...old.filter((s) => s.state !== "READY" && !used.has(s.id)).map((s) => s.id));
  }
  return { containers: out, sandboxes };
}

/** A container that was made and not started is dead too, unless somebody may be about to start it. */
function isDead({ state }: RuntimeContainer, isLeft: boolean): boolean {
  return state === "EXITED" || state === "UNKNOWN" || (state === "CREATED" && isLeft);
}

/** The oldest of those that are too many; the newest of each container stays. */
function beyond(kept: readonly (readonly RuntimeContainer[])[], total: number): string[] {
  if (total < 0) return [];
  const count = kept.reduce((sum, list) => sum + list.length, 0);
  const spare = kept.flatMap((list) => list.slice(1)).sort(newerContainer).reverse();
  return spare.slice(0, Math.max(0, count - total)).map((c) => c.id);
}

function keyOf({ labels, metadata }: RuntimeContainer): string | undefined {
  return labels[LABEL.uid] && `${labels[LABEL.uid]}/${metadata.name}`;
}

/** Those without a key are not ours. */
function groups<T>(all: readonly T[], keyOf: (one: T) => string | undefined): Map<string, T[]> {
  const out = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    if (!key) continue;
    const list = out.get(key);
    if (list) list.push(one);
    else out.set(key, [one]);
  }
  return out;
}
