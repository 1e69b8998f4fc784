/** The formats that validation tags name (`k8s-short-name`, `k8s-uuid`, …). */
import { longer } from "../../values/utf8.ts";
import {
  cIdentifier,
  dnsLabel,
  dnsSubdomain,
  dnsSubdomainCaseless,
  type Format,
  labelValue,
  pathSegment,
  prefixedKey,
  qualifiedName,
  uuid,
} from "./formats.ts";

/** Longest texts of formats that tell of length apart from syntax, in bytes. */
export const FORMAT_LIMITS: Readonly<Record<string, number>> = { "k8s-resource-pool-name": 253 };

/** Segments of a pool's name that are looked at: as many as an answer tells of, where a name may be as long as a body. */
export const MOST_SEGMENTS = 1000;

/** A text of several `/`-joined DNS subdomains. */
const poolName: Format = (s) =>
  s.split("/", MOST_SEGMENTS).flatMap((part, i) =>
    part ? dnsSubdomain(part).map((f) => `segment ${i}: ${f}`) : [`segment ${i}: must not be empty`]
  );

/** A resource name with a domain that is not the project's own. */
const extendedResource: Format = (s) => {
  const faults: string[] = [];
  if (!s.includes("/")) faults.push("must have a domain, such as example.com/my-prop");
  if (s.startsWith("requests.")) faults.push("must not start with 'requests.'");
  return [...faults, ...qualifiedName(`requests.${s}`)];
};

/** `<domain>/<C identifier>`. */
const fullyQualified: Format = (s) => {
  const [domain, name, more] = s.split("/");
  if (name === undefined) return ["must be a domain and a name joined by '/'"];
  if (more !== undefined) return []; // names of more parts have always been taken
  return [
    ...(domain ? dnsSubdomainCaseless(domain) : ["prefix must not be empty"]),
    ...(name ? cIdentifier(name) : ["name must not be empty"]),
    ...(longer(name, 32) ? ["must be no more than 32 bytes"] : []),
  ];
};

/** Formats by tag value. */
export const TAG_FORMATS: Readonly<Record<string, Format>> = {
  "k8s-short-name": dnsLabel,
  "k8s-long-name": dnsSubdomain,
  "k8s-long-name-caseless": dnsSubdomainCaseless,
  "k8s-label-key": qualifiedName,
  "k8s-prefixed-label-key": prefixedKey,
  "k8s-label-value": labelValue,
  "k8s-path-segment-name": pathSegment,
  "k8s-uuid": uuid,
  "k8s-resource-pool-name": poolName,
  "k8s-extended-resource-name": extendedResource,
  "k8s-resource-fully-qualified-name": fullyQualified,
};
