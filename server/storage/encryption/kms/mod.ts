/** Key management services behind `kms` providers. */
import type { KmsConfig } from "../config.ts";
import type { Service } from "../table.ts";
import { KmsClient } from "./client.ts";
import type { ServiceContext } from "./context.ts";
import { ServiceV1 } from "./v1.ts";
import { ServiceV2 } from "./v2.ts";

export type { ServiceContext } from "./context.ts";

/** Connects to a service. One that does not answer yet is no error. @throws Error for v1 without its gate */
export async function connectService(config: KmsConfig, context: ServiceContext): Promise<Service> {
  const { name, socket, timeout, version, cacheSize } = config;
  if (version === "v1" && !context.v1) {
    throw new Error(
      `--encryption-provider-config: service ${
        JSON.stringify(name)
      } is of KMS v1, which is deprecated: use apiVersion v2, ` +
        "or --feature-gates=KMSv1=true",
    );
  }
  const ended = (path: string, status: string, seconds: number) => context.metrics.called(name, path, status, seconds);
  const client = new KmsClient(name, socket, timeout, ended);
  if (version === "v1") return new ServiceV1(client, cacheSize, context);
  const service = new ServiceV2(client, context);
  await service.start();
  return service;
}
