/** What every namespace is given: its `default` service account, and the authorities of this server's certificate. */
import type { Obj } from "../../schema/model/types.ts";
import { isConflict, isNotFound } from "./caller.ts";
import { follow } from "./follow.ts";
import { WorkQueue } from "./queue.ts";
import type { Controller, ControllerContext } from "./types.ts";
import { StatusError } from "../../schema/status.ts";

/** One object that every active namespace has. */
interface Given {
  readonly resourceId: string;
  readonly name: string;
  make(namespace: string): Obj;
  /** The object as it should be; undefined when it is so. */
  repair?(current: Obj): Obj | undefined;
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

/** `kube-root-ca.crt`, by which pods trust this server; undefined where the authorities are not known. */
export function rootCaPublisher(ctx: ControllerContext): Controller | undefined {
  const ca = ctx.servingCa;
  if (ca === undefined) return undefined;
  const name = ctx.product.local("kube-root-ca.crt");
  const data = { "ca.crt": ca };
  const annotations = {
    [ctx.product.local("kubernetes.io/description")]:
      "Authorities that verify the API server at its addresses inside the cluster; nothing else is promised of them",
  };
  return giving(ctx, {
    resourceId: "configmaps",
    name,
    make: (namespace) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace, annotations }, data }),
    repair: (current) => JSON.stringify(current["data"]) === JSON.stringify(data) ? undefined : { ...current, data },
  });
}

function giving(ctx: ControllerContext, given: Given): Controller {
  return {
    start(signal) {
      const queue = new WorkQueue({
        workers: 4,
        random: ctx.random,
        onError: (ns, e) => ctx.log("warn", `${given.resourceId} ${given.name} cannot be made in ${ns} yet`, e),
        work: (namespace) => give(ctx, given, namespace),
      });
      queue.start(signal);
      follow(ctx.registries.byId("namespaces"), signal, (entry, deleted) => {
        if (!deleted) queue.add(entry.name);
      });
      follow(ctx.registries.byId(given.resourceId), signal, (entry, deleted, previous) => {
        if (entry.name === given.name && (deleted || previous !== undefined)) queue.add(entry.namespace);
      });
    },
  };
}

async function give(ctx: ControllerContext, given: Given, namespace: string): Promise<void> {
  const { lister, live, byId } = registriesOf(ctx);
  const ns = lister.get("namespaces", "", namespace);
  if (!ns || ns.metadata.deletionTimestamp || !byId(given.resourceId)) return;
  const current = lister.get(given.resourceId, namespace, given.name);
  try {
    if (!current) await live.create(given.resourceId, given.make(namespace));
    else if (given.repair?.(current)) {
      await live.update(given.resourceId, namespace, given.name, (obj) => given.repair!(obj));
    }
  } catch (e) {
    const gone = e instanceof StatusError && e.reason === "Forbidden";
    if (!isConflict(e) && !isNotFound(e) && !gone) throw e;
  }
}

const registriesOf = ({ registries }: ControllerContext) => ({
  lister: registries.lister,
  live: registries.live,
  byId: (id: string) => registries.byId(id),
});
