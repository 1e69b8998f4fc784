/** Names of TLS versions and suites as operators write them, and as the runtime knows them. */

/** Versions by the option's name. The runtime speaks 1.2 and 1.3 only, so the older names mean 1.2. */
const VERSIONS = new Map<string, "TLSv1.2" | "TLSv1.3">([
  ["VersionTLS10", "TLSv1.2"],
  ["VersionTLS11", "TLSv1.2"],
  ["VersionTLS12", "TLSv1.2"],
  ["VersionTLS13", "TLSv1.3"],
]);

/** IANA name → name in the runtime, for TLS 1.2. */
const SUITES = new Map<string, string>([
  ["TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "ECDHE-ECDSA-AES128-GCM-SHA256"],
  ["TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "ECDHE-ECDSA-AES256-GCM-SHA384"],
  ["TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305"],
  ["TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "ECDHE-RSA-AES128-GCM-SHA256"],
  ["TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "ECDHE-RSA-AES256-GCM-SHA384"],
  ["TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", "ECDHE-RSA-CHACHA20-POLY1305"],
  // Names that older configurations use for the same two.
  ["TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305", "ECDHE-ECDSA-CHACHA20-POLY1305"],
  ["TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305", "ECDHE-RSA-CHACHA20-POLY1305"],
]);

/** Names that configurations may hold and that choose nothing: suites of TLS 1.3 (always all), and those the runtime does not speak. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  "TLS_AES_128_GCM_SHA256",
  "TLS_AES_256_GCM_SHA384",
  "TLS_CHACHA20_POLY1305_SHA256",
  ...["RC4_128_SHA", "3DES_EDE_CBC_SHA", "AES_128_CBC_SHA", "AES_256_CBC_SHA", "AES_128_CBC_SHA256"].flatMap((rest) =>
    ["RSA", "ECDHE_RSA", "ECDHE_ECDSA"].map((exchange) => `TLS_${exchange}_WITH_${rest}`)
  ),
  "TLS_RSA_WITH_AES_128_GCM_SHA256",
  "TLS_RSA_WITH_AES_256_GCM_SHA384",
]);

const TLS_VERSION_NAMES: readonly string[] = [...VERSIONS.keys()];

/** The values of `--tls-cipher-suites`. */
export const TLS_SUITE_NAMES: readonly string[] = [...SUITES.keys(), ...WITHOUT_EFFECT];

/** @throws Error on a name that is not of {@linkcode TLS_VERSION_NAMES} */
export function tlsVersion(name: string): "TLSv1.2" | "TLSv1.3" {
  const version = VERSIONS.get(name);
  if (version === undefined) {
    throw new Error(`Cannot use TLS version "${name}": it should be one of ${TLS_VERSION_NAMES.join(", ")}`);
  }
  return version;
}

/** The suites of TLS 1.2 among the names, as the runtime calls them. @throws Error on a name not of {@linkcode TLS_SUITE_NAMES} */
export function tlsSuites(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((name) => {
    const suite = SUITES.get(name);
    if (suite === undefined && !WITHOUT_EFFECT.has(name)) {
      throw new Error(`Cannot use cipher suite "${name}": it should be one of ${TLS_SUITE_NAMES.join(", ")}`);
    }
    return suite ?? [];
  }));
}
