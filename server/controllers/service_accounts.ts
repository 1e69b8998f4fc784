/** What every namespace is given: its `default` service account, and the authorities of this server's certificate. */
import type { Obj } from "../../schema/model/types.ts";
import { mergedAuthorities } from "../bootstrap/trust.ts";
import { AS_CONTROLLER, isConflict } from "./caller.ts";
import { follow } from "./follow.ts";
import { workQueue } from "./queue.ts";
import type { Controller, ControllerContext } from "./types.ts";
import { hasReason, isNotFound } from "../../schema/status.ts";

/** One object that every active namespace has. */
interface Given {
  readonly resourceId: string;
  readonly name: string;
  make(namespace: string): Obj;
  /** The object as it should be; undefined when it is so. */
  repair?(current: Obj): Obj | undefined;
  /** The namespace whose object the others follow. */
  readonly source?: string;
}

/** The account that pods run as when they name none. */
export function serviceAccountController(ctx: ControllerContext): Controller {
  const meta = (namespace: string) => ({ name: "default", namespace });
  return giving(ctx, {
    resourceId: "serviceaccounts",
    name: "default",
    make: (namespace) => ({ apiVersion: "v1", kind: "ServiceAccount", metadata: meta(namespace) }),
  });
}

/**
 * `kube-root-ca.crt`, by which pods trust this server; undefined where the authorities are not known. Servers of one store may
 * each have an authority of their own: that of the system namespace gathers them, and the others say the same.
 */
export function rootCaPublisher(ctx: ControllerContext): Controller | undefined {
  const ca = ctx.servingCa;
  if (ca === undefined) return undefined;
  const name = ctx.product.local("kube-root-ca.crt"), source = ctx.product.systemNamespace;
  const wanted = () => {
    const gathered = ctx.registries.lister.get("configmaps", source, name)?.["data"]?.["ca.crt"];
    return { "ca.crt": mergedAuthorities(gathered, ca(), ctx.now()) };
  };
  const annotations = {
    [ctx.product.local("kubernetes.io/description")]:
      "Authorities that verify the API server at its addresses inside the cluster; nothing else is promised of them",
  };
  return giving(ctx, {
    resourceId: "configmaps",
    name,
    source,
    make: (namespace) => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name, namespace, annotations },
      data: wanted(),
    }),
    repair: (current) => {
      const data = wanted();
      return JSON.stringify(current["data"]) === JSON.stringify(data) ? undefined : { ...current, data };
    },
  });
}

/** The key of all namespaces. */
const EVERY = "*";

function giving(ctx: ControllerContext, given: Given): Controller {
  return {
    start(signal) {
      const queue = workQueue(ctx, `${given.resourceId} of namespaces`, {
        workers: 4,
        onError: (ns, e) => ctx.log("warn", `${given.resourceId} ${given.name} cannot be made in ${ns} yet`, e),
        work: async (namespace) => {
          if (namespace !== EVERY) return await give(ctx, given, namespace);
          for (const { metadata } of ctx.registries.lister.list("namespaces")) queue.add(metadata.name!);
        },
      });
      queue.start(signal);
      follow(ctx.registries.byId("namespaces"), signal, (entry, deleted) => {
        if (!deleted) queue.add(entry.name);
      });
      follow(ctx.registries.byId(given.resourceId), signal, (entry, deleted, previous) => {
        if (entry.name !== given.name) return;
        if (entry.namespace === given.source) queue.add(EVERY);
        else if (deleted || previous !== undefined) queue.add(entry.namespace);
      }, () => queue.add(EVERY));
    },
  };
}

async function give(ctx: ControllerContext, given: Given, namespace: string): Promise<void> {
  const { lister, live, byId } = registriesOf(ctx);
  const ns = lister.get("namespaces", "", namespace);
  if (!ns || ns.metadata.deletionTimestamp || !byId(given.resourceId)) return;
  const current = lister.get(given.resourceId, namespace, given.name);
  try {
    if (!current) await live.create(given.resourceId, given.make(namespace), AS_CONTROLLER);
    else if (given.repair?.(current)) {
      await live.update(given.resourceId, namespace, given.name, (obj) => given.repair!(obj), AS_CONTROLLER);
    }
  } catch (e) {
    // Forbidden: the namespace is being deleted.
    if (!isConflict(e) && !isNotFound(e) && !hasReason(e, "Forbidden")) throw e;
  }
}

const registriesOf = ({ registries }: ControllerContext) => ({
  lister: registries.lister,
  live: registries.live,
  byId: (id: string) => registries.byId(id),
});
