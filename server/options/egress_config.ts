/** The file of `--egress-selector-config-file`: an EgressSelectorConfiguration. */
import type {
  Connection,
  EgressSelection,
  EgressSelectorConfiguration,
  TCPTransport,
  TLSConfig,
  Transport,
} from "../../schema/api/apiserver.config.k8s.io_v1beta1.ts";
import type { Product } from "../../schema/product.ts";
import { type Network, NETWORKS } from "../network.ts";
import { type ConfigKind, readConfigObject } from "./config_object.ts";

/** Files of TLS with a proxy, by their paths. */
export interface ProxyTlsFiles {
  /** Empty: the host's roots. */
  readonly ca: string;
  /** Empty, and the key with it: the proxy asks for none. */
  readonly cert: string;
  readonly key: string;
  /** Name that the proxy's certificate must have; empty: its host. */
  readonly name: string;
}

/** Where a proxy listens. */
export type ProxyPlace =
  | { readonly socket: string }
  | { readonly host: string; readonly port: number; readonly tls: ProxyTlsFiles | undefined };

/** How a network is reached. */
export interface EgressWay {
  readonly protocol: "http_connect" | "grpc";
  readonly place: ProxyPlace;
}

/** Ways of the networks that are selected; undefined: directly. */
export type EgressWays = ReadonlyMap<Network, EgressWay | undefined>;

const OPTION = "egress-selector-config-file";
const WANTED: ConfigKind = {
  option: OPTION,
  kind: "EgressSelectorConfiguration",
  apiVersions: ["apiserver.k8s.io/v1beta1", "apiserver.k8s.io/v1alpha1"],
  describedIn: "apiserver.config.k8s.io",
};
const PROTOCOLS: readonly string[] = ["Direct", "HTTPConnect", "GRPC"];
/** Where faults are told, as the public server names the place. */
const AT = "service.connection";

type Fault = (path: string, why: string) => void;

/**
 * Reads the file's text. `exists` tells whether there is a file.
 * @throws Error that tells everything that is wrong, by path
 */
export function readEgressConfig(text: string, product: Product, exists: (path: string) => boolean): EgressWays {
  const config = readConfigObject<EgressSelectorConfiguration>(text, WANTED, product);
  const selections = config.egressSelections ?? [];
  const faults: string[] = [];
  const fault: Fault = (path, why) => void faults.push(`${AT}${path}: ${why}`);
  for (const { connection } of selections) connectionFaults(connection ?? {}, exists, fault);
  nameFaults(selections, fault);
  if (faults.length > 0) throw new Error(`--${OPTION}: ${faults.join("; ")}`);
  return new Map(selections.map((s) => [s.name.toLowerCase() as Network, wayOf(s.connection)]));
}

function nameFaults(selections: readonly EgressSelection[], fault: Fault): void {
  const seen = new Set<string>();
  for (const [i, { name = "" }] of selections.entries()) {
    const lower = name.toLowerCase();
    if (seen.has(lower)) fault(`[${i}]`, `Duplicate value: ${JSON.stringify(lower)}`);
    else if (!(NETWORKS as readonly string[]).includes(lower)) {
      fault("", `Unsupported value: ${JSON.stringify(lower)}: should be one of ${NETWORKS.join(", ")}`);
    }
    seen.add(lower);
  }
}

function connectionFaults(c: Partial<Connection>, exists: (path: string) => boolean, fault: Fault): void {
  const { proxyProtocol = "", transport } = c;
  if (!PROTOCOLS.includes(proxyProtocol)) {
    const all = PROTOCOLS.join(", ");
    fault(".protocol", `Unsupported value: ${JSON.stringify(proxyProtocol)}: should be one of ${all}`);
  } else if (proxyProtocol === "Direct") {
    if (transport) fault(".transport", "Invalid value: a direct connection has none");
  } else if (!transport) fault(".transport", `Required value: ${proxyProtocol} needs one`);
  else if (proxyProtocol === "GRPC") grpcFaults(transport, fault);
  else connectFaults(transport, exists, fault);
}

function grpcFaults({ uds }: Transport, fault: Fault): void {
  if (!uds) fault(".uds", "Required value: GRPC needs a socket");
  else socketFaults(uds.udsName, fault);
}

function connectFaults({ tcp, uds }: Transport, exists: (path: string) => boolean, fault: Fault): void {
  if (tcp && uds) fault(".tcp", "Invalid value: tcp and uds exclude each other");
  else if (tcp) tcpFaults(tcp, exists, fault);
  else if (uds) socketFaults(uds.udsName, fault);
  else fault(".tcp", "Required value: tcp or uds must be set");
}

function socketFaults(name: string | undefined, fault: Fault): void {
  if (!name) fault(".udsName", "Invalid value: must be set");
}

function tcpFaults({ url = "", tlsConfig }: TCPTransport, exists: (path: string) => boolean, fault: Fault): void {
  if (url.startsWith("http://")) {
    if (tlsConfig) fault(".tlsConfig", "Invalid value: goes with https:// alone");
  } else if (url.startsWith("https://")) tlsFaults(tlsConfig, exists, fault);
  else return fault(".url", `Invalid value: ${JSON.stringify(url)}: should begin with http:// or https://`);
  if (!URL.canParse(url)) fault(".url", `Invalid value: ${JSON.stringify(url)}: is no URL`);
}

function tlsFaults(tls: TLSConfig | undefined, exists: (path: string) => boolean, fault: Fault): void {
  if (!tls) return fault(".tlsConfig", "Required value: https:// needs it");
  for (const member of ["caBundle", "clientCert", "clientKey"] as const) {
    const path = tls[member] ?? "", at = `.tlsConfig.${member}`;
    if (path === "") {
      if (member !== "caBundle") fault(at, "Invalid value: must be set");
    } else if (!exists(path)) fault(at, `Invalid value: ${JSON.stringify(path)}: no such file`);
  }
}

function wayOf({ proxyProtocol, transport }: Connection): EgressWay | undefined {
  if (proxyProtocol === "Direct") return undefined;
  const protocol = proxyProtocol === "GRPC" ? "grpc" : "http_connect";
  const { tcp, uds } = transport!;
  // A tunnel takes the socket alone, whatever stands beside it.
  if (uds && (protocol === "grpc" || !tcp)) return { protocol, place: { socket: uds.udsName! } };
  const { protocol: scheme, hostname, port } = new URL(tcp!.url!);
  const secure = scheme === "https:";
  const { caBundle = "", clientCert = "", clientKey = "", tlsServerName = "" } = tcp!.tlsConfig ?? {};
  return {
    protocol,
    place: {
      host: hostname.replace(/^\[(.*)\]$/, "$1"),
      port: port === "" ? (secure ? 443 : 80) : Number(port),
      tls: secure ? { ca: caBundle, cert: clientCert, key: clientKey, name: tlsServerName } : undefined,
    },
  };
}
