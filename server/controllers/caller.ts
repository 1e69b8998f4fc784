/** Controllers act as service accounts of the system namespace, and pass admission like everybody else. */
import { hasReason, isNotFound } from "../../schema/status.ts";
import type { OwnWrite } from "../admission/types.ts";
import { serviceAccountUser } from "../authentication/service_account.ts";
import type { User } from "../request.ts";
import type { Caller } from "../registry/context.ts";
import { type Deleted, deleteObject } from "../registry/delete.ts";
import { systemCaller } from "../registry/registries.ts";
import type { Store } from "../registry/store.ts";
import type { DeleteOptions } from "../registry/strategy.ts";
import type { ControllerContext } from "./types.ts";

/** How fields are owned that controllers write: by who runs them on the public server. */
export const AS_CONTROLLER: OwnWrite = { manager: "kube-controller-manager" };

/** The account of a controller. */
export function controllerUser(ctx: ControllerContext, account: string): User {
  return serviceAccountUser(ctx.product.systemNamespace, account);
}

/** A caller in a controller's name. */
export function controllerCaller(user: User, signal: AbortSignal): Caller {
  return { ...systemCaller(), user, signal };
}

/** Deletes an object through admission. Undefined when it was not there any more. @throws StatusError */
export async function deleteAs(
  ctx: ControllerContext,
  caller: Caller,
  store: Store,
  namespace: string,
  name: string,
  options: DeleteOptions,
): Promise<Deleted | undefined> {
  try {
    return await deleteObject(store, namespace, name, { ...options }, { ...caller, options }, async (obj) => {
      const a = store.attributes("DELETE", undefined, obj, { ...caller, options }, "");
      await ctx.admission.admit(a);
      await ctx.admission.validate(a);
    });
  } catch (e) {
    if (isNotFound(e)) return undefined;
    throw e;
  }
}

/** Whether an error says that somebody else was faster. */
export const isConflict = (e: unknown): boolean => hasReason(e, "Conflict") || hasReason(e, "AlreadyExists");
