/** Rules of runtime classes. */
import type { Obj } from "../../model/types.ts";
import { format } from "../checks/basic.ts";
import { dnsLabel } from "../checks/formats.ts";
import { containerResourceName, requirements } from "../checks/resources.ts";
import { tolerations } from "../core/affinity.ts";
import { deprecatedLabel } from "../core/node_labels.ts";
import type { ErrorList } from "../errors.ts";
import { validateLabels } from "../object_meta.ts";
import { Path } from "../path.ts";
import { items, repeats, type Tree } from "../tree.ts";
import type { KindRules } from "../types.ts";

const SCHEDULING = Path.of("scheduling"), OVERHEAD = Path.of("overhead");
/** What tells tolerations apart: how long they hold does not. */
const KEYS = ["key", "operator", "value", "effect"];
const NO_CLAIMS: ReadonlySet<string> = new Set();

function scheduling(s: Tree, errors: ErrorList): void {
  if (s["nodeSelector"]) validateLabels(s["nodeSelector"], SCHEDULING.child("nodeSelector"), errors);
  const list = items(s["tolerations"]), path = SCHEDULING.child("tolerations");
  tolerations(list, path, errors); // without comparisons, whatever the tolerations of pods may have
  for (const i of repeats(list, (t) => JSON.stringify(KEYS.map((k) => t[k] ?? "")))) {
    errors.duplicate(path.index(i), list[i]);
  }
}

/** Rules of `runtimeclasses.node.k8s.io`. The handler's rules are tags. */
export const RUNTIME_CLASS: KindRules = {
  createOnUpdate: true,
  unconditionalUpdate: false,
  meta: { knownFinalizersOnly: false },
  validate(obj: Obj, errors, ctx, old) {
    // The tags say this too, but of a handler that changed they say only that it may not.
    if (old && obj["handler"]) format(obj["handler"], Path.of("handler"), errors, dnsLabel);
    if (obj["overhead"]) {
      requirements({ limits: obj["overhead"].podFixed }, OVERHEAD, errors, {
        ctx,
        name: containerResourceName,
        claims: NO_CLAIMS,
        allowIndivisibleHugePages: false,
      });
    }
    if (obj["scheduling"]) scheduling(obj["scheduling"], errors);
  },
  warnings: (obj, _old, ctx) =>
    Object.keys(obj["scheduling"]?.nodeSelector ?? {}).flatMap((key) => {
      const why = deprecatedLabel(key, ctx);
      return why ? [`scheduling.nodeSelector: ${why}`] : [];
    }),
};
