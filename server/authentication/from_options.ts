/** Authentication as a command line describes it, from the texts of its files. */
import type { Obj } from "../../schema/model/types.ts";
import { fetchText, type LoadedFiles, type Options, postJson, readConnectionFile } from "../options/mod.ts";
import { CaBundle } from "./ca_bundle.ts";
import type { ChainOptions } from "./chain.ts";
import { type Authentication, makeAuthentication } from "./make.ts";
import type { BoundObjects } from "./service_account.ts";

/** What the server adds to the options. */
export interface AuthenticationDeps {
  readonly now: () => number;
  readonly objects: BoundObjects;
  /** PEM of the authority and of the service account key in the data directory, where the options name none. */
  readonly ownClientCa?: string | undefined;
  readonly ownServiceAccountKey?: string | undefined;
  readonly onFailure?: ChainOptions["onFailure"];
}

/** The server's authentication, and the authorities that may be replaced while it runs. */
export interface OptionsAuthentication extends Authentication {
  readonly clientCa: CaBundle | undefined;
  readonly requestHeaderCa: CaBundle | undefined;
}

const bundle = (option: string, pem: string | undefined): CaBundle | undefined => {
  if (pem === undefined) return undefined;
  try {
    return new CaBundle(pem);
  } catch (e) {
    throw new Error(`--${option}: ${(e as Error).message}`, { cause: e });
  }
};

/** @throws Error that names the option when a file is malformed */
export function authenticationFromOptions(
  o: Options,
  files: LoadedFiles,
  deps: AuthenticationDeps,
): OptionsAuthentication {
  const clientCa = bundle("client-ca-file", files.clientCa ?? deps.ownClientCa);
  const requestHeaderCa = bundle("requestheader-client-ca-file", files.requestHeaderCa);
  const webhook = o.authenticationTokenWebhookConfigFile;
  const keys = files.serviceAccountKeys.length ? files.serviceAccountKeys : [deps.ownServiceAccountKey ?? []].flat();
  const secret = (name: string): Obj | undefined | Promise<Obj | undefined> =>
    deps.objects.get("secrets", o.product.systemNamespace, name);
  const made = makeAuthentication(o, {
    product: o.product,
    now: deps.now,
    gate: (name) => o.gates.enabled(name),
    clientCa,
    requestHeaderCa,
    tokenFile: files.tokenFile,
    serviceAccountKeys: keys,
    authenticationConfig: files.authenticationConfig,
    oidcCa: files.oidcCa,
    fetchText,
    tokenWebhook: webhook
      ? postJson(readConnectionFile("authentication-token-webhook-config-file", webhook))
      : undefined,
    objects: deps.objects,
    bootstrapSecret: secret,
    ...(deps.onFailure ? { onFailure: deps.onFailure } : {}),
  });
  return { ...made, clientCa, requestHeaderCa };
}
