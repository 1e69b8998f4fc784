/** Defaults of the flow control group. */
import { fill, fillZero, part } from "../checks/fill.ts";
import type { DefaultsTable } from "../tables.ts";
import type { Tree } from "../tree.ts";

/** Rows of the flow control group. */
export const DEFAULTS: DefaultsTable = {
  "v1/FlowSchema": (f: Tree) => fillZero(part(f, "spec"), { matchingPrecedence: 1000 }),
  "v1/PriorityLevelConfiguration": (p: Tree) => {
    const spec = part(p, "spec");
    if (spec["exempt"]) fill(spec["exempt"], { nominalConcurrencyShares: 0, lendablePercent: 0 });
    if (!spec["limited"]) return;
    fill(spec["limited"], { nominalConcurrencyShares: 30, lendablePercent: 0 });
    const queuing = spec["limited"].limitResponse?.queuing;
    if (queuing) fillZero(queuing, { queues: 64, handSize: 8, queueLengthLimit: 50 });
  },
};
