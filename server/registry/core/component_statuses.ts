/** Component statuses: a look at the store and at the components that once ran beside the server (deprecated). */
import type { Obj } from "../../../schema/model/types.ts";
import { StatusError } from "../../../schema/status.ts";
import type { Call, VirtualHandler } from "../../endpoints/api.ts";

/** Components, and how each is asked; those of other processes cannot be reached from here. 404 for others. */
export function componentStatuses(store: (signal: AbortSignal) => Promise<void>): VirtualHandler {
  const closed = () => Promise.reject(new Error("connection refused"));
  const probes: Readonly<Record<string, (signal: AbortSignal) => Promise<void>>> = {
    "scheduler": closed,
    "controller-manager": closed,
    "etcd-0": store,
  };
  const one = async (call: Call, name: string): Promise<Obj> => {
    const failed = await probes[name]!(call.scope.signal).then(() => undefined, (e: Error) => e.message);
    const condition = failed === undefined
      ? { type: "Healthy", status: "True", message: "ok" }
      : { type: "Healthy", status: "False", message: failed };
    const { kind } = call.served;
    return { kind: kind.kind, apiVersion: kind.apiVersion, metadata: { name }, conditions: [condition] };
  };
  return {
    list: (call) => Promise.all(Object.keys(probes).map((name) => one(call, name))),
    get: async (call) => {
      if (Object.hasOwn(probes, call.name)) return { object: await one(call, call.name), kind: call.served.kind };
      const details = { name: call.name, kind: "componentstatus" };
      throw new StatusError(404, "NotFound", `componentstatus "${call.name}" not found`, details);
    },
  };
}
