/** The files behind the options of authentication and authorization. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { verifyKeys } from "../authentication/keys.ts";
import type { DataDir } from "../listen/mod.ts";
import { parseBundle } from "../pki/mod.ts";
import type { SecurityFiles } from "../security.ts";
import { currentPair } from "./current_pair.ts";
import { agentFiles } from "./agent_files.ts";
import { optionalText, readText } from "./files.ts";
import type { Options } from "./mod.ts";

/** Reads them; what is not named comes from the data directory, where that holds it. @throws Error that names the option */
export function securityFiles(options: Options, data: DataDir | undefined): SecurityFiles {
  const keys = options.serviceAccountKeyFile.map((path) =>
    sound("service-account-key-file", path, (text) => verifyKeys([text]))!
  );
  const signing = sound("service-account-signing-key-file", options.serviceAccountSigningKeyFile, createPrivateKey);
  // An external signer has keys of its own.
  const own = options.serviceAccountSigningEndpoint ? undefined : data?.serviceAccount;
  return {
    clientCa: sound("client-ca-file", options.clientCaFile, parseBundle) ?? data?.ca.cert,
    // Of a pair that somebody else made, the authority is not known.
    servingCa: options.tlsCertFile ? undefined : data?.ca.cert,
    requestHeaderCa: sound("requestheader-client-ca-file", options.requestheaderClientCaFile, parseBundle),
    tokenFile: optionalText("token-auth-file", options.tokenAuthFile),
    serviceAccountKeys: keys.length > 0 ? keys : [signing ?? own?.publicKey].filter((k) => k !== undefined),
    signingKey: signing ?? own?.key,
    authenticationConfig: optionalText("authentication-config", options.authenticationConfig),
    oidcCa: sound("oidc-ca-file", options.oidcCaFile, certificate),
    policy: optionalText("authorization-policy-file", options.authorizationPolicyFile),
    agents: agentFiles(options, Date.now, data?.admin),
    authorizationConfig: optionalText("authorization-config", options.authorizationConfig),
    proxyClient: proxyClient(options),
    peers: peerFiles(options),
  };
}

const certificate = (text: string) => new X509Certificate(text);

/** The text of a file that is named, if it can be read as what it should be. @throws Error that names the option and the file */
function sound(option: string, path: string, read: (text: string) => unknown): string | undefined {
  const text = optionalText(option, path);
  try {
    if (text !== undefined) read(text);
    return text;
  } catch (cause) {
    throw new Error(`--${option}: cannot use "${path}": ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/** What this server shows extension servers; undefined: nothing. */
function proxyClient({ proxyClientCertFile: cert, proxyClientKeyFile: key }: Options): SecurityFiles["proxyClient"] {
  if (cert === "" || key === "") return undefined;
  const files = [{ option: "proxy-client-cert-file", path: cert }, {
    option: "proxy-client-key-file",
    path: key,
  }] as const;
  return currentPair(...files, Date.now);
}

/** What servers know each other by; undefined where requests are not passed on. */
function peerFiles({ peerCaFile, proxyClientCertFile, proxyClientKeyFile }: Options): SecurityFiles["peers"] {
  if (peerCaFile === "" || proxyClientCertFile === "" || proxyClientKeyFile === "") return undefined;
  return {
    ca: sound("peer-ca-file", peerCaFile, certificate)!,
    cert: readText("proxy-client-cert-file", proxyClientCertFile),
    key: readText("proxy-client-key-file", proxyClientKeyFile),
  };
}
