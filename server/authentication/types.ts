/** The contract of authenticators (specification, "Authentication"). */
import type { Connection, User } from "../request.ts";
import type { RequestHeaders } from "../request_headers.ts";

/** Who is asking, or no opinion. `audiences` are those of the token. */
export interface Authenticated {
  readonly user: User;
  readonly audiences?: readonly string[];
  readonly remarks?: Remarks;
}

/** What is to be said of a request because of how it tells who asks. */
export interface Remarks {
  /** Audit annotations. */
  readonly notes: ReadonlyMap<string, string>;
  readonly warnings?: readonly string[];
}

/** What tells who asks, and takes what is to be said of it. */
export interface Asking {
  readonly headers: RequestHeaders;
  readonly warnings?: Set<string>;
  readonly auditAnnotations?: Map<string, string>;
}

/** One way to tell who asks. Tried in order; the first that answers wins. */
export interface Authenticator {
  readonly name: string;
  /**
   * Undefined: this method saw nothing of its own in the request.
   * @throws Error when it saw something that is wrong (a bad token): the request is then 401 unless another method knows it.
   */
  authenticate(
    request: Asking,
    connection: Connection,
  ): Authenticated | undefined | Promise<Authenticated | undefined>;
}
