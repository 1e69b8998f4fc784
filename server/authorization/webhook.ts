/** Decisions that a webhook takes: SubjectAccessReview, kept for a while (mode `Webhook`). */
import type { Program } from "../../schema/cel/mod.ts";
import type { JsonMap } from "../../schema/model/types.ts";
import type { Product } from "../../schema/product.ts";
import {
  type CallResult,
  callWebhook,
  type PostJson,
  type RetryLimits,
  type Review,
} from "../authentication/webhook_client.ts";
import { meetsAll } from "./match_conditions.ts";
import { type Cancellable, signalOf } from "../request.ts";
import type { HookTold } from "./metrics.ts";
import { specOf } from "./review_attributes.ts";
import type { AuthorizationAttributes, Authorizer, Decision } from "./types.ts";

/** What the authorizer is made of. Times in milliseconds; a time of 0 keeps nothing. */
export interface WebhookAuthorizerOptions {
  readonly product: Product;
  /** Shown in reasons; `Webhook` or the name in the configuration. */
  readonly name: string;
  readonly post: PostJson;
  readonly version: "v1" | "v1beta1";
  readonly authorizedTtl: number;
  readonly unauthorizedTtl: number;
  /** What a webhook that cannot be asked decides. */
  readonly onFailure: "no-opinion" | "deny";
  /** The webhook is asked only about what meets all of them. A condition that has no value is a webhook that cannot be asked. */
  readonly conditions?: readonly Program[];
  readonly now: () => number;
  readonly retry?: RetryLimits;
  /** Hears what comes of calls and conditions. */
  readonly told?: HookTold;
}

interface Status {
  readonly allowed?: boolean;
  readonly denied?: boolean;
  readonly reason?: string;
}

/** Decisions kept. About 500 B each. */
const MAX_ENTRIES = 8192;
/** Requests with longer parts are not kept: the caller chooses them, and could fill the memory. */
const MAX_KEY = 10_000;

/** `v1beta1` calls the groups `group`. */
function versioned(spec: JsonMap, version: "v1" | "v1beta1"): JsonMap {
  if (version === "v1" || spec.groups === undefined) return spec;
  const { groups, ...rest } = spec;
  return { ...rest, group: groups };
}

function decisionOf({ allowed, denied, reason = "" }: Status): Decision {
  if (denied && allowed) {
    return { decision: "deny", reason, error: "webhook subject access review returned both allow and deny response" };
  }
  return { decision: denied ? "deny" : allowed ? "allow" : "no-opinion", reason };
}

/** The authorizer. Rules of a user cannot be listed. */
export function webhookAuthorizer(options: WebhookAuthorizerOptions): Authorizer {
  const apiVersion = `${options.product.local("authorization.k8s.io")}/${options.version}`;
  const { conditions = [], told, now } = options;
  const kept = new Map<string, { at: number; decision: Decision }>();

  const ttlOf = ({ decision }: Decision) => decision === "allow" ? options.authorizedTtl : options.unauthorizedTtl;
  const keep = (key: string, decision: Decision) => {
    if (ttlOf(decision) <= 0 || key.length > MAX_KEY) return;
    kept.delete(key);
    kept.set(key, { at: now(), decision });
    if (kept.size > MAX_ENTRIES) kept.delete(kept.keys().next().value!);
  };

  const failed = (e: unknown): Decision => (
    { decision: options.onFailure, reason: "", error: `${options.name}: ${(e as Error).message}` }
  );
  const ask = async (spec: JsonMap, key: string, asking: Cancellable | undefined): Promise<Decision> => {
    let result: CallResult = "error";
    const ended = (how: CallResult, ms: number) => told?.called(result = how, ms);
    try {
      const review: Review = { apiVersion, kind: "SubjectAccessReview", spec: versioned(spec, options.version) };
      const answer = await callWebhook(options.post, review, options.retry, asking, { now, ended });
      const decision = decisionOf((answer.status ?? {}) as Status);
      keep(key, decision);
      return decision;
    } catch (e) {
      if (options.onFailure === "no-opinion" && !signalOf(asking)?.aborted) told?.failedOpen(result);
      return failed(e);
    }
  };
  const meets = (spec: JsonMap): boolean => {
    const start = now();
    let end: "met" | "excluded" | "error" = "error";
    try {
      const met = meetsAll(conditions, spec);
      end = met ? "met" : "excluded";
      return met;
    } finally {
      told?.conditions(end, now() - start);
    }
  };

  return {
    name: options.name,
    authorize(a: AuthorizationAttributes, asking?: Cancellable): Decision | Promise<Decision> {
      const spec = specOf(a), key = JSON.stringify(spec);
      if (conditions.length > 0) {
        try {
          if (!meets(spec)) return { decision: "no-opinion", reason: "" };
        } catch (e) {
          return failed(e);
        }
      }
      const known = kept.get(key);
      const age = known ? now() - known.at : -1;
      // A clock that was put back keeps nothing.
      return known && age >= 0 && age < ttlOf(known.decision) ? known.decision : ask(spec, key, asking);
    },
    rulesFor: () => ({
      resourceRules: [],
      nonResourceRules: [],
      incomplete: true,
      error: "webhook authorizer does not support user rule resolution",
    }),
  };
}
