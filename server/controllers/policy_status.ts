/** Says in the status of validating policies which of their expressions do not fit the kinds that they name. */
import type { Obj } from "../../schema/model/types.ts";
import { isNotFound } from "../../schema/status.ts";
import type { OwnWrite } from "../admission/types.ts";
import { typeCheck } from "../admission/policies/type_check.ts";
import { follow } from "./follow.ts";
import { workQueue } from "./queue.ts";
import type { Controller, ControllerContext } from "./types.ts";

const POLICIES = "validatingadmissionpolicies.admissionregistration.k8s.io";

const WRITE: OwnWrite = {
  subresource: "status",
  manager: "validatingadmissionpolicy-status",
  applied: ({ status }) => ({
    status: { observedGeneration: status.observedGeneration, typeChecking: status.typeChecking },
  }),
};

/** Makes the controller. */
export function policyStatus(ctx: ControllerContext): Controller | undefined {
  const { live, lister } = ctx.registries, policies = ctx.registries.byId(POLICIES);
  if (!policies) return undefined;
  const work = async (name: string): Promise<void> => {
    const policy = lister.get(POLICIES, "", name);
    if (!policy || observed(policy)) return;
    const warnings = typeCheck(policy, ctx.catalog);
    const generation = policy.metadata.generation ?? 0;
    const change = (obj: Obj): Obj | undefined => {
      if (observed(obj) || obj.metadata.generation !== generation) return undefined;
      const typeChecking = warnings.length > 0 ? { expressionWarnings: warnings } : {};
      obj["status"] = { ...obj["status"], observedGeneration: generation, typeChecking };
      return obj;
    };
    await live.update(POLICIES, "", name, change, WRITE).catch((e) => {
      if (!isNotFound(e)) throw e;
    });
  };
  return {
    start(signal) {
      const queue = workQueue(ctx, "policy-status", {
        workers: 1,
        onError: (name, e) => ctx.log("warn", `the status of policy ${name} cannot be written yet`, e),
        work,
      });
      queue.start(signal);
      follow(policies, signal, ({ name }, deleted) => {
        if (!deleted) queue.add(name);
      });
    },
  };
}

const observed = (policy: Obj): boolean =>
  (policy.metadata.generation ?? 0) <= (policy["status"]?.observedGeneration ?? 0);
