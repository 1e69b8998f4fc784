/** Requests that no method knows (`--anonymous-auth`, or the anonymous part of the authentication configuration). */
import type { User } from "../request.ts";

/** The user of such requests. */
const ANONYMOUS: User = { name: "system:anonymous", groups: ["system:unauthenticated"] };

/** When a request may be anonymous. */
export interface AnonymousConfig {
  readonly enabled: boolean;
  /** Only these exact paths; all when undefined. */
  readonly paths?: readonly string[];
}

/** The anonymous user, where the path allows one. */
export function anonymousUser(config: AnonymousConfig, path: string): User | undefined {
  if (!config.enabled) return undefined;
  return config.paths === undefined || config.paths.includes(path) ? ANONYMOUS : undefined;
}
