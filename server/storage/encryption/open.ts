/** Encryption at rest as the options say: `--encryption-provider-config` and its automatic reload. */
import { followFile, readText } from "../../options/files.ts";
import type { Options } from "../../options/mod.ts";
import { Encryption } from "./encryption.ts";
import { randomPool } from "./random.ts";

const OPTION = "encryption-provider-config";
/** A file that was refused is tried again so often, ms. */
const RETRY_MS = 60_000;

/** What the process gives. */
export interface EncryptionOutside {
  /** Names the server in metrics. */
  readonly serverId: string;
  readonly now: () => number;
  readonly log: (level: "info" | "warn" | "error", text: string, detail?: unknown) => void;
}

/** Undefined without the option. @throws Error that tells all that is wrong with the file */
export async function openEncryption(options: Options, outside: EncryptionOutside): Promise<Encryption | undefined> {
  const path = options.encryptionProviderConfig;
  if (path === "") return undefined;
  // Its gRPC is loaded only where something is to be encrypted.
  const { connectService } = await import("./kms/mod.ts");
  const random = randomPool(), elapsed = () => performance.now();
  const { now, serverId, log } = outside;
  return await Encryption.of(readText(OPTION, path), {
    product: options.product,
    root: options.storePrefix,
    reload: options.encryptionProviderConfigAutomaticReload,
    random,
    now,
    serverId,
    service: (config, metrics) =>
      connectService(config, { random, now, elapsed, metrics, log, v1: options.gates.enabled("KMSv1") }),
  });
}

/** Follows the file until the signal aborts. What is wrong with a new one is logged, and the old one stays in use. */
export async function followEncryption(
  encryption: Encryption,
  options: Options,
  { log }: Pick<EncryptionOutside, "log">,
  signal: AbortSignal,
): Promise<void> {
  const path = options.encryptionProviderConfig;
  let last: Promise<void> = Promise.resolve();
  const reload = () => {
    last = last.then(async () => {
      if (signal.aborted) return;
      try {
        if (await encryption.reload(readText(OPTION, path))) log("info", "the encryption configuration was read again");
      } catch (e) {
        log("error", "the encryption configuration stays as it was", (e as Error).message);
      }
    });
  };
  const timer = setInterval(reload, RETRY_MS);
  try {
    await followFile(path, reload, signal);
  } finally {
    clearInterval(timer);
    await last;
  }
}
