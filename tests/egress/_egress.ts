/** Ways to networks for tests. */
import { type Egress, openEgress } from "../../server/options/egress.ts";
import { parseOptions } from "../../server/options/mod.ts";
import type { Network } from "../../server/network.ts";
import type { Loose } from "../fixture/loose.ts";
import { type ConnectProxy, type Konnectivity, PROXY_CA, PROXY_CLIENT } from "./_proxies.ts";

/** A directory with the files of TLS, and what is written for a test. */
export class Files {
  readonly dir = Deno.makeTempDirSync();

  write(name: string, text: string): string {
    Deno.writeTextFileSync(`${this.dir}/${name}`, text);
    return `${this.dir}/${name}`;
  }

  /** What a selection says of a proxy. */
  connection(proxy: ConnectProxy | Konnectivity | string): Loose {
    if (typeof proxy === "string") return { proxyProtocol: "HTTPConnect", transport: { uds: { udsName: proxy } } };
    if ("path" in proxy) return { proxyProtocol: "GRPC", transport: { uds: { udsName: proxy.path } } };
    const tlsConfig = {
      caBundle: this.write("ca", PROXY_CA),
      clientCert: this.write("cert", PROXY_CLIENT.cert),
      clientKey: this.write("key", PROXY_CLIENT.key),
    };
    const tcp = { url: proxy.url, ...(proxy.secure ? { tlsConfig } : {}) };
    return { proxyProtocol: "HTTPConnect", transport: { tcp } };
  }

  /** The path of a configuration. */
  config(ways: Partial<Record<Network, Loose>>): string {
    const egressSelections = Object.entries(ways).map(([name, connection]) => ({ name, connection }));
    const file = { apiVersion: "apiserver.k8s.io/v1beta1", kind: "EgressSelectorConfiguration", egressSelections };
    return this.write("egress.json", JSON.stringify(file));
  }

  /** The ways of a configuration. */
  egress(ways: Partial<Record<Network, Loose>>): Egress {
    const parsed = parseOptions([`--egress-selector-config-file=${this.config(ways)}`]);
    if (parsed.kind !== "run") throw new Error("options");
    return openEgress(parsed.options);
  }

  remove(): void {
    Deno.removeSync(this.dir, { recursive: true });
  }
}

/** Lines of the metrics that are not zero, without their common beginning. */
export function counted(egress: Egress): Record<string, number> {
  const out: Record<string, number> = {};
  for (const { name, samples } of egress.metrics.rows()) {
    for (const { metricName, labels, value } of samples(name)) {
      if (/_(bucket|sum)$/.test(metricName)) continue;
      out[`${metricName.replace("apiserver_egress_dialer_dial_", "")} ${Object.values(labels).join(" ")}`] = value;
    }
  }
  return out;
}
