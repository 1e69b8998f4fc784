/** The files behind the options of authentication and authorization. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { verifyKeys } from "../authentication/keys.ts";
import { tokenFile } from "../authentication/token_file.ts";
import type { DataDir } from "../listen/mod.ts";
import { parseBundle } from "../../pki/mod.ts";
import type { SecurityFiles } from "../security.ts";
import { currentPair } from "./current_pair.ts";
import { currentText, soundText } from "./current_text.ts";
import { agentFiles } from "./agent_files.ts";
import { optionalText } from "./files.ts";
import type { Options } from "./mod.ts";

/**
 * Reads them; what is not named comes from the data directory, as it is at the time, where that holds it. `failed` hears of files that
 * were replaced by what cannot be used. @throws Error that names the option
 */
export function securityFiles(options: Options, data: (() => DataDir) | undefined, failed?: Failed): SecurityFiles {
  const authorities = (option: string, path: string) => currentText(option, path, parseBundle, clock, failed);
  // What is wrong with another text is told by who reads it.
  const config = (option: string, path: string) => currentText(option, path, () => {}, clock, failed);
  const keys = options.serviceAccountKeyFile.map((path) =>
    soundText("service-account-key-file", path, (text) => verifyKeys([text]))!
  );
  const signing = soundText("service-account-signing-key-file", options.serviceAccountSigningKeyFile, privateKey);
  const pair = proxyClient(options);
  // An external signer has keys of its own.
  const own = options.serviceAccountSigningEndpoint ? undefined : data?.().serviceAccount;
  return {
    clientCa: authorities("client-ca-file", options.clientCaFile) ?? (data && (() => data().ca.cert)),
    // Of a pair that somebody else made, the authority is not known.
    servingCa: options.tlsCertFile ? undefined : data && (() => data().ca.cert),
    requestHeaderCa: authorities("requestheader-client-ca-file", options.requestheaderClientCaFile),
    tokenFile: soundText("token-auth-file", options.tokenAuthFile, (text) => tokenFile(text, [])),
    serviceAccountKeys: keys.length > 0 ? keys : [signing ?? own?.publicKey].filter((k) => k !== undefined),
    signingKey: signing ?? own?.key,
    authenticationConfig: config("authentication-config", options.authenticationConfig),
    oidcCa: soundText("oidc-ca-file", options.oidcCaFile, certificate),
    policy: optionalText("authorization-policy-file", options.authorizationPolicyFile),
    agents: agentFiles(options, clock, data && (() => data().admin)),
    authorizationConfig: config("authorization-config", options.authorizationConfig),
    proxyClient: pair,
    peers: peerFiles(authorities("peer-ca-file", options.peerCaFile), pair),
  };
}

type Failed = (error: unknown) => void;

const clock = () => performance.now();

/** What a library says of PEM that it cannot read, its maker alone understands. */
const inPem = (what: string, read: (text: string) => unknown) => (text: string) => {
  try {
    read(text);
  } catch (cause) {
    throw new Error(`it holds no ${what} in PEM`, { cause });
  }
};
const certificate = inPem("certificate", (text) => new X509Certificate(text));
const privateKey = inPem("private key", createPrivateKey);

/** What this server shows extension servers; undefined: nothing. */
function proxyClient({ proxyClientCertFile: cert, proxyClientKeyFile: key }: Options): SecurityFiles["proxyClient"] {
  if (cert === "" || key === "") return undefined;
  const files = [{ option: "proxy-client-cert-file", path: cert }, {
    option: "proxy-client-key-file",
    path: key,
  }] as const;
  return currentPair(...files, clock);
}

/** What servers know each other by; undefined where requests are not passed on. */
function peerFiles(ca: (() => string) | undefined, pair: SecurityFiles["proxyClient"]): SecurityFiles["peers"] {
  return ca && pair && (() => ({ ca: ca(), ...pair() }));
}
