/** The handshake that makes a WebSocket of a request. */
import { badRequest } from "../../schema/status.ts";
import type { RequestScope, Upgraded } from "../request.ts";

/** The one version of the protocol that there is (RFC 6455). */
const VERSION = "13";

/** Makes a WebSocket; `drop` lets go of what it was to carry. @throws StatusError 400 when the handshake is no good */
export function handshake(scope: RequestScope, upgrade: () => Upgraded, drop: () => void): Upgraded {
  const version = scope.headers.get("sec-websocket-version");
  // First: the runtime aborts the request as it makes the socket.
  scope.upgraded = true;
  try {
    if (version !== VERSION) throw new Error(`version ${version} is not spoken, it should be ${VERSION}`);
    return upgrade();
  } catch (e) {
    scope.upgraded = false;
    drop();
    throw badRequest(`no WebSocket can be made of the request: ${(e as Error).message}`);
  }
}
