/** The file of `--tracing-config-file`: a TracingConfiguration. */
import type { TracingConfiguration } from "../../schema/api/apiserver.config.k8s.io_v1.ts";
import type { Product } from "../../schema/product.ts";
import { COLLECTOR } from "../../schema/tracing/sending.ts";
import { type ConfigKind, readConfigObject } from "./config_object.ts";

/** Where spans go, and how many there are. */
export interface TracingConfig {
  /** As gRPC names it: `host:port`, `dns:…`, `unix:…`, `unix-abstract:…`. */
  readonly endpoint: string;
  /** Of a million traces that begin here. */
  readonly perMillion: number;
}

const OPTION = "tracing-config-file";
const WANTED: ConfigKind = {
  option: OPTION,
  kind: "TracingConfiguration",
  apiVersions: ["v1", "v1beta1", "v1alpha1"].map((v) => `apiserver.config.k8s.io/${v}`),
  describedIn: "apiserver.config.k8s.io",
};
const MILLION = 1_000_000;
/** Control characters, and a percent sign that begins nothing. */
const UNFIT = /[^ -~\x80-\u{10ffff}]|%(?![0-9a-f]{2})/iu;
const SCHEMES: readonly string[] = ["dns", "unix", "unix-abstract"];

/** Reads the file's text. @throws Error that tells what is wrong, by path */
export function readTracingConfig(text: string, product: Product): TracingConfig {
  const { endpoint, samplingRatePerMillion: rate } = readConfigObject<TracingConfiguration>(text, WANTED, product);
  const faults = [
    ...(rate === undefined ? [] : rateFaults(rate)),
    ...(endpoint === undefined ? [] : endpointFaults(endpoint)),
  ];
  if (faults.length > 0) throw new Error(`--${OPTION}: ${faults.join("; ")}`);
  return { endpoint: endpoint || COLLECTOR, perMillion: rate ?? 0 };
}

function rateFaults(rate: number): string[] {
  const at = `samplingRatePerMillion: Invalid value: ${rate}`;
  if (rate < 0) return [`${at}: should be 0 or more`];
  return rate > MILLION ? [`${at}: should be at most ${MILLION}`] : [];
}

/** What has no `//` is taken for an address of `dns`, as the public server takes it. */
function endpointFaults(endpoint: string): string[] {
  const at = `endpoint: Invalid value: ${JSON.stringify(endpoint)}`;
  const url = endpoint.includes("//") ? endpoint : `dns://${endpoint}`;
  const [, scheme = "", authority = ""] = /^([a-z][a-z0-9+.-]*):(?:\/\/([^/?#]*))?/i.exec(url) ?? [];
  if (!SCHEMES.includes(scheme.toLowerCase())) {
    return [`${at}: the scheme ${JSON.stringify(scheme)} should be none, ${SCHEMES.join(", ")}`];
  }
  const port = /:([^:\]]*)$/.exec(authority)?.[1] ?? "";
  const wrong = UNFIT.test(url) || /\s/.test(authority) || /[^0-9]/.test(port);
  return wrong ? [`${at}: is no address`] : [];
}
