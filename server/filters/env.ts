/** What travels with a request through the application's filters. */
import type { Connection } from "../request.ts";

/** Hono's types of this application: the listener gives the connection. */
export interface AppEnv {
  Bindings: { connection: Connection };
}

/** A connection that is nobody's: of an application called without a listener. */
export const NO_CONNECTION: Connection = { remoteAddress: "", peerCertificates: [], tls: false };
