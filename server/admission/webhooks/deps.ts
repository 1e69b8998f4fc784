/** What the plugins that call webhooks work with, beside what all plugins have. */
import type { RuleContext } from "../../../schema/rules/types.ts";
import type { Scheme } from "../../../schema/scheme.ts";
import type { Resource } from "../../catalog/types.ts";
import type { HookMetrics } from "./metrics.ts";
import type { HookTransport } from "./transport.ts";

/** Posts an ImageReview to the server that a connection file names. */
export type PostReview = (body: string, signal: AbortSignal) => Promise<{ status: number; body: string }>;

/** See the top of the file. */
export interface HookDeps {
  readonly scheme: Scheme;
  readonly rules: RuleContext;
  readonly metrics: HookMetrics;
  /** Resources that share a resource's stored objects, itself first. */
  sharing(resource: Resource): readonly Resource[];
  /** Connections with the credentials of a connection file; the empty name: with none. @throws Error for a bad file */
  transport(connectionFile: string): HookTransport;
  /** The caller of the one server that a connection file names. @throws Error for a bad file */
  post(connectionFile: string): PostReview;
}
