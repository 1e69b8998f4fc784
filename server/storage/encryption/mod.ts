/** Encryption at rest (docs/encryption.md). */
export { EncryptedBackend } from "./backend.ts";
export { Encryption, type EncryptionInputs } from "./encryption.ts";
export { followEncryption, openEncryption } from "./open.ts";
