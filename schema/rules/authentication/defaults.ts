/** Defaults of the authentication group. */
import type { Obj } from "../../model/types.ts";
import type { DefaultsTable } from "../tables.ts";

/** How long a token is good that is asked for without a time, seconds. */
const TOKEN_SECONDS = 3600;

function tokenRequest(request: Obj): void {
  request["spec"] ??= {};
  request["spec"].expirationSeconds ??= TOKEN_SECONDS;
}

/** Rows of the group. */
export const DEFAULTS: DefaultsTable = { "v1/TokenRequest": tokenRequest };
