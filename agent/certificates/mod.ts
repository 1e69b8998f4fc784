/** Certificates of the agent: as a client of the API server, and of its own server. */
export { type ClientCertificateParts, type ClientCertificates, clientCertificates } from "./client.ts";
export { type ServingCertificates, servingCertificates } from "./serving.ts";
