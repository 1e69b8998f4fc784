/** Ways from the server to other servers: documents of issuers, webhooks that connection files name, and webhooks of admission. */
import type { Network } from "../network.ts";
import type { Outside } from "../security.ts";
import { currentConnection } from "./connection_file.ts";
import type { Egress } from "./egress.ts";
import type { SomeDial } from "./environment_proxy.ts";
import { hookTransport } from "./hook_client.ts";
import { fetchText, postJson, type Ways } from "./http_client.ts";
import { proxyTransport } from "./proxy_client.ts";

/**
 * The process's ways out: each network by the way that is selected for it; without one directly, but for servers that are named by a
 * host, which may go by the environment's proxy. It throws an Error for an issuer that asks for a network which no way is selected to.
 */
export function outsideBy(egress: Egress | undefined, environment?: SomeDial): Outside {
  const named = (network: Network | undefined) =>
    network && egress?.selects(network) ? egress.to(network) : environment;
  const ways = (network: Network | undefined): Ways => ({ plain: egress?.to(network), secure: named(network) });
  return {
    fetchText(ca, network) {
      if (network && !egress?.selects(network)) {
        throw new Error(
          `--egress-selector-config-file: selects no way to ${JSON.stringify(network)}, which an issuer asks for`,
        );
      }
      return fetchText(ca, ways(network));
    },
    post(option, connectionFile, network) {
      return postJson(currentConnection(option, connectionFile, () => performance.now()), ways(network));
    },
    hooks: (identity) =>
      hookTransport(identity, (network) => network === "controlplane" ? named(network) : egress?.to(network)),
    proxy: () => proxyTransport(egress),
    async lookup(host) {
      const { lookup } = await import("node:dns/promises");
      return (await lookup(host, { all: true })).map(({ address }) => address);
    },
  };
}

/** All of them direct. */
export const outside: Outside = outsideBy(undefined);
