/** The chain of authorizers as a command line describes it, from the texts of its files. */
import { type LoadedFiles, type Options, parseDuration, postJson, readConnectionFile } from "../options/mod.ts";
import { makeAuthorizer } from "./make.ts";
import type { Authorizer } from "./types.ts";

/** What the server adds to the options; each is asked for once at most, when a mode needs it. */
export interface AuthorizationDeps {
  readonly now: () => number;
  readonly rbac: () => Authorizer;
  readonly node: () => Authorizer;
}

/** @throws Error that names the option when a file is malformed */
export function authorizerFromOptions(o: Options, files: LoadedFiles, deps: AuthorizationDeps): Authorizer {
  const option = files.authorizationConfig === undefined ? "authorization-webhook-config-file" : "authorization-config";
  return makeAuthorizer(o, {
    product: o.product,
    ...deps,
    policy: files.authorizationPolicy,
    config: files.authorizationConfig,
    parseDuration,
    post: (file) => postJson(readConnectionFile(option, file)),
  });
}
