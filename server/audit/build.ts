/** The sinks of a server, from its options (`--audit-log-*`, `--audit-webhook-*`). */
import type { Options } from "../options/mod.ts";
import { type BatchLimits, Buffered } from "./buffered.ts";
import type { AuditMetrics } from "./metrics.ts";
import { type AuditPolicy, readAuditPolicy } from "./policy.ts";
import { type AuditSink, forgiving, logSink, type Lost, truncating, union, webhookSink } from "./sinks.ts";
import type { AuditInputs } from "./types.ts";
import { legacyLine } from "./event.ts";

/** What records. */
export interface Auditing {
  readonly policy: AuditPolicy;
  readonly sink: AuditSink;
  readonly metrics: AuditMetrics;
}

/** What the sinks take of the server. */
export interface AuditContext {
  readonly metrics: AuditMetrics;
  now(): number;
  random(): number;
  log(level: "warn" | "error", text: string, detail?: unknown): void;
}

/** Batches of a webhook on their way at once. */
const AT_ONCE = 32;
/** Time of one attempt at a webhook, ms. */
const TIMEOUT_MS = 30_000;
/** Lost events that are told of by name, a loss. */
const MAX_TOLD = 10;

/** Puts them together; undefined where there is no sink. @throws Error for a policy that cannot be used */
export function makeAuditing(options: Options, inputs: AuditInputs, context: AuditContext): Auditing | undefined {
  const passed = (what: string) => context.log("warn", `--audit-policy-file: ${what} is passed over`);
  const policy = readAuditPolicy(inputs.policy, options.product, passed);
  const lost = losses(context);
  const sinks = [
    inputs.log && logBackend(options, inputs.log, lost, context),
    inputs.webhook && webhookBackend(options, inputs.webhook, lost, context),
  ].filter((sink) => sink !== undefined);
  return sinks.length === 0 ? undefined : { policy, sink: union(sinks), metrics: context.metrics };
}

function losses({ metrics, log }: AuditContext): Lost {
  return (plugin, why, events) => {
    metrics.failed(plugin, events.length);
    const told = events.slice(0, MAX_TOLD).map((e) => legacyLine(e.data)).join("\n");
    const reason = why instanceof Error ? why.message : String(why);
    log("error", `audit: ${plugin} lost ${events.length} events: ${reason}`, told);
  };
}

/** What stands before a sink. */
interface Way {
  readonly mode: string;
  readonly version: string;
  readonly batch: BatchLimits;
  readonly truncate: { readonly enabled: boolean; readonly event: number; readonly batch: number };
}

/** The options that the log and the webhook both have. `atOnce`: batches on their way at once. */
function wayOf(o: Options, sink: "auditLog" | "auditWebhook", atOnce: number): Way {
  const throttle = { qps: o[`${sink}BatchThrottleQps`], burst: o[`${sink}BatchThrottleBurst`] };
  return {
    mode: o[`${sink}Mode`],
    version: o[`${sink}Version`],
    batch: {
      buffer: o[`${sink}BatchBufferSize`],
      size: o[`${sink}BatchMaxSize`],
      wait: o[`${sink}BatchMaxWait`],
      throttle: o[`${sink}BatchThrottleEnable`] ? throttle : undefined,
      atOnce,
    },
    truncate: {
      enabled: o[`${sink}TruncateEnabled`],
      event: o[`${sink}TruncateMaxEventSize`],
      batch: o[`${sink}TruncateMaxBatchSize`],
    },
  };
}

/** A sink with what its options put before it. */
function wrapped(to: AuditSink, way: Way, options: Options, lost: Lost, now: () => number): AuditSink {
  const mark = options.product.local("audit.k8s.io/truncated");
  const cut = way.truncate.enabled ? truncating(to, way.truncate, way.version, mark, lost) : to;
  if (way.mode === "blocking-strict") return cut;
  return way.mode === "blocking" ? forgiving(cut) : new Buffered(cut, way.batch, lost, now);
}

function logBackend(o: Options, out: NonNullable<AuditInputs["log"]>, lost: Lost, { now }: AuditContext): AuditSink {
  return wrapped(logSink(out, o.auditLogFormat, o.auditLogVersion, lost), wayOf(o, "auditLog", 1), o, lost, now);
}

function webhookBackend(
  o: Options,
  post: NonNullable<AuditInputs["webhook"]>,
  lost: Lost,
  { now, random }: AuditContext,
): AuditSink {
  const retry = { firstWait: o.auditWebhookInitialBackoff, timeout: TIMEOUT_MS, random };
  const sink = webhookSink(post, o.auditWebhookVersion, retry, lost);
  return wrapped(sink, wayOf(o, "auditWebhook", AT_ONCE), o, lost, now);
}
