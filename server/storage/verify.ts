/** Reads a store through and tells which of its records are broken, whatever backend it is on. */
import { hostname } from "node:os";
import type { Options } from "../options/mod.ts";
import { verifyDenoKv } from "./denokv/verify.ts";
import { openEncryption } from "./encryption/mod.ts";
import { isEncrypted } from "./objects/export.ts";
import { DEFINITIONS, Places } from "./objects/places.ts";
import type { StorePlan } from "./open.ts";
import { unreadableReason } from "./unreadable.ts";
import { Whole } from "./whole.ts";

/** What a store holds, and what is wrong with it. */
export interface StoreVerdict {
  /** What was read, in words. */
  readonly read: string;
  /** One line each; empty when all is well. */
  readonly problems: readonly string[];
}

/**
 * Verifies a store, which may be in use: on Deno KV every byte by its checksum; on etcd, which has checksums of its own, and
 * where the options say how objects are decrypted, every object, which has to be what its key says.
 * @throws StorageError when it cannot be read at all
 */
export async function verifyStore(plan: StorePlan, options: Options): Promise<StoreVerdict> {
  if (plan.path === undefined) return await verifyObjects(plan, options);
  const { problems, logs, records, bytes } = await verifyDenoKv(plan.path);
  const read = `${records} records in ${logs} log values, ${bytes} bytes`;
  // Where bytes are lost it may not open.
  if (options.encryptionProviderConfig === "" || problems.length > 0) return { read, problems };
  const objects = await verifyObjects(plan, options);
  return { read: `${read}; of those that stand ${objects.read}`, problems: objects.problems };
}

async function verifyObjects(plan: StorePlan, options: Options): Promise<StoreVerdict> {
  const encryption = await openEncryption(options, { serverId: hostname(), now: Date.now, log: () => {} });
  try {
    const backend = await plan.open({ kind: "look", doing: "verify" });
    try {
      return await readThrough(Whole.of(encryption?.over(backend) ?? backend), options);
    } finally {
      await backend.close();
    }
  } finally {
    encryption?.close();
  }
}

async function readThrough(whole: Whole, options: Options): Promise<StoreVerdict> {
  const problems: string[] = [];
  let [records, bytes, sealed] = [0, 0, 0];
  const places = new Places(options.product, options.storePrefix);
  // Objects of custom kinds lie in the main store, and unless an option says otherwise their definitions beside them.
  const definitions = await whole.main.backend.range(places.catalog.resource(DEFINITIONS)!.prefix);
  for (const { value } of definitions.items) places.tryToLearn(value);
  await whole.everything(await whole.moment(), (items) => {
    for (const { key, value } of items) {
      records++;
      bytes += value.length;
      const unreadable = unreadableReason(value);
      const isSealed = unreadable === undefined && isEncrypted(value);
      if (isSealed) sealed++;
      const problem = isSealed ? undefined : unreadable ?? places.faultOf(key, value);
      if (problem !== undefined) problems.push(`${key}: ${problem}`);
    }
    return Promise.resolve();
  });
  const aside = sealed > 0 ? `, ${sealed} of them encrypted and not looked into` : "";
  return { read: `${records} records, ${bytes} bytes${aside}`, problems };
}
