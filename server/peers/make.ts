/** What a server has to do with its peers, from its options and files. */
import type { PeerDocuments } from "../endpoints/discovery.ts";
import type { ServerInputs } from "../inputs.ts";
import type { ProxyTransport } from "../proxy/types.ts";
import { tellsUser } from "../proxy/user.ts";
import type { Registries } from "../registry/registries.ts";
import { fraction } from "../../schema/values/random.ts";
import { serverIdentity } from "../bootstrap/system.ts";
import { advertisedTo } from "./address.ts";
import { PeerMetrics } from "./metrics.ts";
import { Peers } from "./peers.ts";

/** See the top of the file. */
export interface PeerParts {
  /** Where peers reach this server; undefined with the gate off. */
  readonly address: string | undefined;
  /** Passes requests on; undefined without the files that this needs. */
  readonly peers: Peers | undefined;
  /** Undefined with the gate off. */
  readonly metrics: PeerMetrics | undefined;
  readonly documents: PeerDocuments;
}

const OFF: PeerParts = { address: undefined, peers: undefined, metrics: undefined, documents: { alone: () => {} } };

/** Makes them. Without `--peer-ca-file` and the proxy's client certificate others are told of this server, and no more. */
export function makePeers(inputs: ServerInputs, registries: Registries, transport: ProxyTransport): PeerParts {
  const { options, files, address, hostname, elapsed, random, log } = inputs;
  const { product } = options;
  if (!options.gates.enabled("UnknownVersionInteroperabilityProxy")) return OFF;
  const metrics = new PeerMetrics();
  const known = files.peers;
  const peers = known && new Peers({
    product,
    identity: serverIdentity(hostname, address.port),
    tls: () => ({ ...known(), name: `${product.service}.default.svc`, insecure: false }),
    transport,
    metrics,
    lister: registries.lister,
    tellsUser: tellsUser(options),
    leases: () => registries.byId("leases.coordination.k8s.io"),
    now: elapsed,
    random: () => fraction(random),
    log,
  });
  return {
    address: advertisedTo(options, address),
    peers,
    metrics,
    documents: {
      alone: () => metrics.served("nopeer"),
      aggregated: peers && ((own) => peers.aggregated(own)),
    },
  };
}
