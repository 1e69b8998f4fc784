/** Certificates of the agent: as a client of the API server, and of its own server. */
export {
  type ClientCertificateOptions,
  type ClientCertificateParts,
  type ClientCertificates,
  clientCertificates,
} from "./client.ts";
export type { Pair } from "./pair.ts";
export { type ServingCertificates, servingCertificates, type ServingOptions, type ServingParts } from "./serving.ts";
