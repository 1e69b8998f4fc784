/** Ways from the server to other servers: documents of issuers, webhooks that connection files name, and webhooks of admission. */
import type { Outside } from "../security.ts";
import { readConnectionFile } from "./connection_file.ts";
import type { Egress } from "./egress.ts";
import { hookTransport } from "./hook_client.ts";
import { fetchText, postJson } from "./http_client.ts";
import { proxyTransport } from "./proxy_client.ts";

/**
 * The process's ways out: each network by the way that is selected for it, directly without one. It throws an Error for an issuer
 * that asks for a network which no way is selected to.
 */
export function outsideBy(egress: Egress | undefined): Outside {
  return {
    fetchText(ca, network) {
      if (network && !egress?.selects(network)) {
        throw new Error(
          `--egress-selector-config-file: selects no way to ${JSON.stringify(network)}, which an issuer asks for`,
        );
      }
      return fetchText(ca, egress?.to(network));
    },
    post(option, connectionFile, network) {
      return postJson(readConnectionFile(option, connectionFile), egress?.to(network));
    },
    hooks: (identity) => hookTransport(identity, egress),
    proxy: () => proxyTransport(egress),
    async lookup(host) {
      const { lookup } = await import("node:dns/promises");
      return (await lookup(host, { all: true })).map(({ address }) => address);
    },
  };
}

/** All of them direct. */
export const outside: Outside = outsideBy(undefined);
