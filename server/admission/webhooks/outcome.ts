/** What the end of a call means: for the counters, and for the request. */
import { internal, StatusError } from "../../../schema/status.ts";
import type { Attributes } from "../types.ts";
import { CallFailure, Denied } from "./failure.ts";
import type { Hook } from "./hook.ts";
import type { HookMetrics } from "./metrics.ts";

/** The labels by which the public server tells the phases of webhooks apart. */
export const TYPE = { mutating: "admit", validating: "validating" } as const;

/** Counts a call that went well. */
export function counted(metrics: HookMetrics, hook: Hook, a: Attributes, ms: number): void {
  const { name } = hook;
  metrics.called({ name, type: TYPE[hook.kind], operation: a.operation, ms, code: 200, rejected: false });
}

/** Counts a call that did not, and gives what the client is told: undefined when the failure is passed over. */
export function refusedBy(metrics: HookMetrics, hook: Hook, a: Attributes, ms: number, e: unknown): unknown {
  const { name } = hook, type = TYPE[hook.kind], { operation } = a;
  const count = (code: number, why: Parameters<HookMetrics["rejected"]>[1] | undefined) => {
    metrics.called({ name, type, operation, ms, code, rejected: why !== undefined });
    if (why) metrics.rejected({ name, type, operation, code }, why);
  };
  if (e instanceof CallFailure) {
    count(e.code, hook.ignores ? undefined : "calling_webhook_error");
    if (!hook.ignores) return internal(e.message, e);
    metrics.failedOpen(name, type);
    return undefined;
  }
  if (e instanceof Denied) {
    count(e.status.code, "no_error");
    return e.status;
  }
  if (!(e instanceof StatusError && e.code === 504)) count(0, "apiserver_internal_error");
  return e;
}
