/** The contract of authorizers (specification, "Authorization"). */
import type { Cancellable, User } from "../request.ts";

/** What is to be allowed or not. */
export interface AuthorizationAttributes {
  readonly user: User;
  readonly verb: string;
  readonly isResource: boolean;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

/** `no-opinion` asks the next in the chain; the last one's means no. */
export interface Decision {
  readonly decision: "allow" | "deny" | "no-opinion";
  readonly reason: string;
  readonly error?: string;
}

/** One authorizer of a chain. */
export interface Authorizer {
  readonly name: string;
  /** As what it is configured: its reasons for leaving a decision to others are told with that. */
  readonly called?: string;
  /** `asking`: what it is asked for; whoever must ask elsewhere stops when that ends. */
  authorize(attributes: AuthorizationAttributes, asking?: Cancellable): Decision | Promise<Decision>;
  /** What a user may do in a namespace, for SelfSubjectRulesReview. */
  rulesFor?(user: User, namespace: string): RulesAnswer | Promise<RulesAnswer>;
}

/** Rules of SelfSubjectRulesReview. */
export interface RulesAnswer {
  readonly resourceRules: { verbs: string[]; apiGroups: string[]; resources: string[]; resourceNames?: string[] }[];
  readonly nonResourceRules: { verbs: string[]; nonResourceURLs: string[] }[];
  readonly incomplete: boolean;
  readonly error?: string;
}
