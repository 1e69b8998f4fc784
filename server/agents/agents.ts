/** Node agents: where they are, and how a request of this server's reaches them (specification, `--kubelet-*`). */
import type { Obj } from "../../schema/model/types.ts";
import { StatusError } from "../../schema/status.ts";
import { hostPort } from "../../schema/values/host_port.ts";
import type { ProxyTarget } from "../proxy/types.ts";

/** Port of an agent that has told none. */
const DEFAULT_PORT = 10_250;

/** Who this server is to agents, and who vouches for them. PEM texts. */
export interface AgentIdentity {
  /** `--kubelet-certificate-authority`. Undefined: their certificates are not looked at. */
  readonly ca?: string | undefined;
  /** `--kubelet-client-certificate`, `--kubelet-client-key`: both or none. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** How agents are called. */
export interface AgentOptions {
  /** As it is at the time. */
  identity(): AgentIdentity;
  /** `--kubelet-preferred-address-types`: the first type that a node has an address of is taken. */
  readonly addressTypes: readonly string[];
  /** `--kubelet-timeout`, ms: within it a connection must be there. 0: as long as any. */
  readonly connectMs: number;
}

interface Address {
  readonly type: string;
  readonly address: string;
}

/** An agent's place. */
export interface AgentAddress {
  readonly host: string;
  readonly port: number;
}

/** See the top of the file. */
export class Agents {
  readonly #options: AgentOptions;

  constructor(options: AgentOptions) {
    this.#options = options;
  }

  /** Where a node's agent is. @throws StatusError 500 when the node has told no address of the wanted types */
  addressOf(node: Obj): AgentAddress {
    const addresses: readonly Address[] = node["status"]?.addresses ?? [];
    for (const type of this.#options.addressTypes) {
      const found = addresses.find((a) => a.type === type);
      if (found) return { host: found.address, port: portOf(node) };
    }
    const known = addresses.map(({ type, address }) => `${type} ${address}`).join(", ");
    throw new StatusError(500, "", `no preferred addresses found; known addresses: [${known}]`);
  }

  /** What a request to an agent goes to. `path` with query; `unverified`: its certificate is not looked at in any case. */
  target({ host, port }: AgentAddress, path: string, unverified = false): ProxyTarget {
    const { connectMs } = this.#options;
    const { ca, cert, key } = this.#options.identity();
    const insecure = unverified || ca === undefined;
    return {
      host,
      port,
      network: "cluster",
      tls: { name: host, ca: insecure ? "" : ca, insecure, cert, key },
      authority: hostPort(host, port),
      path,
      ...(connectMs > 0 ? { connectMs } : {}),
    };
  }
}

function portOf(node: Obj): number {
  const port: number | undefined = node["status"]?.daemonEndpoints?.kubeletEndpoint?.Port;
  return port !== undefined && port > 0 ? port : DEFAULT_PORT;
}
