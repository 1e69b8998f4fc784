/** The ways to networks that the server's configuration selects (`--egress-selector-config-file`). */
import { EgressMetrics } from "../metrics/egress.ts";
import type { Network } from "../network.ts";
import { readEgressConfig } from "./egress_config.ts";
import type { Dial } from "../grpc/reach.ts";
import { diallerOf } from "./egress_dial.ts";
import { readText } from "./files.ts";
import type { Options } from "./parse.ts";

/** See the top of the file. */
export interface Egress {
  readonly metrics: EgressMetrics;
  /** How a network is reached; undefined: directly. */
  to(network: Network | undefined): Dial | undefined;
  /** Whether the file says how it is reached. */
  selects(network: Network): boolean;
}

/** Reads the file that the options name. @throws Error for a file that cannot be used */
export function openEgress(options: Options): Egress {
  const text = readText("egress-selector-config-file", options.egressSelectorConfigFile);
  const metrics = new EgressMetrics();
  const ways = readEgressConfig(text, options.product, exists);
  const dials = new Map([...ways].map(([network, way]) => [network, way && diallerOf(way, metrics)] as const));
  return { metrics, to: (network) => network && dials.get(network), selects: (network) => dials.has(network) };
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}
