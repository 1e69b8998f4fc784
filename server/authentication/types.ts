/** The contract of authenticators (specification, "Authentication"). */
import type { Connection, User } from "../request.ts";
import type { RequestHeaders } from "../request_headers.ts";

/** Who is asking, or no opinion. `audiences` are those of the token. */
export interface Authenticated {
  readonly user: User;
  readonly audiences?: readonly string[];
}

/** What tells who asks. */
export interface Asking {
  readonly headers: RequestHeaders;
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
