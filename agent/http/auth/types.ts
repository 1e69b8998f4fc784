/** Who asks, and what may be asked. */

/** A user. */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** What is asked of the node, as an authorizer sees it. */
export interface Attributes {
  readonly user: User;
  /** `get`, `create`…; empty for methods without one. */
  readonly verb: string;
  /** Of `nodes`: `proxy`, `stats`… */
  readonly subresource: string;
}
