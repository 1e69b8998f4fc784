/** Reads the files that the options of authentication and authorization name, once at start. */
import { optionalText, readText } from "./files.ts";
import type { Options } from "./parse.ts";

/** Texts of files; undefined where the option is not given. */
export interface LoadedFiles {
  readonly clientCa: string | undefined;
  readonly requestHeaderCa: string | undefined;
  readonly tokenFile: string | undefined;
  readonly oidcCa: string | undefined;
  readonly authenticationConfig: string | undefined;
  readonly authorizationConfig: string | undefined;
  readonly authorizationPolicy: string | undefined;
  /** PEM of the keys that verify service account tokens: the signing key's when no others are named. */
  readonly serviceAccountKeys: readonly string[];
  /** PEM of the key that signs them. */
  readonly serviceAccountSigningKey: string | undefined;
}

/** @throws Error that names the option and the path */
export function loadFiles(o: Options): LoadedFiles {
  const signing = optionalText("service-account-signing-key-file", o.serviceAccountSigningKeyFile);
  const keys = o.serviceAccountKeyFile.map((path) => readText("service-account-key-file", path));
  return {
    clientCa: optionalText("client-ca-file", o.clientCaFile),
    requestHeaderCa: optionalText("requestheader-client-ca-file", o.requestheaderClientCaFile),
    tokenFile: optionalText("token-auth-file", o.tokenAuthFile),
    oidcCa: optionalText("oidc-ca-file", o.oidcCaFile),
    authenticationConfig: optionalText("authentication-config", o.authenticationConfig),
    authorizationConfig: optionalText("authorization-config", o.authorizationConfig),
    authorizationPolicy: optionalText("authorization-policy-file", o.authorizationPolicyFile),
    serviceAccountKeys: keys.length || signing === undefined ? keys : [signing],
    serviceAccountSigningKey: signing,
  };
}
