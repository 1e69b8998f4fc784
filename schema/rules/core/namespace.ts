/** Rules of namespaces. */
import { format, keep } from "../checks/basic.ts";
import { qualifiedName } from "../checks/formats.ts";
import type { Obj } from "../../model/types.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { items } from "../tree.ts";
import type { KindRules, RuleContext } from "../types.ts";

/** The label by which selectors find a namespace by its name. */
export const NAME_LABEL = "kubernetes.io/metadata.name";
const FINALIZERS = Path.of("spec", "finalizers");

function finalizer(name: string, path: Path, errors: ErrorList, ctx: RuleContext): void {
  format(name, path, errors, qualifiedName);
  const known = ["orphan", "foregroundDeletion", ctx.product.service];
  if (!name.includes("/") && !known.includes(name)) {
    errors.invalid(path, name, "must be a known finalizer or have a domain before its name");
  }
}

/** Every namespace has its name as a label. */
function labelName({ metadata }: Obj, ctx: RuleContext): void {
  if (metadata.name) (metadata.labels ??= {})[ctx.product.local(NAME_LABEL)] = metadata.name;
}

/** Rules of `namespaces`. */
export const NAMESPACE: KindRules = {
  name: "dns1123Label",
  prepareCreate(obj, ctx) {
    obj["status"] = { phase: "Active" };
    // The label of a name that was generated is nobody's fault, and comes later.
    if (!obj.metadata.generateName) labelName(obj, ctx);
    const spec = obj["spec"] ??= {};
    if (!items<string>(spec.finalizers).includes(ctx.product.service)) {
      spec.finalizers = [...items<string>(spec.finalizers), ctx.product.service];
    }
  },
  prepareUpdate(obj, old) {
    obj["spec"] ??= {};
    keep(obj["spec"], old["spec"], "finalizers");
    keep(obj, old, "status");
  },
  validate(obj, errors, ctx) {
    for (const f of items<string>(obj["spec"]?.finalizers)) finalizer(f, FINALIZERS, errors, ctx);
  },
  completeCreate: labelName,
  subresources: {
    status: {
      prepareUpdate: (obj, old) => keep(obj, old, "spec"),
      validateUpdate(obj, _old, errors) {
        const phase = obj["status"]?.phase ?? "", wanted = obj.metadata.deletionTimestamp ? "Terminating" : "Active";
        if (phase !== wanted) {
          errors.invalid(Path.of("status", "Phase"), phase, `must be '${wanted}' as \`deletionTimestamp\` is`);
        }
      },
    },
    finalize: {
      prepareUpdate: (obj, old) => keep(obj, old, "status"),
      validateUpdate(obj, _old, errors, ctx) {
        for (const [i, f] of items<string>(obj["spec"]?.finalizers).entries()) {
          finalizer(f, FINALIZERS.index(i), errors, ctx);
        }
      },
    },
  },
};
