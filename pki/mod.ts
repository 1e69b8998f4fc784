/** Certificates and keys: making, reading, verifying. No files here. */
export { type Authority, issueAuthority, issueLeaf, type LeafOptions } from "./authority.ts";
export { type CertificateFacts, certificateFacts } from "./facts.ts";
export { issue, nameDer } from "./issue.ts";
export { generateKey, publicKeyDer, publicKeyPem } from "./keys.ts";
export { OID } from "./oids.ts";
export { fromPem, toPem } from "./pem.ts";
export { type Certificate, type ChainResult, isTrustedItself, parseBundle, verifyChain } from "./verify.ts";
export { isRequestSignedBy, isSignedBy } from "./signatures.ts";
