/** Keeps the ConfigMap by which extension servers learn whom to trust, whoever changes or deletes it. */
import type { Obj } from "../../schema/model/types.ts";
import { isNotFound } from "../../schema/status.ts";
import { mergedTrust, TRUST_CONFIG_MAP, trustData } from "../bootstrap/trust.ts";
import { isConflict } from "./caller.ts";
import { follow } from "./follow.ts";
import { workQueue } from "./queue.ts";
import type { Controller, ControllerContext } from "./types.ts";

const CONFIG_MAPS = "configmaps";
/** Certificates end by themselves, and files get others: it is looked at again after so long, ms. */
const AGAIN_MS = 5_000;

/** Makes the controller; undefined where nobody told whom to trust. */
export function authenticationTrust(ctx: ControllerContext): Controller | undefined {
  const { trust, product } = ctx, store = ctx.registries.byId(CONFIG_MAPS);
  if (!trust || !store) return undefined;
  const namespace = product.systemNamespace;
  return {
    start(signal) {
      const queue = workQueue(ctx, "authentication-trust", {
        workers: 1,
        onError: (_, e) => ctx.log("warn", "what extension servers are told of whom to trust is written later", e),
        work: async () => {
          await settle(ctx, namespace, trustData(trust()));
          return AGAIN_MS;
        },
      });
      queue.start(signal);
      queue.add(TRUST_CONFIG_MAP);
      follow(store, signal, (entry) => {
        if (entry.name === TRUST_CONFIG_MAP && entry.namespace === namespace) queue.add(TRUST_CONFIG_MAP);
      });
    },
  };
}

/** @throws StatusError */
async function settle(ctx: ControllerContext, namespace: string, wanted: Record<string, string>): Promise<void> {
  const { lister, live } = ctx.registries;
  const merged = (obj: Obj): Obj | undefined => {
    const current = (obj["data"] ?? {}) as Record<string, string>, data = mergedTrust(current, wanted, ctx.now());
    return Object.entries(data).every(([k, v]) => current[k] === v) ? undefined : { ...obj, data };
  };
  const current = lister.get(CONFIG_MAPS, namespace, TRUST_CONFIG_MAP);
  try {
    if (!current) {
      const metadata = { name: TRUST_CONFIG_MAP, namespace };
      await live.create(CONFIG_MAPS, { apiVersion: "v1", kind: "ConfigMap", metadata, data: wanted });
    } else if (merged(current)) await live.update(CONFIG_MAPS, namespace, TRUST_CONFIG_MAP, merged);
  } catch (e) {
    if (!isConflict(e) && !isNotFound(e)) throw e;
  }
}
