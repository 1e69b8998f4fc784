/** The files that say who this server is to the agents of nodes. They are looked at again while it runs: certificates are renewed. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import type { KeyPair } from "../../pki/pair.ts";
import type { AgentIdentity } from "../agents/agents.ts";
import { current } from "./current.ts";
import { optionalText } from "./files.ts";
import type { Options } from "./mod.ts";

/**
 * Who this server is to agents, as its files say now or said within a minute. Files that cannot be used leave what was there.
 * @param own the pair that it shows where the options name none, as it is at the time
 * @throws Error that names the option, of files that cannot be used at the start
 */
export function agentFiles(options: Options, now: () => number, own?: () => KeyPair): () => AgentIdentity {
  const identity = () => read(options, own?.());
  return current(identity(), identity, now);
}

function read(options: Options, pair: KeyPair | undefined): AgentIdentity {
  const ca = optionalText("kubelet-certificate-authority", options.kubeletCertificateAuthority);
  const cert = optionalText("kubelet-client-certificate", options.kubeletClientCertificate);
  const key = optionalText("kubelet-client-key", options.kubeletClientKey);
  if (ca !== undefined) usable("kubelet-certificate-authority", () => new X509Certificate(ca));
  if (cert === undefined || key === undefined) return { ca, ...(pair ? { cert: pair.cert, key: pair.key } : {}) };
  const own = usable("kubelet-client-certificate", () => new X509Certificate(cert));
  const secret = usable("kubelet-client-key", () => createPrivateKey(key));
  if (!own.checkPrivateKey(secret)) throw new Error("--kubelet-client-key: it is not the key of the certificate");
  return { ca, cert, key };
}

function usable<T>(option: string, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    throw new Error(`--${option}: no PEM that can be read`, { cause });
  }
}
