/** What travels with a request through the application's filters. */
import type { Connection, RequestScope } from "../request.ts";

/** Hono's types of this application: the listener gives the connection, the first filter makes the scope. */
export interface AppEnv {
  Bindings: { connection: Connection };
  Variables: { scope: RequestScope };
}

/** A connection that is nobody's: of an application called without a listener. */
export const NO_CONNECTION: Connection = { remoteAddress: "", peerCertificates: [], tls: false };
