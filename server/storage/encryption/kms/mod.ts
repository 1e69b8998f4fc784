/** Key management services behind `kms` providers. */
import type { KmsConfig } from "../config.ts";
import type { Service } from "../table.ts";

/** Connects to a service. @throws Error when it must not be used */
export function connectService({ name }: KmsConfig, _context: unknown): Promise<Service> {
  return Promise.reject(new Error(`service ${JSON.stringify(name)}: key management services are not built yet`));
}
