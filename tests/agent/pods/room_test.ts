import assert from "node:assert/strict";
import type { Pod } from "../../../schema/api/core_v1.ts";
import { type Claim, type Holder, takenFrom } from "../../../agent/pods/room.ts";
import type { Admit } from "../../../agent/types.ts";

const NODE = 10;
const cpu = ({ spec }: Pod): number => Number(spec!.containers![0]!.resources!.requests!["cpu"]);
const sized = (cores: number, more: Partial<Pod["spec"]> = {}): Pod => ({
  spec: { containers: [{ name: "c", resources: { requests: { cpu: `${cores}` } } }], ...more },
});
const guaranteed = (cores: number): Pod => {
  const resources = { cpu: `${cores}`, memory: "1Gi" };
  return { spec: { containers: [{ name: "c", resources: { requests: resources, limits: resources } }] } };
};
const sum = (pods: readonly Pod[]) => pods.reduce((total, pod) => total + cpu(pod), 0);
const admit: Admit = (pod, others) =>
  sum(others) + cpu(pod) > NODE ? { reason: "OutOfcpu", message: "too much" } : undefined;

/** Of cores taken by others, when the claim is looked at beside those of others. */
const taken = (claim: Claim, others: readonly (Claim | undefined)[]): number => {
  const all = [undefined, ...others].map((claim, i): Holder => ({ uid: `${i}`, allotted: sized(1), claim }));
  return sum(takenFrom(all, "0", claim, admit, () => true));
};
const claim = (pod: Pod, since = Infinity): Claim => ({ pod, since });

Deno.test("who is before a claim is counted with what it waits for, where that fits", () => {
  const rows: [name: string, own: Claim, others: (Claim | undefined)[], taken: number][] = [
    ["nobody waits", claim(sized(5)), [undefined, undefined], 2],
    ["one waits longer", claim(sized(5), 20), [claim(sized(6), 10)], 6],
    ["one has waited before this one came", claim(sized(5)), [claim(sized(6), 10)], 6],
    ["one waits for a shorter time", claim(sized(5), 10), [claim(sized(6), 20)], 1],
    ["one of higher priority", claim(sized(5), 10), [claim(sized(6, { priority: 1 }), 20)], 6],
    ["one of lower priority", claim(sized(5, { priority: 1 }), 20), [claim(guaranteed(6), 10)], 1],
    ["one that is guaranteed", claim(sized(5), 10), [claim(guaranteed(6), 20)], 6],
    ["what is before does not fit", claim(sized(5)), [claim(sized(11), 10)], 1],
    ["the second does not fit, the third does", claim(sized(5)), [5, 4, 3].map((n, i) => claim(sized(n), i)), 9],
    ["one too large is passed over", claim(sized(5)), [claim(sized(9), 1), claim(sized(6), 2), undefined], 8],
  ];
  for (const [name, own, others, expected] of rows) assert.equal(taken(own, others), expected, name);
});
